#include "admin/format.h"

#include "base/text.h"

#include <array>

namespace reef::admin::format {
namespace {

/// One decimal below ten, none above: "1.4", "42".
std::string rounded(double value) {
    if (value >= 9.95) return std::to_string(static_cast<std::uint64_t>(value + 0.5));
    const auto tenths = static_cast<std::uint64_t>(value * 10 + 0.5);
    if (tenths % 10 == 0) return std::to_string(tenths / 10);
    return text::concat(tenths / 10, '.', tenths % 10);
}

std::string twoDigits(std::int64_t value) {
    return text::concat(value < 10 ? "0" : "", value);
}

std::chrono::year_month_day dateOf(pageviews::Time time) {
    return std::chrono::floor<std::chrono::days>(time);
}

std::string counted(std::int64_t number, std::string_view unit) {
    const bool several = number != 1 && unit == " day";
    return text::concat(number, unit, several ? "s" : "");
}

} // namespace

std::string count(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3; at -= 3)
        digits.insert(at - 3, ",");
    return digits;
}

std::string share(std::uint64_t part, std::uint64_t whole) {
    if (part == 0 || whole == 0) return "0%";
    const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    if (percent < 1) return "<1%";
    return text::concat(static_cast<std::uint64_t>(percent + 0.5), '%');
}

std::string duration(std::chrono::microseconds time) {
    const auto micros = static_cast<double>(std::max<std::int64_t>(time.count(), 0));
    if (micros < 999'500) return rounded(micros / 1e3) + " ms";
    if (micros < 119'500'000) return rounded(micros / 1e6) + " s";
    return rounded(micros / 60e6) + " min";
}

std::string span(std::chrono::seconds time) {
    struct Unit {
        std::int64_t seconds;
        std::string_view name;
    };
    constexpr Unit kUnits[] = {{86400, " day"}, {3600, " h"}, {60, " min"}, {1, " s"}};
    const std::int64_t seconds = std::max<std::int64_t>(time.count(), 0);
    for (std::size_t i = 0; i < 3; ++i) {
        const std::int64_t whole = seconds / kUnits[i].seconds;
        if (whole == 0) continue;
        const std::int64_t rest = seconds % kUnits[i].seconds / kUnits[i + 1].seconds;
        std::string text = counted(whole, kUnits[i].name);
        if (rest != 0 && i < 2) text += " " + counted(rest, kUnits[i + 1].name);
        return text;
    }
    return counted(seconds, " s");
}

std::string bytes(ByteCount number) {
    constexpr std::array<std::string_view, 5> kUnits = {" B", " KB", " MB", " GB", " TB"};
    auto value = static_cast<double>(number);
    std::size_t unit = 0;
    while (value >= 1023.5 && unit + 1 < kUnits.size()) {
        value /= 1024;
        ++unit;
    }
    return rounded(value) + std::string(kUnits[unit]);
}

std::string hour(pageviews::Time time) {
    const auto minutes = std::chrono::floor<std::chrono::minutes>(
        time - std::chrono::floor<std::chrono::days>(time));
    return twoDigits(minutes.count() / 60) + ":" + twoDigits(minutes.count() % 60);
}

std::string clock(pageviews::Time time) {
    const auto sinceMidnight = time - std::chrono::floor<std::chrono::days>(time);
    const auto seconds = std::chrono::floor<std::chrono::seconds>(sinceMidnight).count();
    return hour(time) + ":" + twoDigits(seconds % 60);
}

std::string day(pageviews::Time time) {
    const auto date = dateOf(time);
    return text::concat(static_cast<int>(date.year()), '-',
                        twoDigits(static_cast<unsigned>(date.month())), '-',
                        twoDigits(static_cast<unsigned>(date.day())));
}

std::string shortDay(pageviews::Time time) {
    constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const auto date = dateOf(time);
    return text::concat(static_cast<unsigned>(date.day()), ' ',
                        kMonths[static_cast<unsigned>(date.month()) - 1]);
}

std::string timestamp(pageviews::Time time) {
    return day(time) + "T" + clock(time) + "Z";
}

} // namespace reef::admin::format
