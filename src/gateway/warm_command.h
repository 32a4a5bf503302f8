#pragma once

#include "base/embedded.h"
#include "process/string_list.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// How an interpreter is started that loads a script once and forks for each run of it.
namespace reef::gateway {

enum class WarmLanguage : std::uint8_t { perl, python };

/// An interpreter that can be kept warm.
struct WarmCommand {
    WarmLanguage language = WarmLanguage::perl;
    std::string interpreter;          ///< absolute file name
    std::vector<std::string> options; ///< as the #! line gives them

    friend bool operator==(const WarmCommand&, const WarmCommand&) = default;
};

/// The interpreter of a command as #! lines have it: "/usr/bin/perl -w", "/usr/bin/env python3",
/// "/usr/bin/env -S perl -T". Nothing: it is of another language, or has options with which it
/// would not do the same warm. Looks for what `env` is to find: blocks.
std::optional<WarmCommand> warmCommandOf(std::string_view command);

/// The same of `program SCRIPT`, where `line` is the command of the script's #! line, if it has
/// one. Perl reads that line itself: its options, or another program that it is to become.
std::optional<WarmCommand> warmCommandBy(std::string program, std::string_view line);

/// Its arguments, from argv[0] on, for `script`, an absolute file name.
process::StringList warmArguments(const WarmCommand& command, std::string_view script);

/// What it finds as descriptor 4.
std::string warmProgram(WarmLanguage language);

/// The files of which `warmProgram` is made, ordered by path.
std::span<const EmbeddedFile> warmPrograms() noexcept;

} // namespace reef::gateway
