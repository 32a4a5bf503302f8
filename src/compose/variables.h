#pragma once

#include "http/request.h"

#include <ctime>
#include <optional>
#include <string>
#include <string_view>

namespace reef::compose {

/// Apache's default `timefmt`.
inline constexpr std::string_view kTimeFormat = "%A, %d-%b-%Y %H:%M:%S %Z";

enum class Zone : bool { local, gmt };

/// strftime, of any length up to 4 KiB; `%Z` of gmt is "GMT" with every C library. What is longer
/// is empty.
std::string formatTime(std::time_t time, Zone zone, std::string_view format);

/// The clock's and the file's time, for the variables that are dates.
struct PageTimes {
    PageTimes(std::time_t clock, std::optional<std::time_t> file) noexcept
        : now(clock), lastModified(file) {}

    std::time_t now;
    std::optional<std::time_t> lastModified;
};

/// The variables that follow from the request (names are case-sensitive, as in Apache): the dates
/// DATE_LOCAL, DATE_GMT, LAST_MODIFIED; DOCUMENT_NAME, DOCUMENT_URI, DOCUMENT_ARGS, REQUEST_URI of
/// the page that the client asked for, also in what it includes; QUERY_STRING of the fragment, or
/// of that page when the fragment has none; REQUEST_METHOD, REMOTE_ADDR, REMOTE_PORT, SERVER_NAME,
/// SERVER_ADDR, SERVER_PORT, SERVER_PROTOCOL, HTTPS, and HTTP_* for the request's fields, but not
/// for credentials or Proxy. Nothing: there is no such variable, or it has no value.
std::optional<std::string> variable(const http::Request& page, std::string_view name,
                                    const PageTimes& times);

} // namespace reef::compose
