#include "app/waterfall.h"

#include "base/text.h"
#include "pageviews/text_table.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace reef::app {

namespace {

using Time = PageCourse::Time;
using pageviews::TextTable;

constexpr std::size_t kLeastBar = 12;
constexpr std::size_t kMostBar = 60;
constexpr std::size_t kMostTarget = 40;
constexpr std::size_t kBesideBar = 30; ///< status, time, bytes, and the blanks between them

std::string milliseconds(Time time) {
    std::array<char, 32> text{};
    const auto value = static_cast<double>(time.count()) / 1000.0;
    return {text.data(), static_cast<std::size_t>(std::snprintf(
                             text.data(), text.size(), value < 100 ? "%.1f" : "%.0f", value))};
}

std::string size(std::uint64_t bytes) {
    constexpr std::uint64_t kKilo = 1024;
    if (bytes < kKilo) return text::concat(bytes, " B");
    std::array<char, 32> text{};
    const bool mega = bytes >= kKilo * kKilo;
    const auto value = static_cast<double>(bytes) / (mega ? 1048576.0 : 1024.0);
    return {text.data(), static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%.1f %s",
                                                                value, mega ? "MB" : "KB"))};
}

std::string statusText(int status) {
    return status == 0 ? "-" : std::to_string(status);
}

/// One cell for each stretch of the page's time; at least one for the part itself.
std::string bar(const PageCourse::Part& part, Time whole, std::size_t cells) {
    const auto cellOf = [&](Time time) {
        const auto share = whole.count() == 0 ? 0.0
                                              : static_cast<double>(time.count()) /
                                                    static_cast<double>(whole.count());
        return std::min(cells - 1, static_cast<std::size_t>(share * static_cast<double>(cells)));
    };
    const Time end = part.ended.value_or(whole);
    const Time starts = part.admitted.value_or(end);
    const Time first = part.firstByte.value_or(end);
    std::string out;
    for (std::size_t cell = 0; cell <= cellOf(end); ++cell) {
        if (cell < cellOf(part.read)) {
            out += ' ';
        } else if (cell < cellOf(starts)) {
            out += "·";
        } else if (cell < cellOf(first)) {
            out += "░";
        } else {
            out += "█";
        }
    }
    for (std::size_t cell = cellOf(end) + 1; cell < cells; ++cell)
        out += ' ';
    return out;
}

/// What is to be said of a part below its bar; nothing when all went well.
std::vector<std::string> remarks(const PageCourse::Part& part) {
    std::vector<std::string> out;
    if (part.source != "made") out.push_back(part.source);
    if (part.attempts > 1) out.push_back(text::concat(part.attempts, " attempts"));
    if (!part.why.empty()) out.push_back(part.why);
    if (part.standsIn) out.emplace_back("something stands in for it");
    if (!part.ended) out.emplace_back("unfinished");
    if (!part.lastError.empty()) out.push_back("stderr: " + part.lastError);
    return out;
}

std::string targetText(const PageCourse::Part& part) {
    return std::string(2 * (std::max<std::size_t>(part.depth, 1) - 1), ' ') + part.target;
}

Time timeOf(const PageCourse::Part& part, Time whole) {
    return part.ended.value_or(whole) - part.read;
}

std::string padded(const std::string& text, std::size_t width) {
    return text.size() >= width ? text : std::string(width - text.size(), ' ') + text;
}

/// Escaped first: a cut in the middle of an escape harms nobody.
std::string fitted(const std::string& text, std::size_t width) {
    std::string out = text::escapeControls(text);
    if (out.size() > width) return out.substr(0, width - 3) + "...";
    out.append(width - out.size(), ' ');
    return out;
}

std::string line(const PageCourse::Part& part, Time whole, std::size_t target, std::size_t cells,
                 std::size_t width) {
    std::string out =
        text::concat(padded(statusText(part.status), 5), "  ", fitted(targetText(part), target),
                     "  ", padded(milliseconds(timeOf(part, whole)), 8), "  ",
                     bar(part, whole, cells), "  ", size(part.bytes), "\n");
    const auto room = width > 20 ? width - 9 : 11;
    for (const auto& remark : remarks(part)) {
        auto told = fitted(remark, room);
        told.erase(told.find_last_not_of(' ') + 1);
        out += text::concat("         ", told, "\n");
    }
    return out;
}

} // namespace

std::string waterfall(const PageCourse& page, std::size_t width) {
    std::size_t target = 8;
    for (const auto& part : page.parts)
        target = std::max(target, text::escapeControls(targetText(part)).size());
    target = std::min({target, kMostTarget, std::max<std::size_t>(width / 3, 8)});
    const auto beside = target + kBesideBar;
    const auto cells = std::clamp(width > beside ? width - beside : 0, kLeastBar, kMostBar);

    std::string out = text::concat(
        text::escapeControls(page.target), "  ", statusText(page.status), ", ", size(page.bytes),
        " in ", milliseconds(page.ended), " ms",
        page.head ? text::concat(", the first of it after ", milliseconds(*page.head), " ms") : "",
        page.complete ? "" : "; cut: the client has left", "\n\n");
    const auto scale = text::concat("0", padded(milliseconds(page.ended), cells - 1));
    out += text::concat("         ", std::string(target, ' '), padded("ms", 8), "  ", scale, "\n");
    for (const auto& part : page.parts)
        out += line(part, page.ended, target, cells, width);
    if (page.untraced != 0)
        out += text::concat("         and ", page.untraced, " more, of which no trace was kept\n");
    return out + "\n         · waits for its turn   ░ works   █ its content comes\n";
}

std::string pageList(const std::vector<PageCourse>& pages, std::size_t width) {
    using Align = TextTable::Align;
    TextTable table({{"WHEN (UTC)", Align::left, 19},
                     {"STATUS", Align::right, 6},
                     {"MS", Align::right, 8},
                     {"PARTS", Align::right, 5},
                     {"PAGE", Align::left, 60},
                     {"LONGEST PART", Align::left, 40},
                     {"ITS MS", Align::right, 8}});
    for (const PageCourse& page : pages) {
        const auto longest = std::ranges::max_element(
            page.parts, {}, [&](const PageCourse::Part& part) { return timeOf(part, page.ended); });
        const bool any = longest != page.parts.end();
        table.add({page.when, statusText(page.status), milliseconds(page.ended),
                   std::to_string(page.parts.size() + page.untraced), page.target,
                   any ? longest->target : "",
                   any ? milliseconds(timeOf(*longest, page.ended)) : ""});
    }
    return table.print(width, 4);
}

} // namespace reef::app
