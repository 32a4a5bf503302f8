#include "process/start_failure.h"

#include "base/text.h"

#include <system_error>

#include <string_view>

namespace reef::process {

namespace {

std::string_view nameOf(StartStep step) {
    switch (step) {
    case StartStep::keeper:
        return "the keeper";
    case StartStep::zygoteRefused:
    case StartStep::zygoteLost:
        return "its warm interpreter";
    case StartStep::request:
        return "the request";
    case StartStep::capacity:
        return "the number of children";
    case StartStep::clone:
        return "a new process";
    case StartStep::group:
        return "its process group";
    case StartStep::limits:
        return "its resource limits";
    case StartStep::priority:
        return "its priority";
    case StartStep::identity:
        return "its user and group";
    case StartStep::privileges:
        return "giving up privileges";
    case StartStep::parentDeath:
        return "the tie to the keeper";
    case StartStep::directory:
        return "its directory";
    case StartStep::descriptors:
        return "its descriptors";
    case StartStep::signals:
        return "its signals";
    case StartStep::program:
        return "the program";
    case StartStep::interpreter:
        return "its interpreter";
    }
    return "?";
}

bool passes(int code) {
    return code == EAGAIN || code == ENOMEM || code == EMFILE || code == ENFILE ||
           code == ENOBUFS || code == ETOOMANYREFS || code == ETXTBSY;
}

} // namespace

Error StartFailure::error() const noexcept {
    const bool away = step == StartStep::keeper || step == StartStep::zygoteRefused ||
                      step == StartStep::zygoteLost || step == StartStep::capacity;
    if (away || passes(code)) return {Error::unavailable, code};
    if (code == E2BIG) return {Error::tooLarge, code};
    if (code == ENOENT || code == ENOTDIR) return {Error::notFound, code};
    if (code == EACCES || code == EPERM) return {Error::forbidden, code};
    return {Error::failed, code};
}

std::string StartFailure::describe() const {
    if (code == 0) return std::string(nameOf(step));
    return text::concat(nameOf(step), ": ", std::generic_category().message(code));
}

} // namespace reef::process
