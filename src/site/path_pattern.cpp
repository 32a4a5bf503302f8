#include "site/path_pattern.h"

namespace reef::site {

std::optional<PathPattern> PathPattern::parse(std::string_view text) {
    if (!text.starts_with('/') && !text.starts_with('*')) return std::nullopt;
    const auto star = text.find('*');
    if (star == std::string_view::npos) return PathPattern(std::string(text), {}, false);
    const auto after = text.substr(star + 1);
    if (after.find('*') != std::string_view::npos) return std::nullopt;
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
