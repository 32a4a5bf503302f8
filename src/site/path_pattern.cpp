#include "site/path_pattern.h"

#include "base/text.h"

namespace reef::site {

namespace {

bool isEscape(std::string_view text) noexcept {
    return text.size() >= 3 && text[0] == '%' && text::hexValue(text[1]) >= 0 &&
           text::hexValue(text[2]) >= 0;
}

bool isControl(char c) noexcept {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

/// Why no decoded and cleaned path (http::decodePath) can look like this; "": one can.
std::string_view whyNeverMet(std::string_view text) {
    for (std::size_t i = 0; i != text.size(); ++i) {
        if (isEscape(text.substr(i)))
            return "has an escape, and patterns are compared with the decoded path: write the "
                   "character itself, such as \"/my page\" for \"/my%20page\"";
        if (isControl(text[i])) return "has a control byte, which no request can have";
        if (text[i] == '?' || text[i] == '#')
            return "has `?` or `#`: a pattern is for the path alone, which comes without its query";
    }
    if (text.find("//") != std::string_view::npos)
        return "has `//`, which becomes `/` before patterns are compared: write one slash";
    while (!text.empty()) {
        const auto segment = text::takeUntil(text, '/');
        if (segment == "." || segment == "..")
            return "has a segment `.` or `..`, which is resolved before patterns are compared: "
                   "write the path that it leads to";
    }
    return {};
}

} // namespace

std::expected<PathPattern, std::string> PathPattern::parse(std::string_view text) {
    const auto star = text.find('*');
    const auto after = star == std::string_view::npos ? "" : text.substr(star + 1);
    if ((!text.starts_with('/') && star != 0) || after.find('*') != std::string_view::npos)
        return std::unexpected(text::concat("expected \"/exact\", \"/below/*\" or \"*.ext\", with "
                                            "at most one `*`; found \"",
                                            text::escapeControls(text), '"'));
    if (const auto why = whyNeverMet(text); !why.empty())
        return std::unexpected(text::concat('"', text::escapeControls(text), "\" ", why));
    if (star == std::string_view::npos) return PathPattern(std::string(text), {}, false);
    return PathPattern(std::string(text.substr(0, star)), std::string(after), true);
}

std::optional<std::string_view> PathPattern::match(std::string_view path) const noexcept {
    if (!open_) return path == before_ ? std::optional(std::string_view()) : std::nullopt;
    if (path.size() < before_.size() + after_.size()) return std::nullopt;
    if (!path.starts_with(before_) || !path.ends_with(after_)) return std::nullopt;
    return path.substr(before_.size(), path.size() - before_.size() - after_.size());
}

bool PathPattern::isBelow() const noexcept {
    return open_ && after_.empty() && before_.starts_with('/') && before_.ends_with('/');
}

} // namespace reef::site
