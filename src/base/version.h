#pragma once

#include <span>
#include <string_view>

/// What this binary is made of: the first lines of `atoll version`. `app/` adds the libraries that
/// only it may include. All text lives as long as the program.
namespace reef {

struct BuildInfo {
    std::string_view version;   ///< "0.1.0"
    std::string_view commit;    ///< twelve digits, with "-dirty" after local changes, or "unknown"
    std::string_view buildType; ///< "Release", "Debug with address,undefined sanitizer"
    std::string_view compiler;  ///< "Debian Clang 19.1.7 (...)"
};

const BuildInfo& buildInfo() noexcept;

struct Component {
    std::string_view name;
    std::string_view version;
};

/// The C and C++ libraries below everything else, for example musl 1.2.3 and libstdc++ 12.
std::span<const Component> runtimeComponents() noexcept;

} // namespace reef
