#pragma once

#include "http/request.h"

#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reef::compose {

/// Apache's default `timefmt`.
inline constexpr std::string_view kTimeFormat = "%A, %d-%b-%Y %H:%M:%S %Z";

enum class Zone : bool { local, gmt };

/// strftime, of any length up to 4 KiB; `%Z` of gmt is "GMT" with every C library. What is longer
/// is empty.
std::string formatTime(std::time_t time, Zone zone, std::string_view format);

/// The clock's and the file's time, for the variables that are dates, and how these are written.
struct PageTimes {
    PageTimes(std::time_t clock, std::optional<std::time_t> file,
              std::string_view timeFormat = kTimeFormat) noexcept
        : now(clock), lastModified(file), format(timeFormat) {}

    std::time_t now;
    std::optional<std::time_t> lastModified;
    std::string_view format;
};

/// The variables that follow from the request (by their names in capitals): the dates
/// DATE_LOCAL, DATE_GMT, LAST_MODIFIED; DOCUMENT_NAME, DOCUMENT_URI, DOCUMENT_ARGS, REQUEST_URI of
/// the page that the client asked for, also in what it includes; QUERY_STRING of the fragment, or
/// of that page when the fragment has none, and QUERY_STRING_UNESCAPED, which is it without its
/// percent-encoding and with a backslash before what a shell would act on; REQUEST_METHOD,
/// REQUEST_SCHEME, REMOTE_ADDR, REMOTE_PORT, REMOTE_USER, SERVER_NAME, SERVER_ADDR, SERVER_PORT,
/// SERVER_PROTOCOL, HTTPS, and HTTP_* for the request's fields, but not for credentials or Proxy.
/// Nothing: there is no such variable, or it has no value.
std::optional<std::string> variable(const http::Request& page, std::string_view name,
                                    const PageTimes& times);

/// The names of all those that have a value, without the fields, for `printenv`.
std::vector<std::string> variableNames(const http::Request& page);

/// The request that the client made, for a page or a fragment of it.
const http::Request& clientRequest(const http::Request& page) noexcept;

/// The fields of that request that pages may see, joined by name as CGI does it.
std::optional<std::string> requestField(const http::Request& page, std::string_view name);

} // namespace reef::compose
