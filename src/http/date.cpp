#include "http/date.h"

#include "base/text.h"

#include <algorithm>
#include <cstdint>

namespace reef::http {

namespace {

constexpr std::array<std::string_view, 7> kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 7> kLongDays{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                    "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

constexpr std::int64_t kDay = 86400;
constexpr std::int64_t kFirstSecond = -62135596800; // 0001-01-01T00:00:00Z
constexpr std::int64_t kLastSecond = 253402300799;  // 9999-12-31T23:59:59Z

struct Civil {
    int year = 1970;
    int month = 1; ///< 1..12
    int day = 1;   ///< 1..31
    int hour = 0;
    int minute = 0;
    int second = 0;
};

// Days since 1970 and civil dates, in years that begin on 1 March and eras of 400 years, so that
// the leap day is always the last: Howard Hinnant's chrono-compatible low-level date algorithms.

constexpr std::int64_t daysOf(int year, int month, int day) noexcept {
    const std::int64_t y = month <= 2 ? year - 1 : year;
    const std::int64_t era = (y >= 0 ? y : y - 399) / 400;
    const std::int64_t yearOfEra = y - era * 400;
    const std::int64_t dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return era * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719468;
}

constexpr Civil civilOf(std::int64_t days) noexcept {
    const std::int64_t z = days + 719468;
    const std::int64_t era = (z >= 0 ? z : z - 146096) / 146097;
    const std::int64_t dayOfEra = z - era * 146097;
    const std::int64_t yearOfEra =
        (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365;
    const std::int64_t dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    const std::int64_t monthFromMarch = (5 * dayOfYear + 2) / 153;
    Civil date;
    date.day = static_cast<int>(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1);
    date.month = static_cast<int>(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9);
    date.year = static_cast<int>(yearOfEra + era * 400 + (date.month <= 2 ? 1 : 0));
    return date;
}

constexpr bool isLeap(int year) noexcept {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

constexpr int daysIn(int month, int year) noexcept {
    constexpr std::array<int, 12> kDaysIn{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && isLeap(year) ? 29 : kDaysIn[static_cast<std::size_t>(month - 1)];
}

/// Reads a date from front to back; once something did not fit, everything after fails too.
class DateReader {
public:
    explicit DateReader(std::string_view text) noexcept : rest_(text) {}

    void literal(std::string_view expected) noexcept {
        good_ = good_ && rest_.starts_with(expected);
        if (good_) rest_.remove_prefix(expected.size());
    }

    int number(std::size_t digits) noexcept {
        int value = 0;
        good_ = good_ && rest_.size() >= digits &&
                std::ranges::all_of(rest_.substr(0, digits), text::isDigit);
        if (!good_) return 0;
        for (const char c : rest_.substr(0, digits))
            value = value * 10 + (c - '0');
        rest_.remove_prefix(digits);
        return value;
    }

    /// asctime pads the day with a space.
    int paddedNumber() noexcept {
        if (!rest_.starts_with(' ')) return number(2);
        rest_.remove_prefix(1);
        return number(1);
    }

    template<std::size_t N>
    int oneOf(const std::array<std::string_view, N>& names) noexcept {
        for (std::size_t i = 0; good_ && i < N; ++i) {
            if (!rest_.starts_with(names[i])) continue;
            rest_.remove_prefix(names[i].size());
            return static_cast<int>(i);
        }
        good_ = false;
        return 0;
    }

    void time(Civil& date) noexcept {
        date.hour = number(2);
        literal(":");
        date.minute = number(2);
        literal(":");
        date.second = number(2);
    }

    bool done() const noexcept { return good_ && rest_.empty(); }

private:
    std::string_view rest_;
    bool good_ = true;
};

/// Seconds since 1970, if there is such a moment. A leap second is the first of the next minute.
std::optional<std::time_t> momentOf(const Civil& date) noexcept {
    if (date.year < 1 || date.month < 1 || date.day < 1 ||
        date.day > daysIn(date.month, date.year)) {
        return std::nullopt;
    }
    if (date.hour > 23 || date.minute > 59 || date.second > 60) return std::nullopt;
    return daysOf(date.year, date.month, date.day) * kDay + date.hour * 3600 + date.minute * 60 +
           date.second;
}

/// RFC 9110 5.6.7: more than 50 years in the future means the most recent year in the past.
int fullYear(int twoDigits, std::time_t now) noexcept {
    const int thisYear = civilOf(now / kDay).year;
    const int year = thisYear - thisYear % 100 + twoDigits;
    return year > thisYear + 50 ? year - 100 : year;
}

std::optional<Civil> readFixdate(std::string_view text) noexcept { // Sun, 06 Nov 1994 08:49:37 GMT
    DateReader reader(text);
    Civil date;
    reader.oneOf(kDays);
    reader.literal(", ");
    date.day = reader.number(2);
    reader.literal(" ");
    date.month = reader.oneOf(kMonths) + 1;
    reader.literal(" ");
    date.year = reader.number(4);
    reader.literal(" ");
    reader.time(date);
    reader.literal(" GMT");
    return reader.done() ? std::optional(date) : std::nullopt;
}

std::optional<Civil> readRfc850(std::string_view text, std::time_t now) noexcept {
    DateReader reader(text); // Sunday, 06-Nov-94 08:49:37 GMT
    Civil date;
    reader.oneOf(kLongDays);
    reader.literal(", ");
    date.day = reader.number(2);
    reader.literal("-");
    date.month = reader.oneOf(kMonths) + 1;
    reader.literal("-");
    date.year = fullYear(reader.number(2), now);
    reader.literal(" ");
    reader.time(date);
    reader.literal(" GMT");
    return reader.done() ? std::optional(date) : std::nullopt;
}

std::optional<Civil> readAsctime(std::string_view text) noexcept { // Sun Nov  6 08:49:37 1994
    DateReader reader(text);
    Civil date;
    reader.oneOf(kDays);
    reader.literal(" ");
    date.month = reader.oneOf(kMonths) + 1;
    reader.literal(" ");
    date.day = reader.paddedNumber();
    reader.literal(" ");
    reader.time(date);
    reader.literal(" ");
    date.year = reader.number(4);
    return reader.done() ? std::optional(date) : std::nullopt;
}

char* put(char* out, std::string_view text) noexcept {
    return std::ranges::copy(text, out).out;
}

char* putTwo(char* out, std::int64_t number) noexcept {
    *out++ = static_cast<char>('0' + number / 10);
    *out++ = static_cast<char>('0' + number % 10);
    return out;
}

} // namespace

DateText::DateText(std::time_t time) noexcept {
    const std::int64_t moment = std::clamp<std::int64_t>(time, kFirstSecond, kLastSecond);
    const std::int64_t days = (moment - kFirstSecond) / kDay + kFirstSecond / kDay;
    const std::int64_t second = moment - days * kDay;
    const Civil date = civilOf(days);
    const auto weekday = static_cast<std::size_t>((days - kFirstSecond / kDay + 1) % 7); // a Monday

    char* out = put(text_.data(), kDays[weekday]);
    out = putTwo(put(out, ", "), date.day);
    out = put(put(out, " "), kMonths[static_cast<std::size_t>(date.month - 1)]);
    out = putTwo(putTwo(put(out, " "), date.year / 100), date.year % 100);
    out = putTwo(put(out, " "), second / 3600);
    out = putTwo(put(out, ":"), second / 60 % 60);
    out = putTwo(put(out, ":"), second % 60);
    put(out, " GMT");
}

std::optional<std::time_t> parseDate(std::string_view text, std::time_t now) noexcept {
    auto date = readFixdate(text);
    if (!date) date = readRfc850(text, now);
    if (!date) date = readAsctime(text);
    return date ? momentOf(*date) : std::nullopt;
}

} // namespace reef::http
