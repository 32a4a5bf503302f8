#include "process/guardian.h"

#include "base/fd.h"
#include "base/log.h"
#include "base/text.h"
#include "io/signals.h"
#include "process/clock.h"
#include "process/exit.h"
#include "process/sweep.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace reef::process {

namespace {

constexpr std::chrono::milliseconds kFarewell{1000}; // for a server to close its databases

pid_t guardianOfThis = 0; // set once, before the first thread

[[noreturn]] void throwErrno(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

/// In the second process. Its signals wait for the keeper to take them.
void becomeKeeper(pid_t first) {
    if (::prctl(PR_SET_PDEATHSIG, SIGTERM) != 0) throwErrno("PR_SET_PDEATHSIG");
    if (::getppid() != first) ::_exit(1); // it was killed before
    ::prctl(PR_SET_NAME, "atoll-keeper");
    guardianOfThis = first;
}

/// Reaps who has ended; the keeper's wait status when it is among them.
std::optional<int> reapFor(pid_t keeper) {
    std::optional<int> found;
    for (int status = 0;;) {
        const pid_t pid = ::waitpid(-1, &status, WNOHANG);
        if (pid == keeper) found = status;
        if (pid == 0 || (pid < 0 && errno != EINTR)) return found;
    }
}

/// The server sees that the keeper is gone, and ends by itself what it may.
void awaitFarewell(int signals) {
    const auto end = Clock::now() + kFarewell;
    for (auto now = Clock::now(); now < end; now = Clock::now()) {
        while (io::takeSignal(signals).number != 0) {
        }
        if (::waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD) return;
        reapFor(-1);
        pollfd entry{signals, POLLIN, 0};
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - now);
        ::poll(&entry, 1, static_cast<int>(left.count()));
    }
}

int watchOver(pid_t keeper, int signals) {
    for (;;) {
        pollfd entry{signals, POLLIN, 0};
        ::poll(&entry, 1, -1);
        const auto signal = io::takeSignal(signals);
        const bool isPassedOn = signal.number != 0 && signal.number != SIGCHLD;
        if (isPassedOn && signal.sender != 0) ::kill(keeper, signal.number);
        const auto status = reapFor(keeper);
        if (!status) continue;
        const Exit exit{*status};
        if (exit.signal() == 0) return exit.code();
        log::error("guardian", text::concat("the keeper (pid ", keeper, ") was ", exit.describe(),
                                            "; ending what it has started"));
        awaitFarewell(signals);
        endDescendants();
        return 1;
    }
}

} // namespace

std::optional<int> splitGuardian() {
    if (::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0) throwErrno("PR_SET_CHILD_SUBREAPER");
    ::signal(SIGXFSZ, SIG_IGN); // a log at the limit of file sizes must not end the site: EFBIG
    ::signal(SIGCHLD, SIG_DFL); // one that was inherited as ignored would hide every exit
    const Fd signals = io::signalDescriptor({SIGCHLD, SIGTERM, SIGINT, SIGHUP});
    const pid_t first = ::getpid();
    const pid_t keeper = ::fork();
    if (keeper < 0) throwErrno("fork");
    if (keeper != 0) return watchOver(keeper, signals.get());
    becomeKeeper(first);
    return std::nullopt;
}

pid_t guardian() noexcept {
    return guardianOfThis != 0 && ::getppid() == guardianOfThis ? guardianOfThis : 0;
}

} // namespace reef::process
