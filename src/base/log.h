#pragma once

#include <cstdint>
#include <string_view>

/// The error log: one line a message, safe from any thread. Text from outside (paths, user agents,
/// island output) is hostile: control bytes are escaped here, so a message can never forge a second
/// line.
namespace reef::log {

enum class Level : std::uint8_t { error, warning, info, debug };

/// Messages above this level are dropped. Default: info. Set before threads start.
void setLevel(Level level) noexcept;
bool enabled(Level level) noexcept;

/// Writes `2026-11-30T21:15:09Z error [part] message` to standard error in one write.
/// `part` is the room or the island that speaks, for example "keeper" or "cgi-bin/hello.sh".
void write(Level level, std::string_view part, std::string_view message);

inline void error(std::string_view part, std::string_view message) {
    write(Level::error, part, message);
}
inline void warning(std::string_view part, std::string_view message) {
    write(Level::warning, part, message);
}
inline void info(std::string_view part, std::string_view message) {
    write(Level::info, part, message);
}
inline void debug(std::string_view part, std::string_view message) {
    write(Level::debug, part, message);
}

} // namespace reef::log
