#pragma once

#include "base/fd.h"
#include "process/spawn.h"
#include "scratch.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

/// Waiting for processes without waiting for ever.
namespace reef::test {

using namespace std::chrono_literals;

inline constexpr auto kPatience = 20s;

/// Asks again and again, every millisecond.
template<class Condition>
bool eventually(Condition condition, std::chrono::milliseconds patience = kPatience) {
    const auto giveUp = std::chrono::steady_clock::now() + patience;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > giveUp) return false;
        std::this_thread::sleep_for(1ms);
    }
    return true;
}

/// A child of this process: killed with its group and reaped when a test leaves it behind.
class OwnChild {
public:
    explicit OwnChild(pid_t pid) noexcept : pid_(pid) {}
    OwnChild(const OwnChild&) = delete;
    OwnChild& operator=(const OwnChild&) = delete;
    ~OwnChild() {
        if (pid_ <= 0) return;
        ::kill(-pid_, SIGKILL);
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }

    pid_t pid() const noexcept { return pid_; }

    /// Its wait status, or -1 when it does not end in time.
    int wait() {
        int status = -1;
        const bool ended = eventually([&] { return ::waitpid(pid_, &status, WNOHANG) == pid_; });
        if (ended) pid_ = 0;
        return ended ? status : -1;
    }

    int exitCode() {
        const int status = wait();
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

private:
    pid_t pid_;
};

/// What can be read from `input` until its end; cut short when nothing comes for too long.
inline std::string readAll(int input) {
    std::string all;
    char chunk[65536];
    for (;;) {
        pollfd entry{input, POLLIN, 0};
        if (::poll(&entry, 1, static_cast<int>(std::chrono::milliseconds(kPatience).count())) <= 0)
            return all + "(timed out)";
        const auto got = ::read(input, chunk, sizeof chunk);
        if (got <= 0) return all;
        all.append(chunk, static_cast<std::size_t>(got));
    }
}

struct Pipe {
    Pipe() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
        read.reset(ends[0]);
        write.reset(ends[1]);
    }
    Fd read;
    Fd write;
};

/// Whether there is such a process that is no zombie.
inline bool alive(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    const auto nameEnd = all.rfind(')');
    return nameEnd != std::string::npos && all[nameEnd + 2] != 'Z' && all[nameEnd + 2] != 'X';
}

inline std::vector<pid_t> childrenOf(pid_t pid) {
    const auto name = std::to_string(pid);
    std::ifstream file("/proc/" + name + "/task/" + name + "/children");
    return {std::istream_iterator<pid_t>(file), {}};
}

inline std::size_t openDescriptors(const std::string& process) {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry :
         std::filesystem::directory_iterator("/proc/" + process + "/fd"))
        ++count;
    return count;
}

} // namespace reef::test
