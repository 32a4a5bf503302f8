#pragma once

#include "app/commands.h"
#include "app/serve_command.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reef::app {

/// The words of the command line behind the command's name, without options.
using Arguments = std::vector<std::string>;

/// The values of all options that were given.
struct Options {
    ServeOptions serve;
    Format format = Format::text;
    bool force = false;
    bool all = false;
    std::string host;
    std::string directory = "."; ///< of commands whose words are something else
};

/// Exit statuses beside 0.
inline constexpr int kExitFailed = 1;
inline constexpr int kExitFaults = 2; ///< `check` or `lint` has found some
inline constexpr int kExitUsage = 64; ///< the command line is not understood

/// A command: what help tells about it, and how it is run.
struct Command {
    std::string_view name;
    std::string_view usage;   ///< "stats [--json] [DIR]"
    std::string_view does;    ///< one line
    std::string_view options; ///< full names of those that it takes, with blanks between
    std::size_t least;        ///< arguments behind the name
    std::size_t most;
    int (*run)(const Arguments&, const Options&); ///< returns the exit status

    bool takes(std::string_view option) const noexcept;
};

/// An option of some commands.
struct OptionText {
    std::string_view name;     ///< "listen"
    std::string_view letter;   ///< "l", or ""
    std::string_view argument; ///< "ADDRESS", or ""
    std::string_view does;
};

/// All there are, in the order in which help shows them. The first command is `serve`.
std::span<const Command> commands() noexcept;
std::span<const OptionText> optionTexts() noexcept;

/// Null when there is none of this name.
const Command* findCommand(std::string_view name) noexcept;

} // namespace reef::app
