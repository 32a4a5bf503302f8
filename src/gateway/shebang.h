#pragma once

#include "base/bytes.h"

#include <optional>
#include <string>
#include <string_view>

namespace reef::gateway {

/// Where the programs of `#!/usr/bin/env NAME` are looked for, and what islands get as PATH.
inline constexpr std::string_view kSearchPath =
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// The command of a #! line in the bytes that begin a program, without blanks around it. Nothing:
/// the program does not begin with #!. Pure.
std::optional<std::string_view> shebangOf(ByteView beginning) noexcept;

/// The file of a program that is looked for in kSearchPath, or "". Blocks.
std::string findProgram(std::string_view name);

/// The command of a file's #! line; nothing when it has none, or cannot be read. Blocks.
std::optional<std::string> shebangOfFile(const std::string& file);

/// Whether the file begins with #!. False also when it cannot be read. Blocks.
bool hasShebang(const std::string& file);

/// Why the kernel or `env` would not find who is to run a program: no #! line, one that ends in CR,
/// an interpreter that is missing or not executable. Nothing: no fault was found, or the file
/// cannot be read. Blocks; for failures and the command line.
std::optional<std::string> faultOfShebang(const std::string& file);

} // namespace reef::gateway
