#include "admin/waterfall.h"

#include "admin/format.h"
#include "base/text.h"

#include <algorithm>

namespace reef::admin {
namespace {

using Part = PageCourse::Part;
using Time = PageCourse::Time;

// The drawing's own units; the page stretches it.
constexpr std::int64_t kWidth = 1000;
constexpr std::int64_t kLeast = 4; ///< what is there is seen, however short it was

/// The edges of a part's stretches, each at or behind the one before it.
struct Edges {
    std::int64_t read;
    std::int64_t starts;
    std::int64_t content;
    std::int64_t end;
};

std::int64_t placeOf(Time time, Time whole) noexcept {
    if (whole.count() <= 0) return 0;
    return std::clamp<std::int64_t>(time.count() * kWidth / whole.count(), 0, kWidth);
}

Edges edgesOf(const Part& part, Time whole) noexcept {
    const Time end = part.ended.value_or(whole);
    Edges edges{};
    edges.read = std::min(placeOf(part.read, whole), kWidth - kLeast);
    edges.end = std::max(placeOf(end, whole), edges.read + kLeast);
    const auto between = [&](Time time, std::int64_t least) {
        return std::clamp(placeOf(time, whole), least, edges.end);
    };
    edges.starts = between(part.starts.value_or(end), edges.read);
    edges.content = between(part.firstByte.value_or(end), edges.starts);
    return edges;
}

std::string spokenCourse(const Part& part, Time whole) {
    const Time end = part.ended.value_or(whole);
    const Time starts = part.starts.value_or(end);
    const Time first = part.firstByte.value_or(end);
    return text::concat("After ", format::duration(part.read), ": waits ",
                        format::duration(starts - part.read), ", works ",
                        format::duration(first - starts), ", its content comes for ",
                        format::duration(end - first));
}

Html bar(const Part& part, Time whole) {
    const Edges at = edgesOf(part, whole);
    return html(
        R"(<svg class="course" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="{}"><rect class="waiting" x="{}" width="{}" height="10"/><rect class="working" x="{}" width="{}" height="10"/><rect class="content" x="{}" width="{}" height="10"/></svg>)",
        spokenCourse(part, whole), at.read, at.starts - at.read, at.starts, at.content - at.starts,
        at.content, at.end - at.content);
}

void say(Html& remarks, std::string_view text) {
    remarks += html("<li>{}</li>", text);
}

/// Nothing when all went well.
Html remarksOn(const Part& part) {
    Html said;
    if (!part.source.empty()) say(said, part.source);
    if (part.attempts > 1) say(said, text::concat(part.attempts, " attempts"));
    if (!part.why.empty())
        say(said, part.why);
    else if (part.failed)
        say(said, "failed");
    if (part.standsIn) say(said, "something stands in for it");
    if (!part.ended) say(said, "unfinished");
    if (!part.lastError.empty()) said += html("<li><code>{}</code></li>", part.lastError);
    if (said.empty()) return said;
    return html(R"(<ul class="remarks">{}</ul>)", said);
}

std::string statusText(int status) {
    return status == 0 ? "–" : std::to_string(status);
}

Html partLine(const Part& part, const PageCourse& page) {
    return html(R"(<li class="{}">
<bdi class="long depth{}" title="{}">{}</bdi>
{}
<span class="number">{}</span><span class="status">{}</span><span class="number">{}</span>
{}</li>
)",
                part.failed ? "part failed" : "part", std::clamp(part.depth, 1, 5), part.target,
                part.target, bar(part, page.took), format::duration(timeOf(part, page)),
                statusText(part.status), format::bytes(part.bytes), remarksOn(part));
}

Html howItWent(const PageCourse& page) {
    const std::string head =
        page.head ? text::concat(", the first of it after ", format::duration(*page.head)) : "";
    return html(R"(<p class="went">{} of content in {}{}{}; asked of <bdi>{}</bdi></p>)",
                format::bytes(page.bytes), format::duration(page.took), head,
                page.complete ? "" : "; cut: the client has left", page.host);
}

} // namespace

Time timeOf(const Part& part, const PageCourse& page) noexcept {
    return std::max(part.ended.value_or(page.took) - part.read, Time(0));
}

Html waterfall(const PageCourse& page) {
    const std::size_t drawn = std::min(page.parts.size(), kMostPartsDrawn);
    Html lines;
    for (std::size_t i = 0; i != drawn; ++i)
        lines += partLine(page.parts[i], page);
    Html more;
    if (const std::size_t rest = page.parts.size() - drawn + page.untraced; rest != 0)
        more = html(R"(<p class="went">And {} more parts that are not drawn.</p>)", rest);
    return html(R"({}
<ol class="parts">
{}</ol>
{})",
                howItWent(page), lines, more);
}

} // namespace reef::admin
