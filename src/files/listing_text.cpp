#include "files/listing_text.h"

#include "base/text.h"
#include "http/pages.h"
#include "http/path.h"

#include <array>

namespace reef::files {

namespace {

using Key = ListingOrder::Key;

constexpr std::string_view kStyle = R"(
main { max-width: 60rem; padding-top: clamp(2rem, 7vh, 4.5rem) }
h1 { font-size: clamp(1.5rem, 4vw, 2.2rem); overflow-wrap: anywhere }
h1 a, td a { color: inherit; text-decoration: none }
h1 span { color: var(--muted) }
h1 a:hover, td a:hover { color: var(--coral); text-decoration: underline }
a:focus-visible { outline: 2px solid var(--coral); outline-offset: 2px }
table { width: 100%; border-collapse: collapse; margin-top: 2rem; font-variant-numeric: tabular-nums }
th, td { padding: .5rem .9rem .5rem 0; text-align: left; border-bottom: 1px solid var(--line) }
th { font-size: .85rem; font-weight: 600 }
th a { color: var(--muted); text-decoration: none }
th a:hover, th[aria-sort] a { color: var(--ink) }
th[aria-sort=ascending] a::after { content: " \2191" }
th[aria-sort=descending] a::after { content: " \2193" }
td:first-child { overflow-wrap: anywhere }
td + td, th + th { color: var(--muted); white-space: nowrap; text-align: right; padding-right: 0 }
.d a { font-weight: 600 }
@media (max-width: 40rem) { td:nth-child(3), th:nth-child(3) { display: none } }
)";

/// UTC, "2026-11-30 21:15" or with "T", seconds and "Z".
std::string timeText(std::time_t time, const char* format) {
    std::tm parts{};
    std::array<char, 40> text{};
    if (::gmtime_r(&time, &parts) == nullptr) return {};
    return {text.data(), std::strftime(text.data(), text.size(), format, &parts)};
}

/// "812 B", "12.3 KB", "4.0 GB".
std::string sizeText(ByteCount size) {
    constexpr std::array<std::string_view, 6> kUnits{" KB", " MB", " GB", " TB", " PB", " EB"};
    if (size < 1000) return text::concat(size, " B");
    std::size_t unit = 0;
    while (size >= 999'950 && unit + 1 < kUnits.size()) {
        size /= 1000;
        ++unit;
    }
    const ByteCount tenths = (size + 50) / 100;
    return text::concat(tenths / 10, ".", tenths % 10, kUnits[unit]);
}

/// The directory's path, each part a link to itself.
std::string wayTo(std::string_view path) {
    std::size_t below = 0;
    for (const char c : path.substr(1))
        below += c == '/' ? 1U : 0U;
    const auto up = [](std::size_t levels) {
        std::string link = "./";
        for (; levels != 0; --levels)
            link += "../";
        return link;
    };
    std::string way = text::concat("<a href=\"", up(below), "\">/</a>");
    std::string_view rest = path.substr(1);
    while (!rest.empty()) {
        const auto part = text::takeUntil(rest, '/');
        way += text::concat("<a href=\"", up(--below), "\"><bdi>", text::escapeHtml(part),
                            "</bdi></a><span>/</span>");
    }
    return way;
}

std::string columnHead(std::string_view title, std::string_view name, Key key, ListingOrder order) {
    const bool current = order.key == key;
    // The first click brings what is asked for most: the newest, the largest, the first of the
    // alphabet.
    const bool descending = current ? !order.descending : key != Key::name;
    const std::string_view state = !current           ? ""
                                   : order.descending ? " aria-sort=\"descending\""
                                                      : " aria-sort=\"ascending\"";
    return text::concat("<th scope=\"col\"", state, "><a href=\"?sort=", name,
                        "&amp;order=", descending ? "desc" : "asc", "\">", title, "</a></th>");
}

void addRow(std::string& page, const ListedEntry& entry) {
    const std::string_view slash = entry.directory ? "/" : "";
    page += text::concat(entry.directory ? "<tr class=\"d\">" : "<tr>", "<td><a href=\"./",
                         text::escapeHtml(http::encodeSegment(entry.name)), slash, "\"><bdi>",
                         text::escapeHtml(entry.name), "</bdi>", slash, "</a></td><td>");
    if (!entry.directory)
        page += text::concat("<span title=\"", entry.size, " bytes\">", sizeText(entry.size),
                             "</span>");
    page +=
        text::concat("</td><td><time datetime=\"", timeText(entry.modified, "%Y-%m-%dT%H:%M:%SZ"),
                     "\">", timeText(entry.modified, "%Y-%m-%d %H:%M"), "</time></td></tr>\n");
}

/// Length of the UTF-8 character at the front (RFC 3629), or 0.
std::size_t characterLength(std::string_view text) noexcept {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0U) == 0x80U; };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    if (first >= 0xc2 && first < 0xe0) return follows(1) ? 2 : 0;
    if (first >= 0xe0 && first < 0xf0) {
        const bool shortest = first != 0xe0 || byte(1) >= 0xa0;
        const bool surrogate = first == 0xed && byte(1) >= 0xa0;
        return follows(1) && follows(2) && shortest && !surrogate ? 3 : 0;
    }
    if (first >= 0xf0 && first < 0xf5) {
        const bool shortest = first != 0xf0 || byte(1) >= 0x90;
        const bool beyond = first == 0xf4 && byte(1) >= 0x90;
        return follows(1) && follows(2) && follows(3) && shortest && !beyond ? 4 : 0;
    }
    return 0;
}

/// A JSON string of text without control bytes.
std::string quoted(std::string_view text) {
    std::string out = "\"";
    while (!text.empty()) {
        const auto length = characterLength(text);
        if (length == 0) {
            out += "\xef\xbf\xbd";
        } else {
            if (text.front() == '"' || text.front() == '\\') out += '\\';
            out += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out + '"';
}

} // namespace

std::string listingPage(std::string_view path, const Listing& listing, ListingOrder order) {
    std::string page = text::concat(
        "<h1>", wayTo(path), "</h1>\n<table>\n<thead><tr>",
        columnHead("Name", "name", Key::name, order), columnHead("Size", "size", Key::size, order),
        columnHead("Changed (UTC)", "time", Key::time, order), "</tr></thead>\n<tbody>\n");
    page.reserve(page.size() + listing.entries.size() * 220);
    if (path != "/")
        page += "<tr class=\"d\"><td><a href=\"../\">..</a></td><td></td><td></td></tr>\n";
    for (const ListedEntry& entry : listing.entries)
        addRow(page, entry);
    page += "</tbody>\n</table>\n<p class=\"fine\">";
    if (listing.cut) {
        page += text::concat("There is more here: only ", listing.entries.size(),
                             " entries are shown.");
    } else {
        page += listing.entries.size() == 1 ? "1 entry"
                                            : text::concat(listing.entries.size(), " entries");
    }
    return http::ownPage(text::escapeHtml(path), page + "</p>", kStyle);
}

std::string listingJson(std::string_view path, const Listing& listing) {
    std::string json =
        text::concat("{\"path\":", quoted(path), ",\"truncated\":", listing.cut ? "true" : "false",
                     ",\"entries\":[");
    json.reserve(json.size() + listing.entries.size() * 100);
    for (const ListedEntry& entry : listing.entries) {
        if (&entry != listing.entries.data()) json += ',';
        json += text::concat("\n{\"name\":", quoted(entry.name),
                             ",\"type\":", entry.directory ? "\"directory\"" : "\"file\"");
        if (!entry.directory) json += text::concat(",\"size\":", entry.size);
        json +=
            text::concat(",\"modified\":\"", timeText(entry.modified, "%Y-%m-%dT%H:%M:%SZ"), "\"}");
    }
    return json + "]}\n";
}

} // namespace reef::files
