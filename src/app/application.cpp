#include "app/application.h"

#include "app/commands.h"
#include "app/init.h"
#include "app/serve_command.h"
#include "base/text.h"

#include <Poco/Util/HelpFormatter.h>
#include <Poco/Util/OptionException.h>
#include <Poco/Util/ServerApplication.h>

#include <array>
#include <cstdio>
#include <iostream>

namespace reef::app {

namespace {

using Arguments = std::vector<std::string>;
using Poco::Util::Application;
using Poco::Util::Option;
using Poco::Util::OptionCallback;

/// Options of the whole command line; each command uses those that concern it.
struct Options {
    ServeOptions serve;
    Format format = Format::text;
    bool help = false;
};

struct Command {
    std::string_view name;
    std::string_view usage;
    std::string_view does;
    std::size_t least; ///< arguments behind the name
    std::size_t most;
    int (*run)(const Arguments&, Options&);
};

std::string directoryIn(const Arguments& arguments, std::size_t index) {
    return index < arguments.size() ? arguments[index] : ".";
}

constexpr std::array kCommands{
    Command{"serve", "serve [DIR]",
            "serve DIR (default: here): its www/, its cgi-bin/, by its atoll.toml", 0, 1,
            [](const Arguments& arguments, Options& options) {
                options.serve.directory = directoryIn(arguments, 0);
                return serveSite(options.serve);
            }},
    Command{
        "init", "init [DIR]", "write the demo site into DIR", 0, 1,
        [](const Arguments& arguments, Options&) { return initSite(directoryIn(arguments, 0)); }},
    Command{
        "check", "check [DIR]", "say what is wrong with the configuration and the islands", 0, 1,
        [](const Arguments& arguments, Options&) { return checkSite(directoryIn(arguments, 0)); }},
    Command{"status", "status [--json] [DIR]", "how the running server fares", 0, 1,
            [](const Arguments& arguments, Options& options) {
                return showStatus(directoryIn(arguments, 0), options.format);
            }},
    Command{
        "stop", "stop [DIR]", "answer what was begun, then stop the running server", 0, 1,
        [](const Arguments& arguments, Options&) { return stopServer(directoryIn(arguments, 0)); }},
    Command{"stats", "stats [--json] [DIR]", "views per page, last requests", 0, 1,
            [](const Arguments& arguments, Options& options) {
                return showStats(directoryIn(arguments, 0), options.format);
            }},
    Command{"user", "user add NAME [DIR]", "make a panel account; asks for its password", 2, 3,
            [](const Arguments& arguments, Options&) {
                if (arguments[0] != "add") {
                    std::fputs("atoll: expected `atoll user add NAME`\n", stderr);
                    return static_cast<int>(Application::EXIT_USAGE);
                }
                return addUser(directoryIn(arguments, 2), arguments[1]);
            }},
    Command{"passwd", "passwd NAME [DIR]", "give a panel account another password", 1, 2,
            [](const Arguments& arguments, Options&) {
                return changePassword(directoryIn(arguments, 1), arguments[0]);
            }},
    Command{"version", "version", "version, commit, and the libraries in this binary", 0, 0,
            [](const Arguments&, Options&) { return showVersion(); }},
};

class AtollApplication final : public Poco::Util::ServerApplication {
protected:
    void defineOptions(Poco::Util::OptionSet& options) override {
        ServerApplication::defineOptions(options);
        using Callback = OptionCallback<AtollApplication>;
        options.addOption(Option("help", "h", "show this help")
                              .callback(Callback(this, &AtollApplication::wantHelp)));
        options.addOption(
            Option("listen", "l", "serve the site at ADDRESS instead of the configured ones")
                .repeatable(true)
                .argument("ADDRESS")
                .callback(Callback(this, &AtollApplication::takeListen)));
        options.addOption(Option("panel", "p", "serve the panel at ADDRESS, or `off`")
                              .argument("ADDRESS")
                              .callback(Callback(this, &AtollApplication::takePanel)));
        options.addOption(Option("json", "j", "answer in JSON (status, stats)")
                              .callback(Callback(this, &AtollApplication::wantJson)));
    }

    int main(const Arguments& words) override {
        if (options_.help || (!words.empty() && words.front() == "help")) return showHelp();
        if (words.empty()) return serveSite(options_.serve);
        for (const Command& command : kCommands) {
            if (command.name == words.front())
                return perform(command, {words.begin() + 1, words.end()});
        }
        // `atoll DIR`: a directory in the place of a command is served.
        if (words.size() == 1 && words.front().find('/') != std::string::npos)
            return perform(kCommands.front(), words);
        std::fputs(text::concat("atoll: there is no command `", text::escapeControls(words.front()),
                                "`; `atoll help` lists them\n")
                       .c_str(),
                   stderr);
        return EXIT_USAGE;
    }

private:
    int perform(const Command& command, const Arguments& arguments) {
        if (arguments.size() < command.least || arguments.size() > command.most) {
            std::fputs(text::concat("usage: atoll ", command.usage, "\n").c_str(), stderr);
            return EXIT_USAGE;
        }
        return command.run(arguments, options_);
    }

    int showHelp() {
        std::string commands;
        for (const Command& command : kCommands) {
            commands +=
                text::concat("  atoll ", command.usage, std::string(24 - command.usage.size(), ' '),
                             command.does, "\n");
        }
        std::printf("Atoll serves a site of islands: small programs in any language, composed into "
                    "pages.\n\n%s\n",
                    commands.c_str());
        Poco::Util::HelpFormatter formatter(options());
        formatter.setCommand("atoll");
        formatter.setUsage("[COMMAND] [OPTIONS] [DIR]");
        formatter.setUnixStyle(true);
        formatter.format(std::cout);
        return EXIT_OK;
    }

    void wantHelp(const std::string&, const std::string&) {
        options_.help = true;
        stopOptionsProcessing();
    }
    void wantJson(const std::string&, const std::string&) { options_.format = Format::json; }
    void takeListen(const std::string&, const std::string& value) {
        options_.serve.listen.push_back(value);
    }
    void takePanel(const std::string&, const std::string& value) { options_.serve.panel = value; }

    Options options_;
};

} // namespace

int runCommandLine(int argc, char** argv) {
    AtollApplication application;
    return application.run(argc, argv);
}

} // namespace reef::app
