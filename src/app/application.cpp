#include "app/application.h"

#include "app/help.h"
#include "base/text.h"

#include <Poco/AutoPtr.h>
#include <Poco/Util/Application.h>
#include <Poco/Util/OptionException.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace reef::app {

namespace {

using Poco::Util::Option;
using Poco::Util::OptionCallback;

void print(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

int refuse(const std::string& why) {
    std::fputs(text::concat("atoll: ", why, "\n").c_str(), stderr);
    return kExitUsage;
}

/// Not Poco's ServerApplication: its --daemon, --pidfile and --umask would change what the site's
/// directory is and who owns what is made there.
class AtollApplication final : public Poco::Util::Application {
protected:
    void defineOptions(Poco::Util::OptionSet& options) override {
        for (const OptionText& text : optionTexts()) {
            Option option(std::string(text.name), std::string(text.letter));
            if (!text.argument.empty()) option.argument(std::string(text.argument));
            if (text.name == "listen") option.repeatable(true);
            options.addOption(
                option.callback(OptionCallback<AtollApplication>(this, &AtollApplication::take)));
        }
    }

    int main(const Arguments& words) override {
        if (asked("version")) return showVersion();
        const bool helpCommand = !words.empty() && words.front() == "help";
        if (asked("help") || helpCommand)
            return showHelp({words.begin() + (helpCommand ? 1 : 0), words.end()});
        if (words.empty()) return perform(commands().front(), {});
        if (const Command* command = findCommand(words.front()))
            return perform(*command, {words.begin() + 1, words.end()});
        if (namesDirectory(words.front())) return perform(commands().front(), words);
        return refuseWord(words.front());
    }

private:
    void take(const std::string& name, const std::string& value) {
        given_.push_back(name);
        if (name == "json") options_.format = Format::json;
        if (name == "force") options_.force = true;
        if (name == "all") options_.all = true;
        if (name == "host") options_.host = value;
        if (name == "directory") options_.directory = value;
        if (name == "listen") options_.serve.listen.push_back(value);
        if (name == "panel") options_.serve.panel = value;
    }

    bool asked(std::string_view option) const {
        return std::ranges::find(given_, option) != given_.end();
    }

    int perform(const Command& command, const Arguments& arguments) {
        for (const std::string& option : given_) {
            if (!command.takes(option))
                return refuse(text::concat("`atoll ", command.name, "` takes no --", option,
                                           "; `atoll help ", command.name, "` tells more"));
        }
        if (arguments.size() < command.least || arguments.size() > command.most)
            return refuse(text::concat("usage: atoll ", command.usage));
        return command.run(arguments, options_);
    }

    int showHelp(const Arguments& words) {
        if (words.empty()) {
            print(generalHelp());
            return 0;
        }
        const Command* command = findCommand(words.front());
        if (command == nullptr) return refuseWord(words.front());
        print(helpOf(*command));
        return 0;
    }

    /// `atoll DIR`: a directory in the place of a command is served.
    static bool namesDirectory(const std::string& word) {
        std::error_code error;
        return word.find('/') != std::string::npos || std::filesystem::is_directory(word, error);
    }

    static int refuseWord(const std::string& word) {
        const auto similar = similarCommand(word);
        const std::string hint =
            similar.empty() ? std::string() : text::concat(" Did you mean `atoll ", similar, "`?");
        return refuse(text::concat("there is no command `", text::escapeControls(word),
                                   "`; `atoll help` lists them.", hint));
    }

    Options options_;
    std::vector<std::string> given_; ///< full names of the options on the command line
};

} // namespace

int runCommandLine(int argc, char** argv) {
    using namespace Poco::Util;
    constexpr std::string_view kSeeHelp = "; `atoll help` lists the options";
    Poco::AutoPtr<AtollApplication> application(new AtollApplication);
    try {
        application->init(argc, argv);
    } catch (const UnknownOptionException& error) {
        return refuse(text::concat("there is no option `", text::escapeControls(error.message()),
                                   "`", kSeeHelp));
    } catch (const AmbiguousOptionException& error) {
        return refuse(text::concat("`", text::escapeControls(error.message()),
                                   "` may be one of several options", kSeeHelp));
    } catch (const DuplicateOptionException& error) {
        return refuse(text::concat("--", error.message(), " may be given once"));
    } catch (const OptionException& error) { // an argument is missing, or one too many
        return refuse(text::concat(text::escapeControls(error.message()), kSeeHelp));
    }
    return application->run();
}

} // namespace reef::app
