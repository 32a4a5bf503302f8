#include "gateway/cgi_failure.h"

#include "base/text.h"
#include "gateway/shebang.h"

#include <algorithm>
#include <cerrno>
#include <csignal>

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
    case Error::unavailable:
        return 503;
    default:
        return 500;
    }
}

bool maybeShebang(const process::StartFailure& failure) {
    return failure.step == process::StartStep::interpreter || failure.code == ENOEXEC;
}

ByteCount memoryLimit(const process::Limits& limits) {
    constexpr ByteCount kNone = process::kUnlimited<ByteCount>;
    return std::min(limits.dataSize.value_or(kNone), limits.addressSpace.value_or(kNone));
}

/// The kernel starts no program for a user who has more processes than the limit says.
bool maybeProcesses(const process::StartFailure& failure) {
    return failure.step == process::StartStep::program && failure.code == EAGAIN;
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
    if (maybeProcesses(failure))
        why += ": its user has as many processes as it may (`processes` of island_limits)";
    return http::failWith(status, text::concat("island ", island.name, " was not started: ", why));
}

http::Handled failedBody(Error error) {
    return http::failWith(statusOf(error),
                          text::concat("the content of the request: ", error.describe()));
}

http::Handled handledAs(Status sent) {
    if (sent) return {};
    if (sent.error() == Error::malformed)
        return http::failWith(502, "its answer is not what its head says");
    return http::failClient(sent.error());
}

/// The kernel tells of CPU time and file size by a signal; a program that gets no memory ends as it
/// likes, and only its size speaks.
std::string describeEnd(const process::Exit& exit, const process::Limits& limits) {
    std::string sentence = exit.describe();
    const auto cpu = exit.userTime + exit.systemTime;
    const bool killed = exit.signal() == SIGKILL;
    if (exit.signal() == SIGXCPU || (killed && limits.cpuTime && cpu >= *limits.cpuTime)) {
        sentence += text::concat(": it has used up its CPU time (`cpu` of island_limits, ",
                                 limits.cpuTime.value_or(std::chrono::seconds(0)).count(), " s)");
    } else if (exit.signal() == SIGXFSZ) {
        sentence += text::concat(": it wrote a larger file than it may (`file_size` of "
                                 "island_limits, ",
                                 limits.fileSize.value_or(0), " bytes)");
    } else if (const auto most = memoryLimit(limits); exit.peakMemory > most / 2) {
        sentence += text::concat("; it had up to ", exit.peakMemory >> 20U,
                                 " MB of memory, and "
                                 "may have ",
                                 most >> 20U, " (`memory` of island_limits)");
    } else if (killed) {
        sentence += ", and not by Atoll: the kernel does so when the machine's memory is short";
    }
    return sentence;
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
