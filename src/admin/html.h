#pragma once

#include "admin/html_template.h"

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace reef::admin {

/// An address within the panel. It cannot be made of anything that came from outside: there is no
/// link in the panel that a stranger has written.
class Url {
public:
    /// A literal that begins with one slash.
    consteval Url(const char* literal) : text_(literal) { // NOLINT: implicit by design
        if (text_.size() < 1 || text_[0] != '/' || text_.starts_with("//"))
            throw "not a local path";
    }

    /// The address of an embedded file. Lives as long as `path` does.
    static constexpr Url ofAsset(std::string_view path) noexcept { return Url(path, 0); }

    constexpr std::string_view text() const noexcept { return text_; }

private:
    constexpr Url(std::string_view path, int) noexcept : text_(path) {}
    std::string_view text_;
};

/// Finished markup. It comes out of `html()` alone, which escapes every text it is given:
///
///     page += html("<td class=\"path\">{}</td>", row.path);
///
/// Parts are texts (escaped, and made visible: see visible.h), whole numbers, an Url in href, src
/// and action, and other Html. What could be filled unsafely does not compile: places outside of
/// double quotes, markup in attributes, script, inline style, handlers.
class Html {
public:
    Html() = default;

    Html& operator+=(const Html& more) {
        text_ += more.text_;
        return *this;
    }

    bool empty() const noexcept { return text_.empty(); }
    const std::string& text() const& noexcept { return text_; }
    std::string take() && { return std::move(text_); }

private:
    template<class... Parts>
    friend Html html(Template<std::type_identity_t<Parts>...> markup, const Parts&... parts);

    /// Appends the markup up to the next place, and steps over it.
    void copyMarkup(std::string_view& rest);
    void append(std::string_view text);
    void append(const char* text) { append(std::string_view(text)); }
    void append(const Html& markup) { text_ += markup.text_; }
    void append(Url address) { append(address.text()); }
    template<std::integral Number>
    void append(Number number) {
        text_ += std::to_string(number);
    }

    std::string text_;
};

template<class... Parts>
Html html(Template<std::type_identity_t<Parts>...> markup, const Parts&... parts) {
    Html out;
    std::string_view rest = markup.markup();
    ((out.copyMarkup(rest), out.append(parts)), ...);
    out.copyMarkup(rest);
    return out;
}

} // namespace reef::admin
