#include "app/password_prompt.h"

#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <termios.h>

namespace reef::app {

namespace {

/// One line without its end; what is typed does not show on a terminal. Nothing: the input has
/// ended.
std::optional<std::string> readPassword(const std::string& prompt) {
    const bool terminal = ::isatty(STDIN_FILENO) != 0;
    termios before{};
    if (terminal) {
        std::fputs(prompt.c_str(), stderr);
        ::tcgetattr(STDIN_FILENO, &before);
        termios quiet = before;
        quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet);
    }
    std::string line;
    const bool read = !std::getline(std::cin, line).fail();
    if (terminal) {
        ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
        std::fputs("\n", stderr);
    }
    if (!read) return std::nullopt;
    return line;
}

} // namespace

std::optional<std::string> newPassword() {
    auto password = readPassword("New password: ");
    if (!password) {
        std::fputs("atoll: the input ended before a password; nothing was changed\n", stderr);
        return std::nullopt;
    }
    if (::isatty(STDIN_FILENO) != 0 && readPassword("Again: ") != password) {
        std::fputs("atoll: the two passwords differ; nothing was changed\n", stderr);
        return std::nullopt;
    }
    return password;
}

} // namespace reef::app
