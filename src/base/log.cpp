#include "base/log.h"

#include "base/text.h"

#include <unistd.h>

#include <atomic>
#include <ctime>
#include <string>

namespace reef::log {

namespace {

std::atomic<Level> threshold{Level::info};

std::string_view levelName(Level level) {
    switch (level) {
    case Level::error:
        return "error";
    case Level::warning:
        return "warning";
    case Level::info:
        return "info";
    case Level::debug:
        return "debug";
    }
    return "?";
}

std::string timestamp() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char buffer[24];
    const auto length = std::strftime(buffer, sizeof buffer, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {buffer, length};
}

} // namespace

void setLevel(Level level) noexcept {
    threshold.store(level, std::memory_order_relaxed);
}

bool enabled(Level level) noexcept {
    return level <= threshold.load(std::memory_order_relaxed);
}

void write(Level level, std::string_view part, std::string_view message) {
    if (!enabled(level)) return;
    const std::string line =
        text::concat(timestamp(), ' ', levelName(level), " [", text::escapeControls(part), "] ",
                     text::escapeControls(message), '\n');
    // A log that cannot be written has nowhere to say so; the request it speaks of must go on.
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

} // namespace reef::log
