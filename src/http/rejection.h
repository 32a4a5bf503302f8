#pragma once

#include <string_view>

namespace reef::http {

/// Why a message cannot be taken: the status to answer with, and the reason for the log. `reason`
/// is a literal; it never quotes the message.
struct Rejection {
    int status = 400;
    std::string_view reason;
};

} // namespace reef::http
