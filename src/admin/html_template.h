#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace reef::admin {

class Html;
class Url;

/// What may stand in a place of a template: markup in text only, an address where an address
/// belongs.
enum class PartKind : unsigned char { text, markup, address };

template<class Part>
constexpr PartKind kPartKind = std::is_same_v<std::remove_cvref_t<Part>, Html>  ? PartKind::markup
                               : std::is_same_v<std::remove_cvref_t<Part>, Url> ? PartKind::address
                                                                                : PartKind::text;

/// Reads a template as a browser would and throws at what could not be filled safely. Runs while
/// compiling: a template that does not pass does not compile.
class TemplateCheck {
public:
    constexpr TemplateCheck(std::string_view markup, const PartKind* parts, std::size_t count)
        : markup_(markup), parts_(parts), count_(count) {}

    constexpr void run() {
        while (at_ < markup_.size()) {
            const char c = markup_[at_++];
            switch (where_) {
            case Where::text:
                inText(c);
                break;
            case Where::tag:
                inTag(c);
                break;
            case Where::value:
                inValue(c);
                break;
            }
        }
        if (where_ != Where::text) throw "a template ends within a tag";
        if (used_ != count_) throw "a template has fewer places than there are parts";
    }

private:
    enum class Where : unsigned char { text, tag, value };

    constexpr PartKind place() {
        if (at_ == markup_.size() || markup_[at_] != '}') throw "a lone brace";
        ++at_;
        if (used_ == count_) throw "a template has more places than there are parts";
        return parts_[used_++];
    }

    constexpr void inText(char c) {
        if (c == '<') {
            where_ = Where::tag;
            if (startsWith("script") || startsWith("style")) throw "script and style are files";
            word_ = at_;
        } else if (c == '{' && place() == PartKind::address) {
            throw "an address in text: make it a part of an attribute";
        }
    }

    constexpr void inTag(char c) {
        if (c == '{' || c == '\'') throw "attribute values stand in double quotes";
        if (c == '>') {
            where_ = Where::text;
        } else if (c == ' ' || c == '\n') {
            word_ = at_;
        } else if (c == '"') {
            if (at_ < 2 || markup_[at_ - 2] != '=') throw "a quote without an attribute";
            attribute_ = markup_.substr(word_, at_ - 2 - word_);
            if (attribute_.starts_with("on") || attribute_ == "style" || attribute_ == "srcdoc")
                throw "the panel has no inline script or style";
            where_ = Where::value;
        }
    }

    constexpr void inValue(char c) {
        if (c == '"') {
            where_ = Where::tag;
        } else if (c == '{') {
            const PartKind part = place();
            if (part == PartKind::markup) throw "markup cannot stand in an attribute";
            if ((part == PartKind::address) != isAddress(attribute_))
                throw "href, src and action take an Url, and nothing else does";
        }
    }

    static constexpr bool isAddress(std::string_view name) {
        return name == "href" || name == "src" || name == "action" || name == "formaction";
    }
    constexpr bool startsWith(std::string_view name) const {
        return markup_.substr(at_).starts_with(name);
    }

    std::string_view markup_;
    const PartKind* parts_;
    std::size_t count_;
    std::size_t at_ = 0;
    std::size_t used_ = 0;
    std::size_t word_ = 0; ///< where the attribute's name begins
    std::string_view attribute_;
    Where where_ = Where::text;
};

/// A literal with `{}` where parts go; checked while compiling.
template<class... Parts>
class Template {
public:
    consteval Template(const char* markup) : markup_(markup) { // NOLINT: implicit by design
        constexpr PartKind kParts[] = {kPartKind<Parts>..., PartKind::text};
        TemplateCheck(markup_, kParts, sizeof...(Parts)).run();
    }
    constexpr std::string_view markup() const noexcept { return markup_; }

private:
    std::string_view markup_;
};

} // namespace reef::admin
