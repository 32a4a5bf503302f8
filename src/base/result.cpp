#include "base/result.h"

#include <cstring>

namespace reef {

namespace {

const char* phrase(Error::Code code) {
    switch (code) {
    case Error::peerClosed:
        return "connection closed by peer";
    case Error::timedOut:
        return "timed out";
    case Error::tooLarge:
        return "too large";
    case Error::malformed:
        return "malformed";
    case Error::unsupported:
        return "not supported";
    case Error::notFound:
        return "not found";
    case Error::forbidden:
        return "forbidden";
    case Error::unavailable:
        return "unavailable";
    case Error::failed:
        return "failed";
    case Error::system:
        return "system error";
    }
    return "unknown error";
}

} // namespace

std::string Error::describe() const {
    // Beside its own words, "system error" tells a person nothing.
    if (code_ == system && systemError_ != 0) return std::strerror(systemError_);
    std::string text = phrase(code_);
    if (systemError_ != 0) text.append(": ").append(std::strerror(systemError_));
    return text;
}

} // namespace reef
