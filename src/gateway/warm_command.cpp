#include "gateway/warm_command.h"

#include "base/text.h"
#include "gateway/shebang.h"
#include "process/zygote_protocol.h"

#include <sys/syscall.h>

#include <algorithm>
#include <utility>

namespace reef::gateway {

namespace {

/// What the programs call, by the names they know.
constexpr std::pair<std::string_view, long> kSystemCalls[] = {
    {"clock_gettime", SYS_clock_gettime},
    {"close", SYS_close},
    {"dup3", SYS_dup3},
    {"exit_group", SYS_exit_group},
    {"fcntl", SYS_fcntl},
    {"kill", SYS_kill},
    {"lseek", SYS_lseek},
    {"openat", SYS_openat},
    {"ppoll", SYS_ppoll},
    {"prctl", SYS_prctl},
    {"prlimit64", SYS_prlimit64},
    {"pwrite64", SYS_pwrite64},
    {"read", SYS_read},
    {"recvmsg", SYS_recvmsg},
    {"rt_sigprocmask", SYS_rt_sigprocmask},
    {"sendto", SYS_sendto},
    {"signalfd4", SYS_signalfd4},
    {"statx", SYS_statx},
    {"wait4", SYS_wait4},
    {"waitid", SYS_waitid},
    {"write", SYS_write},
};

std::vector<std::string_view> wordsOf(std::string_view text) {
    std::vector<std::string_view> words;
    while (!text.empty()) {
        const auto end = std::min(text.find_first_of(" \t"), text.size());
        if (end != 0) words.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

bool isVersion(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return text::isDigit(c) || c == '.'; });
}

std::optional<WarmLanguage> languageOf(std::string_view interpreter) {
    const auto name = interpreter.substr(interpreter.rfind('/') + 1);
    if (name == "perl" || (name.starts_with("perl5") && isVersion(name.substr(5))))
        return WarmLanguage::perl;
    if (name.starts_with("python3") && isVersion(name.substr(7))) return WarmLanguage::python;
    return std::nullopt;
}

/// Options that change how a script is run, and nothing about what is run.
bool isPlain(std::string_view option, WarmLanguage language) {
    const std::string_view letters = language == WarmLanguage::perl ? "wWXTtU" : "uEsSIBOP";
    return option.size() > 1 && option.front() == '-' &&
           option.find_first_not_of(letters, 1) == std::string_view::npos;
}

} // namespace

std::optional<WarmCommand> warmCommandOf(std::string_view command) {
    auto words = wordsOf(command);
    if (words.empty() || !words.front().starts_with('/')) return std::nullopt;
    std::string interpreter(words.front());
    words.erase(words.begin());
    if (interpreter.ends_with("/env")) {
        const bool splits = !words.empty() && words.front() == "-S";
        if (splits) words.erase(words.begin());
        if (words.empty() || (words.size() > 1 && !splits)) return std::nullopt;
        interpreter = findProgram(words.front());
        words.erase(words.begin());
    }
    const auto language = languageOf(interpreter);
    if (!language) return std::nullopt;
    WarmCommand warm{*language, std::move(interpreter), {}};
    for (const auto word : words) {
        if (!isPlain(word, *language)) return std::nullopt;
        warm.options.emplace_back(word);
    }
    return warm;
}

std::optional<WarmCommand> warmCommandBy(std::string program, std::string_view line) {
    const auto language = languageOf(program);
    if (!language) return std::nullopt;
    if (*language == WarmLanguage::perl && !line.empty()) {
        const auto own = warmCommandOf(line);
        if (!own || own->language != WarmLanguage::perl) return std::nullopt;
    }
    return WarmCommand{*language, std::move(program), {}};
}

process::StringList warmArguments(const WarmCommand& command, std::string_view script) {
    process::StringList arguments{command.interpreter};
    const bool perl = command.language == WarmLanguage::perl;
    // The script stays perl's main program; the version costs nothing, and opens the sentence.
    if (perl) arguments.add("-M5.006;BEGIN{require q(/proc/self/fd/4)}");
    for (const std::string& option : command.options)
        arguments.add(option);
    if (!perl) {
        arguments.add("-c");
        arguments.add("exec(compile(open(4, 'rb').read(), '/proc/self/fd/4', 'exec'),"
                      " {'__name__': 'warm'})");
    }
    arguments.add(script);
    return arguments;
}

std::string warmProgram(WarmLanguage language) {
    const bool perl = language == WarmLanguage::perl;
    std::string program = perl ? "my %n = (" : "N = {";
    for (const auto& [name, number] : kSystemCalls)
        program += text::concat('"', name, perl ? "\" => " : "\": ", number, ", ");
    program += perl ? "); my $room = " : "}; ROOM = ";
    program += text::concat(process::kMaxZygoteRequestBytes, ";\n");
    const auto files = warmPrograms();
    const auto file = std::ranges::find(
        files, std::string_view(perl ? "warm_perl.pl" : "warm_python.py"), &EmbeddedFile::path);
    return program.append(file->bytes);
}

} // namespace reef::gateway
