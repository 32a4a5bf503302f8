#include "bare_spawn.h"

#include "bare_loop.h"
#include "base/fd.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <spawn.h>

namespace reef::bench {

namespace {

const char* const kEnvironment[] = {"PATH=/usr/local/bin:/usr/bin:/bin",
                                    "GATEWAY_INTERFACE=CGI/1.1",
                                    "SERVER_PROTOCOL=HTTP/1.1",
                                    "SERVER_SOFTWARE=spawn_limit",
                                    "SERVER_NAME=127.0.0.1",
                                    "SERVER_PORT=80",
                                    "REMOTE_ADDR=127.0.0.1",
                                    "REQUEST_METHOD=GET",
                                    "SCRIPT_NAME=/cgi-bin/program",
                                    "QUERY_STRING=",
                                    "HTTP_HOST=127.0.0.1",
                                    nullptr};

/// Starts `path` with its standard output on `output`; standard input stays the parent's.
pid_t spawn(const char* path, int output) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    char* const arguments[] = {const_cast<char*>(path), nullptr};
    pid_t child = -1;
    const int failure = ::posix_spawn(&child, path, &actions, nullptr, arguments,
                                      const_cast<char* const*>(kEnvironment));
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) {
        errno = failure;
        die(path);
    }
    return child;
}

void readAll(int input, std::string& output) {
    std::array<char, 65536> chunk;
    output.clear();
    for (;;) {
        const auto got = ::read(input, chunk.data(), chunk.size());
        if (got < 0) die("read");
        if (got == 0) return;
        output.append(chunk.data(), static_cast<std::size_t>(got));
    }
}

} // namespace

void runProgram(const char* path, std::string& output) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) die("pipe2");
    const Fd readEnd(ends[0]);
    Fd writeEnd(ends[1]);
    const pid_t child = spawn(path, writeEnd.get());
    writeEnd.reset();
    readAll(readEnd.get(), output);
    int status = 0;
    if (::waitpid(child, &status, 0) != child) die("waitpid");
    if (status != 0) {
        std::fprintf(stderr, "%s ended with wait status %d\n", path, status);
        std::exit(1);
    }
}

} // namespace reef::bench
