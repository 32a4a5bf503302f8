#include "gateway/cgi_failure.h"

#include "base/text.h"
#include "gateway/shebang.h"

#include <cerrno>

namespace reef::gateway {

namespace {

/// The content found no room where it is collected.
bool isFull(int systemError) noexcept {
    return systemError == ENOSPC || systemError == EDQUOT || systemError == EFBIG;
}

int statusOf(Error bodyError) {
    if (isFull(bodyError.systemError())) return 507;
    switch (bodyError.code()) {
    case Error::tooLarge:
        return 413;
    case Error::malformed:
        return 400;
    case Error::timedOut:
        return 408;
    case Error::peerClosed:
        return 0;
    default:
        return 500;
    }
}

bool maybeShebang(const process::StartFailure& failure) {
    return failure.step == process::StartStep::interpreter || failure.code == ENOEXEC;
}

} // namespace

http::Handled failedStart(const process::StartFailure& failure, const Island& island) {
    const int status = failure.error() == Error::unavailable ? 503
                       : failure.code == E2BIG ? 431 // fields too large for the kernel
                                               : 500;
    std::string why = failure.describe();
    if (!island.interpreter.empty())
        why = text::concat("its interpreter ", island.interpreter, ": ", why);
    else if (maybeShebang(failure))
        why = faultOfShebang(island.file).value_or(std::move(why));
    return http::failWith(status, text::concat("island ", island.name, " was not started: ", why));
}

http::Handled failedBody(Error error) {
    return http::failWith(statusOf(error),
                          text::concat("the content of the request: ", error.describe()));
}

http::Handled handledAs(Status sent) {
    if (!sent) return http::failClient(sent.error());
    return {};
}

std::string describeSilence(const Island& island, bool died) {
    if (died && island.interpreter.empty()) {
        if (const auto fault = faultOfShebang(island.file))
            return text::concat("island ", island.name, " wrote nothing: ", *fault);
    }
    return text::concat("the answer of ", island.name,
                        " is empty; expected a head, an empty line, content");
}

} // namespace reef::gateway
