#include "process/exit.h"

#include "base/text.h"

#include <sys/wait.h>

#include <string_view>

namespace reef::process {

namespace {

/// The names that POSIX and Linux give the signals an island meets.
std::string_view signalName(int signal) {
    switch (signal) {
    case SIGHUP:
        return "HUP";
    case SIGINT:
        return "INT";
    case SIGQUIT:
        return "QUIT";
    case SIGILL:
        return "ILL";
    case SIGTRAP:
        return "TRAP";
    case SIGABRT:
        return "ABRT";
    case SIGBUS:
        return "BUS";
    case SIGFPE:
        return "FPE";
    case SIGKILL:
        return "KILL";
    case SIGUSR1:
        return "USR1";
    case SIGSEGV:
        return "SEGV";
    case SIGUSR2:
        return "USR2";
    case SIGPIPE:
        return "PIPE";
    case SIGALRM:
        return "ALRM";
    case SIGTERM:
        return "TERM";
    case SIGXCPU:
        return "XCPU";
    case SIGXFSZ:
        return "XFSZ";
    case SIGSYS:
        return "SYS";
    default:
        return {};
    }
}

} // namespace

int Exit::code() const noexcept {
    return WIFEXITED(waitStatus) ? WEXITSTATUS(waitStatus) : -1;
}

int Exit::signal() const noexcept {
    return WIFSIGNALED(waitStatus) ? WTERMSIG(waitStatus) : 0;
}

std::string Exit::describe() const {
    if (signal() == 0) return text::concat("exit code ", code());
    std::string sentence = text::concat("killed by signal ", signal());
    const auto name = signalName(signal());
    if (!name.empty()) sentence += text::concat(" (", name, ')');
    if (WCOREDUMP(waitStatus)) sentence += ", core dumped";
    return sentence;
}

} // namespace reef::process
