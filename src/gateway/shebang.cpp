#include "gateway/shebang.h"

#include "base/fd.h"
#include "base/text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace reef::gateway {

namespace {

constexpr std::size_t kKernelReads = 256; // of a program's beginning (BINPRM_BUF_SIZE)
constexpr std::string_view kBinary = "\x7f"
                                     "ELF";

/// Nothing: the file cannot be read.
std::optional<std::string> beginningOf(const std::string& file) {
    const Fd opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!opened) return std::nullopt;
    std::array<char, kKernelReads> bytes{};
    const auto got = ::read(opened.get(), bytes.data(), bytes.size());
    if (got < 0) return std::nullopt;
    return std::string(bytes.data(), static_cast<std::size_t>(got));
}

bool isExecutable(const std::string& file) {
    struct stat status{};
    return ::stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
           (status.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) != 0;
}

/// The program that `env` is to find: behind its options and assignments. Empty: it is not plain.
std::string_view programForEnv(std::string_view arguments) {
    while (!arguments.empty()) {
        const auto word = text::takeUntil(arguments, ' ');
        if (word.empty() || word == "-S") continue;
        if (word.starts_with('-')) return {};
        if (word.find('=') == std::string_view::npos) return word;
    }
    return {};
}

std::optional<std::string> faultOfCommand(std::string_view command) {
    if (command.ends_with('\r'))
        return "its #! line ends in CR, a Windows line end: save it with Unix line ends";
    const std::string interpreter(command.substr(0, command.find_first_of(" \t")));
    if (interpreter.empty()) return "its #! line names no interpreter";
    const std::string shown = text::escapeControls(interpreter);
    if (!interpreter.starts_with('/'))
        return text::concat("its #! line names ", shown, ", which is no absolute path");
    struct stat status{};
    if (::stat(interpreter.c_str(), &status) != 0)
        return text::concat("its interpreter ", shown, " does not exist here");
    if (!isExecutable(interpreter))
        return text::concat("its interpreter ", shown, " is not an executable file");
    if (!interpreter.ends_with("/env")) return std::nullopt;
    const auto program = programForEnv(text::trim(command.substr(interpreter.size())));
    if (program.empty() || !findProgram(program).empty()) return std::nullopt;
    return text::concat("its interpreter ", text::escapeControls(program), " is nowhere in ",
                        kSearchPath);
}

} // namespace

std::optional<std::string_view> shebangOf(ByteView beginning) noexcept {
    const auto all = textOf(beginning);
    if (!all.starts_with("#!")) return std::nullopt;
    return text::trim(all.substr(2, all.find('\n') - 2));
}

std::string findProgram(std::string_view name) {
    std::string_view rest = kSearchPath;
    while (!rest.empty()) {
        auto file = text::concat(text::takeUntil(rest, ':'), "/", name);
        if (isExecutable(file)) return file;
    }
    return {};
}

std::optional<std::string> shebangOfFile(const std::string& file) {
    const auto beginning = beginningOf(file);
    const auto command = beginning ? shebangOf(bytesOf(*beginning)) : std::nullopt;
    if (!command) return std::nullopt;
    return std::string(*command);
}

bool hasShebang(const std::string& file) {
    return shebangOfFile(file).has_value();
}

std::optional<std::string> faultOfShebang(const std::string& file) {
    const auto beginning = beginningOf(file);
    if (!beginning) return std::nullopt;
    if (beginning->empty()) return "it is empty";
    if (beginning->starts_with(kBinary)) return std::nullopt;
    const auto command = shebangOf(bytesOf(*beginning));
    if (!command) return "it has no #! line, and is no binary";
    return faultOfCommand(*command);
}

} // namespace reef::gateway
