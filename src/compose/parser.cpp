#include "compose/parser.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace reef::compose {

namespace {

constexpr std::string_view kStartTag = "<!--#";
constexpr std::string_view kEndTag = "-->";

constexpr bool isSpace(char c) noexcept {
    return c == ' ' || (c >= '\t' && c <= '\r');
}
constexpr bool isQuote(char c) noexcept {
    return c == '"' || c == '\'' || c == '`';
}

/// Counts in runs short enough for a one-byte sum, which the compiler does sixteen bytes at a time:
/// eight times as fast as a plain count.
std::size_t linesIn(ByteView bytes) noexcept {
    constexpr std::size_t kRun = 255;
    std::size_t lines = 0;
    while (!bytes.empty()) {
        const auto run = bytes.first(std::min(bytes.size(), kRun));
        std::uint8_t inRun = 0;
        for (const char c : run)
            inRun = static_cast<std::uint8_t>(inRun + (c == '\n' ? 1 : 0));
        lines += inRun;
        bytes = bytes.subspan(run.size());
    }
    return lines;
}

/// How much of the start tag stands at the beginning of `bytes`; all of it, or up to their end, or
/// 0.
std::size_t tagAt(ByteView bytes) noexcept {
    const auto length = std::min(bytes.size(), kStartTag.size());
    return std::memcmp(bytes.data(), kStartTag.data(), length) == 0 ? length : 0;
}

/// Where the first start tag is, or the part of one that the end cuts off; the size when there is
/// none. Looks for the `!`, which is far rarer in HTML than the `<`.
std::size_t findTag(ByteView bytes) noexcept {
    const char* const begin = bytes.data();
    const char* const end = begin + bytes.size();
    const char* from = begin;
    while (from != end) {
        const auto* mark =
            static_cast<const char*>(std::memchr(from, '!', static_cast<std::size_t>(end - from)));
        if (mark == nullptr) break;
        if (mark != begin && tagAt({mark - 1, end}) != 0) {
            return static_cast<std::size_t>(mark - 1 - begin);
        }
        from = mark + 1;
    }
    const bool opensAtEnd = !bytes.empty() && bytes.back() == kStartTag.front();
    return bytes.size() - (opensAtEnd ? 1 : 0);
}

std::string_view takeWhile(std::string_view& source, bool (*wanted)(char)) noexcept {
    const auto length =
        static_cast<std::size_t>(std::ranges::find_if_not(source, wanted) - source.begin());
    const auto taken = source.substr(0, length);
    source.remove_prefix(length);
    return taken;
}

void skipSpace(std::string_view& source) noexcept {
    takeWhile(source, [](char c) { return isSpace(c); });
}

} // namespace

void Parser::feed(ByteView piece) noexcept {
    rest_ = piece;
}

void Parser::finish() noexcept {
    finished_ = true;
}

std::optional<Item> Parser::next() {
    if (finished_ && rest_.empty()) return unfinished();
    return inside_ == Inside::text ? nextInText() : nextInDirective();
}

std::optional<Item> Parser::nextInText() {
    if (tagMatched_ != 0) {
        if (!continueTag()) {
            if (rest_.empty()) return std::nullopt;
            return textRun(bytesOf(kStartTag.substr(0, std::exchange(tagMatched_, 0))));
        }
        return nextInDirective();
    }
    const auto window = rest_.first(std::min(rest_.size(), kMaxText));
    if (const auto length = findTag(window); length != 0) {
        const auto run = rest_.first(length);
        rest_ = rest_.subspan(length);
        return textRun(run);
    }
    if (continueTag()) return nextInDirective();
    return std::nullopt;
}

/// Takes what follows of a start tag that has begun. True: it is complete, a directive begins.
bool Parser::continueTag() noexcept {
    while (!rest_.empty() && rest_.front() == kStartTag[tagMatched_]) {
        rest_ = rest_.subspan(1);
        if (++tagMatched_ != kStartTag.size()) continue;
        tagMatched_ = 0;
        inside_ = Inside::beforeName;
        dashes_ = 0;
        directiveLine_ = line_;
        source_.clear();
        return true;
    }
    return false;
}

std::optional<Item> Parser::nextInDirective() {
    const auto ending = std::ranges::find_if(rest_, [this](char c) { return step(c); });
    const bool complete = ending != rest_.end();
    const auto taken =
        rest_.first(static_cast<std::size_t>(ending - rest_.begin()) + (complete ? 1 : 0));
    rest_ = rest_.subspan(taken.size());
    line_ += linesIn(taken);
    if (complete) inside_ = Inside::text;

    if (overlong_) {
        overlong_ = !complete;
        return complete ? next() : std::nullopt;
    }
    if (source_.size() + taken.size() > kMaxDirective + kEndTag.size()) {
        overlong_ = !complete;
        return SyntaxError{"a directive is too long", directiveLine_};
    }
    if (complete && source_.empty()) return directiveOf(textOf(taken));
    source_ += textOf(taken);
    if (!complete) return std::nullopt;
    return directiveOf(source_);
}

/// Takes one byte of a directive into account. True: it is the last of the end tag.
bool Parser::step(char c) noexcept {
    if (inside_ == Inside::escape) {
        inside_ = Inside::quoted;
        if (c == quote_) return false;
    }
    if (inside_ != Inside::quoted) return stepUnquoted(c);
    if (c == '\\') inside_ = Inside::escape;
    if (c == quote_) inside_ = Inside::between;
    return false;
}

bool Parser::stepUnquoted(char c) noexcept {
    if (c == '>' && dashes_ == 2) return true;
    dashes_ = c == '-' ? static_cast<std::uint8_t>(std::min(2, dashes_ + 1)) : std::uint8_t{0};
    switch (inside_) {
    case Inside::between:
        if (c == '=') inside_ = Inside::beforeValue;
        break;
    case Inside::beforeValue:
        if (isSpace(c)) break;
        inside_ = isQuote(c) ? Inside::quoted : Inside::bare;
        quote_ = c;
        break;
    case Inside::beforeName:
        if (!isSpace(c)) inside_ = Inside::name;
        break;
    default: // name, bare
        if (isSpace(c)) inside_ = Inside::between;
    }
    return false;
}

/// `source` goes from behind the start tag to the end of the end tag, and `step` has found it
/// sound: every quote is closed.
Item Parser::directiveOf(std::string_view source) {
    const auto whole = source;
    skipSpace(source);
    source.remove_suffix(kEndTag.size());
    const auto name = takeWhile(source, [](char c) { return !isSpace(c); });
    if (name.empty()) return SyntaxError{"no name follows the start tag", directiveLine_};

    attributes_.clear();
    unescaped_.clear();
    for (skipSpace(source); !source.empty(); skipSpace(source)) {
        Attribute attribute;
        attribute.name = takeWhile(source, [](char c) { return !isSpace(c) && c != '='; });
        skipSpace(source);
        if (source.starts_with('=')) {
            source.remove_prefix(1);
            skipSpace(source);
            attribute.value = valueFrom(source);
        }
        if (attribute.name.empty()) {
            return SyntaxError{"a value has no attribute name", directiveLine_};
        }
        attributes_.push_back(attribute);
    }
    return Directive{name, attributes_, directiveLine_, whole};
}

std::string_view Parser::valueFrom(std::string_view& source) {
    if (source.empty() || !isQuote(source.front())) {
        return takeWhile(source, [](char c) { return !isSpace(c); });
    }
    const char quote = source.front();
    source.remove_prefix(1);
    const auto whole = source;
    std::size_t end = 0;
    bool escapes = false;
    for (; whole[end] != quote; ++end) {
        if (whole[end] != '\\' || whole[end + 1] != quote) continue;
        escapes = true;
        ++end;
    }
    source.remove_prefix(end + 1);
    if (!escapes) return whole.substr(0, end);

    unescaped_.reserve(Parser::kMaxDirective + kEndTag.size()); // views of it stay where they are
    const auto begin = unescaped_.size();
    for (std::size_t i = 0; i != end; ++i) {
        if (whole[i] == '\\' && whole[i + 1] == quote) ++i;
        unescaped_ += whole[i];
    }
    return std::string_view(unescaped_).substr(begin);
}

std::optional<Item> Parser::unfinished() {
    if (tagMatched_ != 0) {
        return textRun(bytesOf(kStartTag.substr(0, std::exchange(tagMatched_, 0))));
    }
    if (std::exchange(inside_, Inside::text) == Inside::text) return std::nullopt;
    if (std::exchange(overlong_, false)) return std::nullopt;
    return SyntaxError{"a directive does not end", directiveLine_, true};
}

Item Parser::textRun(ByteView bytes) noexcept {
    line_ += linesIn(bytes);
    return TextRun{bytes};
}

} // namespace reef::compose
