#include "process/sweep.h"

#include "base/fd.h"
#include "base/log.h"
#include "base/text.h"
#include "process/clock.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <dirent.h>
#include <string>
#include <vector>

namespace reef::process {

namespace {

constexpr std::chrono::seconds kPatience{5};
constexpr int kFirstInherited = 3;
constexpr unsigned kCloseRangeCloexec = 4; // linux/close_range.h, from 5.11

void markEach() noexcept {
    DIR* directory = ::opendir("/proc/self/fd");
    if (directory == nullptr) return;
    while (const dirent* entry = ::readdir(directory)) {
        const int number = std::atoi(entry->d_name);
        if (number >= kFirstInherited) ::fcntl(number, F_SETFD, FD_CLOEXEC);
    }
    ::closedir(directory);
}

/// Empty where the kernel does not offer the list (CONFIG_PROC_CHILDREN).
std::string listOfChildren() {
    const auto path = text::concat("/proc/self/task/", ::getpid(), "/children");
    const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string list;
    char chunk[4096];
    for (ssize_t got = 0; file && (got = ::read(file.get(), chunk, sizeof chunk)) > 0;)
        list.append(chunk, static_cast<std::size_t>(got));
    return list;
}

void killChildren() {
    const std::string list = listOfChildren();
    std::string_view rest = list;
    while (!rest.empty()) {
        const auto pid = text::parseDecimal(text::takeUntil(rest, ' '));
        if (pid && *pid > 1) ::kill(static_cast<pid_t>(*pid), SIGKILL);
    }
}

/// Whether there are none left.
bool reapAll() {
    for (;;) {
        const pid_t pid = ::waitpid(-1, nullptr, WNOHANG);
        if (pid == 0) return false;
        if (pid < 0 && errno != EINTR) return true;
    }
}

} // namespace

void closeInheritedOnExec() noexcept {
    if (::syscall(SYS_close_range, kFirstInherited, ~0U, kCloseRangeCloexec) != 0) markEach();
}

void endDescendants() {
    const auto giveUp = Clock::now() + kPatience;
    while (!reapAll()) {
        killChildren();
        if (Clock::now() > giveUp) {
            log::error("keeper", "some processes could not be killed and are left behind");
            return;
        }
        const timespec pause{0, 2'000'000};
        ::nanosleep(&pause, nullptr);
    }
}

} // namespace reef::process
