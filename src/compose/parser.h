#pragma once

#include "base/bytes.h"
#include "compose/pool_allocator.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace reef::compose {

/// A run of a page that is no directive: never empty, at most Parser::kMaxText bytes.
struct TextRun {
    ByteView bytes;
};

/// `name=value` in a directive. The value has its quotes taken off and backslash-quote pairs
/// replaced; entities and variables are still in it.
struct Attribute {
    std::string_view name;
    std::optional<std::string_view> value; ///< nothing when there was no `=`
};

/// `<!--#name attribute="value" ... -->`
struct Directive {
    std::string_view name; ///< as written; names compare without case
    std::span<const Attribute> attributes;
    std::size_t line;        ///< of its start tag, from 1
    std::string_view source; ///< all of it behind the start tag's `#`, with the end tag
};

/// Something that began like a directive and is none.
struct SyntaxError {
    std::string_view what;   ///< a literal, for the log
    std::size_t line;        ///< of its start tag, from 1
    bool unfinished = false; ///< the page ended in it
};

using Item = std::variant<TextRun, Directive, SyntaxError>;

/// Splits a page into text and directives as its bytes come, in pieces of any size.
///
///     parser.feed(piece);
///     while (auto item = parser.next()) ...
///     ... after the last piece: parser.finish(); while (auto item = parser.next()) ...
///
/// Apache's rules (mod_include): a directive begins with `<!--#`, found across any split, and its
/// name follows, perhaps behind white space (nginx). `-->` ends it, except inside a quoted value. A
/// value stands in `"`, `'` or a backtick, in which backslash and the same quote give the quote, or
/// goes on to white space or to the end tag. White space around `=` is allowed. What is wrong costs
/// the whole directive.
///
/// Text is never copied: a run is a view of the fed piece. A directive is a view of it too unless
/// a split went through it. Memory: at most kMaxDirective bytes. Knows no directive by name.
class Parser {
public:
    /// From behind the start tag to the end tag. What is longer is one SyntaxError, and is skipped.
    static constexpr std::size_t kMaxDirective = 8192;
    static constexpr std::size_t kMaxText = 65536;

    Parser() = default;
    Parser(const Parser&) = delete;
    Parser& operator=(const Parser&) = delete;

    /// More of the page. The piece is needed until `next` has answered that it wants more, and the
    /// one before must have been read to that point.
    void feed(ByteView piece) noexcept;

    /// The page is complete: a start tag that was not is text, a directive that was not is an
    /// error.
    void finish() noexcept;

    /// The next item, or nothing: feed more. Its views are valid until the next call of any member.
    std::optional<Item> next();

private:
    /// Where in a directive the bytes stand; decides what ends it.
    enum class Inside : std::uint8_t {
        text,
        beforeName,
        name,
        between,
        beforeValue,
        bare,
        quoted,
        escape
    };

    std::optional<Item> nextInText();
    std::optional<Item> nextInDirective();
    std::optional<Item> unfinished();
    bool continueTag() noexcept;
    Item textRun(ByteView bytes) noexcept;
    Item directiveOf(std::string_view source);
    std::string_view valueFrom(std::string_view& source);
    bool step(char c) noexcept;
    bool stepUnquoted(char c) noexcept;

    ByteView rest_;              // of the piece
    std::size_t tagMatched_ = 0; // bytes of the start tag at the end of the pieces before
    Inside inside_ = Inside::text;
    char quote_ = 0;
    std::uint8_t dashes_ = 0; // of the end tag, just before
    bool overlong_ = false;   // being skipped
    bool finished_ = false;
    std::size_t line_ = 1;
    std::size_t directiveLine_ = 1;
    std::string source_;    // of a directive that a split went through
    std::string unescaped_; // values in which backslash-quote was replaced
    std::vector<Attribute, PoolAllocator<Attribute>> attributes_;
};

} // namespace reef::compose
