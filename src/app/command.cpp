#include "app/command.h"

#include "app/check_command.h"
#include "app/explain_command.h"
#include "app/hash_command.h"
#include "app/init.h"
#include "app/lint_command.h"
#include "app/purge_command.h"
#include "app/reload_command.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>

namespace reef::app {

namespace {

void say(const std::string& line) {
    std::fputs((line + "\n").c_str(), stderr);
}

/// The directory that the arguments name, else this one. Empty: it is none, which was said.
std::string directoryIn(const Arguments& arguments, std::size_t index) {
    const std::string directory = index < arguments.size() ? arguments[index] : ".";
    std::error_code error;
    if (std::filesystem::is_directory(directory, error)) return directory;
    const bool there = std::filesystem::exists(directory, error);
    say(text::concat("atoll: ", text::escapeControls(directory),
                     there ? " is no directory" : ": there is no such directory",
                     "; a site is a directory with www/ and cgi-bin/ (`atoll init` makes one)"));
    return {};
}

template<class Work>
int inDirectory(const Arguments& arguments, std::size_t index, Work work) {
    const auto directory = directoryIn(arguments, index);
    return directory.empty() ? kExitFailed : work(directory);
}

int serve(const Arguments& arguments, const Options& options) {
    return inDirectory(arguments, 0, [&](const std::string& directory) {
        ServeOptions serving = options.serve;
        serving.directory = directory;
        return serveSite(serving);
    });
}

int init(const Arguments& arguments, const Options& options) {
    return initSite(arguments.empty() ? "." : arguments.front(),
                    options.force ? Beside::others : Beside::nothing);
}

template<int (*work)(const std::string& directory)>
int perform(const Arguments& arguments, const Options&) {
    return inDirectory(arguments, 0, work);
}

template<int (*show)(const std::string& directory, Format format)>
int report(const Arguments& arguments, const Options& options) {
    return inDirectory(arguments, 0, [&](const std::string& directory) {
        return show(directory, options.format);
    });
}

/// A single word is a URL unless a server runs in a directory of that name.
int explain(const Arguments& arguments, const Options& options) {
    std::error_code unknown;
    const bool isUrl = arguments.size() == 2 ||
                       (arguments.size() == 1 &&
                        !std::filesystem::exists(arguments.front() + "/data/atoll.sock", unknown));
    return inDirectory(arguments, isUrl ? 1 : 0, [&](const std::string& directory) {
        return isUrl ? explainPage(directory, arguments.front(), options.format)
                     : showPages(directory, options.format);
    });
}

int user(const Arguments& arguments, const Options&) {
    if (arguments.front() != "add") {
        say("atoll: expected `atoll user add NAME`; `atoll help user` tells more");
        return kExitUsage;
    }
    return inDirectory(arguments, 2, [&](const std::string& directory) {
        return addUser(directory, arguments[1]);
    });
}

int passwd(const Arguments& arguments, const Options&) {
    return inDirectory(arguments, 1, [&](const std::string& directory) {
        return changePassword(directory, arguments[0]);
    });
}

constexpr std::array kCommands{
    Command{"serve", "serve [DIR]",
            "serve DIR (default: here): its www/, its cgi-bin/, by its atoll.toml", "listen panel",
            0, 1, serve},
    Command{"init", "init [--force] [DIR]", "write the demo site into DIR", "force", 0, 1, init},
    Command{"check", "check [DIR]", "say what is wrong with configuration, islands and pages", "",
            0, 1, perform<checkSite>},
    Command{"lint", "lint [FILE|DIR]",
            "say what is wrong with pages, or had better be otherwise: directives, expressions, "
            "targets, dialects",
            "", 0, 1,
            [](const Arguments& arguments, const Options&) {
                return lintPages(arguments.empty() ? "." : arguments.front());
            }},
    Command{"explain", "explain [--json] [URL] [DIR]",
            "how a page came about, part by part (without URL: the last pages, and the slowest "
            "islands)",
            "json", 0, 2, explain},
    Command{"status", "status [--json] [DIR]", "how the running server fares", "json", 0, 1,
            report<showStatus>},
    Command{"reload", "reload [DIR]", "have the running server read atoll.toml again", "", 0, 1,
            perform<reloadSite>},
    Command{
        "purge", "purge [--host HOST] [--directory DIR] --all | PATH...",
        "drop answers that the running server keeps: of a path, of all below one (\"/news/*\"), "
        "or all",
        "host all directory", 0, 1000,
        [](const Arguments& arguments, const Options& options) {
            return purgeAnswers({options.directory, options.host, arguments, options.all});
        }},
    Command{"stop", "stop [DIR]", "answer what was begun, then stop the running server", "", 0, 1,
            perform<stopServer>},
    Command{"stats", "stats [--json] [DIR]", "views per page, last page views", "json", 0, 1,
            report<showStats>},
    Command{"user", "user add NAME [DIR]", "make a panel account; asks for its password", "", 2, 3,
            user},
    Command{"passwd", "passwd NAME [DIR]", "give a panel account another password", "", 1, 2,
            passwd},
    Command{"hash", "hash", "ask for a password and print its hash, for `auth` in atoll.toml", "",
            0, 0, [](const Arguments&, const Options&) { return printHash(); }},
    Command{"version", "version", "version, commit, and the libraries in this binary", "", 0, 0,
            [](const Arguments&, const Options&) { return showVersion(); }},
};

constexpr std::array kOptions{
    OptionText{"listen", "l", "ADDRESS",
               "serve the site at ADDRESS (:8080, 127.0.0.1:8080, unix:/run/site.sock) instead of "
               "the configured ones; may be given several times"},
    OptionText{"panel", "p", "ADDRESS", "serve the panel at ADDRESS, or `off`"},
    OptionText{"json", "j", "", "answer in JSON"},
    OptionText{"all", "", "", "whatever the path"},
    OptionText{"host", "", "HOST", "those of this host alone, such as example.org"},
    OptionText{"directory", "C", "DIR", "the site's directory, if it is not this one"},
    OptionText{"force", "", "", "write beside the files that are there; overwrites none"},
    OptionText{"help", "h", "", "show this help, or that of a command"},
    OptionText{"version", "v", "", "as the command `version`"},
};

} // namespace

bool Command::takes(std::string_view option) const noexcept {
    auto rest = options;
    while (!rest.empty()) {
        if (text::takeUntil(rest, ' ') == option) return true;
    }
    return false;
}

std::span<const Command> commands() noexcept {
    return kCommands;
}

std::span<const OptionText> optionTexts() noexcept {
    return kOptions;
}

const Command* findCommand(std::string_view name) noexcept {
    const auto* const found = std::ranges::find(kCommands, name, &Command::name);
    return found == kCommands.end() ? nullptr : found;
}

} // namespace reef::app
