#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace reef::site {

/// A pattern for decoded paths, as routes write it: "/exact", "/below/*", "*.ext", "/img/*.png". At
/// most one `*`, which stands for any text, slashes included.
class PathPattern {
public:
    /// The error is a sentence: what no path of a request has once it is decoded and cleaned (an
    /// escape, `//`, a dot segment, a control byte), `?` and `#`, and what is no pattern at all. A
    /// pattern that never matches would leave open what it is to close.
    static std::expected<PathPattern, std::string> parse(std::string_view text);

    /// The text that `*` stood for (empty without `*`), a view of `path`; nothing: no match.
    std::optional<std::string_view> match(std::string_view path) const noexcept;

    /// What stands before `*`: where a directory is mounted. Without `*` the whole pattern.
    const std::string& prefix() const noexcept { return before_; }

    /// What stands behind `*`.
    const std::string& suffix() const noexcept { return after_; }

    /// Whether it is one path, without `*`.
    bool isExact() const noexcept { return !open_; }

    /// Whether it is of the kind "/below/*".
    bool isBelow() const noexcept;

private:
    PathPattern(std::string before, std::string after, bool open)
        : before_(std::move(before)), after_(std::move(after)), open_(open) {}

    std::string before_;
    std::string after_;
    bool open_; ///< has a `*`
};

} // namespace reef::site
