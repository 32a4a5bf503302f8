#include "process/exit.h"

#include <catch2/catch.hpp>
#include <csignal>

using reef::process::Exit;

TEST_CASE("an exit says how it came") {
    struct Case {
        int waitStatus;
        int code;
        int signal;
        const char* text;
    };
    const Case cases[] = {
        {0, 0, 0, "exit code 0"},
        {3 << 8, 3, 0, "exit code 3"},
        {255 << 8, 255, 0, "exit code 255"},
        {SIGKILL, -1, SIGKILL, "killed by signal 9 (KILL)"},
        {SIGSEGV | 0x80, -1, SIGSEGV, "killed by signal 11 (SEGV), core dumped"},
        {SIGXCPU, -1, SIGXCPU, "killed by signal 24 (XCPU)"},
        {40, -1, 40, "killed by signal 40"},
    };
    for (const auto& [waitStatus, code, signal, text] : cases) {
        const Exit exit{waitStatus};
        CHECK(exit.code() == code);
        CHECK(exit.signal() == signal);
        CHECK(exit.describe() == text);
        CHECK(exit.succeeded() == (waitStatus == 0));
    }
}
