#include "base/log.h"

#include "base/text.h"

#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
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

std::atomic<std::uint64_t> lostLines{0};

/// Writes the text unless that would wait: a reader who stalls (a paused terminal, a full pipe)
/// must not stop the server. False: it went nowhere.
bool writeAtOnce(const std::string& text) noexcept {
    pollfd room{STDERR_FILENO, POLLOUT, 0};
    if (::poll(&room, 1, 0) != 1 || (room.revents & POLLOUT) == 0) return false;
    return ::write(STDERR_FILENO, text.data(), text.size()) >= 0;
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
    const std::uint64_t lost = lostLines.exchange(0, std::memory_order_relaxed);
    const std::string all =
        lost == 0 ? line
                  : text::concat(timestamp(), " warning [log] ", lost,
                                 " lines were lost: nobody read them in time\n", line);
    if (!writeAtOnce(all)) lostLines.fetch_add(lost + 1, std::memory_order_relaxed);
}

} // namespace reef::log
