#include "harness/process.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <spawn.h>
#include <sstream>
#include <stdexcept>

extern char** environ;

namespace reef::e2e {

namespace {

/// The children that a ChildProcess stands for.
class Known {
public:
    void add(pid_t pid) {
        const std::lock_guard lock(mutex_);
        pids_.insert(pid);
    }
    void remove(pid_t pid) {
        const std::lock_guard lock(mutex_);
        pids_.erase(pid);
    }
    bool holds(pid_t pid) {
        const std::lock_guard lock(mutex_);
        return pids_.contains(pid);
    }

private:
    std::mutex mutex_;
    std::set<pid_t> pids_;
};

Known& known() {
    static Known pids;
    return pids;
}

Ending endingOf(int status) {
    if (WIFSIGNALED(status)) return {0, WTERMSIG(status)};
    return {WEXITSTATUS(status), 0};
}

std::string contentOf(const std::string& file) {
    std::ifstream in(file);
    std::ostringstream content;
    content << in.rdbuf();
    return content.str();
}

/// "pid (name) state ppid pgrp ...", where the name may hold anything.
std::optional<ProcessEntry> entryOf(const std::string& pid) {
    const std::string stat = contentOf("/proc/" + pid + "/stat");
    const auto open = stat.find('(');
    const auto close = stat.rfind(')');
    if (open == std::string::npos || close == std::string::npos) return std::nullopt;
    ProcessEntry entry;
    entry.pid = static_cast<pid_t>(std::stol(pid));
    entry.name = stat.substr(open + 1, close - open - 1);
    std::istringstream rest(stat.substr(close + 1));
    rest >> entry.state >> entry.parent >> entry.group;
    return entry;
}

std::vector<ProcessEntry> everyProcess() {
    std::vector<ProcessEntry> entries;
    for (const auto& file : std::filesystem::directory_iterator("/proc")) {
        const std::string name = file.path().filename();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        if (auto entry = entryOf(name)) entries.push_back(std::move(*entry));
    }
    return entries;
}

} // namespace

std::string Ending::describe() const {
    if (signal != 0) return "killed by signal " + std::to_string(signal);
    return "exit status " + std::to_string(code);
}

ChildProcess::ChildProcess(const std::vector<std::string>& command, int input, int output,
                           int errorOutput) {
    std::vector<char*> arguments;
    for (const std::string& word : command)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errorOutput, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    const int failed =
        ::posix_spawnp(&pid_, arguments[0], &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) throw std::runtime_error(command[0] + ": " + std::strerror(failed));
    pidfd_ = Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
    if (!pidfd_) throw std::runtime_error("pidfd_open: " + std::string(std::strerror(errno)));
    known().add(pid_);
}

ChildProcess::~ChildProcess() {
    if (!ending_) {
        signal(SIGKILL);
        wait();
    }
    known().remove(pid_);
}

void ChildProcess::signal(int number) const {
    if (!ending_) ::kill(pid_, number);
}

std::optional<Ending> ChildProcess::wait(Duration patience) {
    if (ending_) return ending_;
    const Deadline deadline(patience);
    pollfd entry{pidfd_.get(), POLLIN, 0};
    while (::poll(&entry, 1, deadline.milliseconds()) < 0 && errno == EINTR) {
    }
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
    ending_ = endingOf(status);
    return ending_;
}

std::vector<ProcessEntry> childrenOf(pid_t parent) {
    auto entries = everyProcess();
    std::erase_if(entries, [parent](const ProcessEntry& e) { return e.parent != parent; });
    return entries;
}

std::vector<ProcessEntry> descendantsOf(pid_t ancestor) {
    const auto all = everyProcess();
    std::vector<ProcessEntry> found;
    std::vector<pid_t> parents{ancestor};
    while (!parents.empty()) {
        const pid_t parent = parents.back();
        parents.pop_back();
        for (const ProcessEntry& entry : all) {
            if (entry.parent != parent) continue;
            found.push_back(entry);
            parents.push_back(entry.pid);
        }
    }
    return found;
}

std::size_t residentBytes(pid_t pid) {
    std::istringstream numbers(contentOf("/proc/" + std::to_string(pid) + "/statm"));
    std::size_t total = 0;
    std::size_t resident = 0;
    numbers >> total >> resident;
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

Duration cpuTime(pid_t pid) {
    const std::string stat = contentOf("/proc/" + std::to_string(pid) + "/stat");
    const auto close = stat.rfind(')');
    if (close == std::string::npos) return {};
    std::istringstream rest(stat.substr(close + 1));
    std::string skipped;
    for (int field = 3; field < 14; ++field)
        rest >> skipped;
    long user = 0;
    long system = 0;
    rest >> user >> system;
    return Duration((user + system) * 1000 / ::sysconf(_SC_CLK_TCK));
}

bool exists(pid_t pid) {
    return ::kill(pid, 0) == 0 || errno == EPERM;
}

bool awaitGone(pid_t pid, Duration patience) {
    return eventually([pid] { return !exists(pid); }, patience);
}

void becomeReaper() {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

std::vector<ProcessEntry> strays() {
    std::vector<ProcessEntry> left;
    for (const ProcessEntry& child : childrenOf(::getpid())) {
        if (known().holds(child.pid)) continue;
        if (::waitpid(child.pid, nullptr, WNOHANG) != child.pid) left.push_back(child);
    }
    return left;
}

} // namespace reef::e2e
