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
#include <set>
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

/// What may be read of it; a file of /proc that has gone is empty.
std::string contentOf(const std::string& path) {
    constexpr std::size_t kMost = 3U << 20U; // an environment is at most 2 MiB
    const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string content;
    char chunk[4096];
    for (ssize_t got = 0;
         file && content.size() < kMost && (got = ::read(file.get(), chunk, sizeof chunk)) > 0;)
        content.append(chunk, static_cast<std::size_t>(got));
    return content;
}

/// Those that a thread of it has started. None where the kernel does not offer the list
/// (CONFIG_PROC_CHILDREN).
void addChildren(pid_t process, pid_t thread, std::vector<pid_t>& pids) {
    const std::string list =
        contentOf(text::concat("/proc/", process, "/task/", thread, "/children"));
    std::string_view rest = list;
    while (!rest.empty()) {
        const auto pid = text::parseDecimal(text::takeUntil(rest, ' '));
        if (pid && *pid > 1) pids.push_back(static_cast<pid_t>(*pid));
    }
}

/// Those of all its threads.
void addChildren(pid_t process, std::vector<pid_t>& pids) {
    DIR* const threads = ::opendir(text::concat("/proc/", process, "/task").c_str());
    if (threads == nullptr) return;
    while (const dirent* entry = ::readdir(threads)) {
        if (const auto thread = text::parseDecimal(entry->d_name))
            addChildren(process, static_cast<pid_t>(*thread), pids);
    }
    ::closedir(threads);
}

std::vector<pid_t> descendants() {
    std::vector<pid_t> pids;
    addChildren(::getpid(), pids);
    for (std::size_t i = 0; i != pids.size(); ++i)
        addChildren(pids[i], pids);
    return pids;
}

bool hasMark(pid_t pid, std::string_view mark) {
    const std::string environment = contentOf(text::concat("/proc/", pid, "/environ"));
    for (std::string_view rest = environment; !rest.empty();)
        if (text::takeUntil(rest, '\0') == mark) return true;
    return false;
}

void killChildren() {
    std::vector<pid_t> pids;
    addChildren(::getpid(), ::getpid(), pids);
    for (const pid_t pid : pids)
        ::kill(pid, SIGKILL);
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

std::size_t killMarked(std::string_view mark) {
    constexpr int kMostPasses = 8;
    std::set<pid_t> stopped;
    bool foundMore = true;
    for (int pass = 0; foundMore && pass != kMostPasses; ++pass) {
        foundMore = false;
        for (const pid_t pid : descendants()) {
            if (stopped.contains(pid) || !hasMark(pid, mark)) continue;
            ::kill(pid, SIGSTOP);
            stopped.insert(pid);
            foundMore = true;
        }
    }
    for (const pid_t pid : stopped)
        ::kill(pid, SIGKILL);
    return stopped.size();
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
