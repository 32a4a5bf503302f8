#pragma once

#include "base/result.h"

#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reef::http {

/// Why a handler could not answer. It becomes a response (an error page with this status, or an
/// aborted stream when the head was sent already) and a log line in one place, `serve/`; handlers
/// never write error pages themselves.
struct Failure {
    explicit Failure(int httpStatus, std::string why = {})
        : status(httpStatus), detail(std::move(why)) {}

    /// Adds a field to the answer, such as Allow with 405: `return Failure(405).with("Allow",
    /// "GET")`.
    Failure&& with(std::string name, std::string value) && {
        fields.emplace_back(std::move(name), std::move(value));
        return std::move(*this);
    }

    int status; ///< 400 to 599. 0: the client is gone or its connection is broken; nobody to tell
    std::string detail; ///< for the log only, never for the client: it may name paths and programs
    /// Fields of the answer beside those of the error page.
    std::vector<std::pair<std::string, std::string>> fields;

    bool clientGone() const noexcept { return status == 0; }
};

/// What a handler returns: success means that the response was sent to its end.
using Handled = std::expected<void, Failure>;

inline std::unexpected<Failure> failWith(int status, std::string detail = {}) {
    return std::unexpected<Failure>(std::in_place, status, std::move(detail));
}

/// The client's side failed while we sent: nothing more to do but to log it.
inline std::unexpected<Failure> failClient(Error error) {
    return std::unexpected<Failure>(std::in_place, 0, error.describe());
}

} // namespace reef::http
