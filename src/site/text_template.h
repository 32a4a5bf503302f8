#pragma once

#include "base/regex.h"
#include "http/request.h"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace reef::site {

/// A text with places for what is known of a request: `$0` to `$9` (captures of the route),
/// `$path`,
/// `$query` (without the question mark), `$args` (with it, or nothing), `$host`, `$authority`,
/// `$method`,
/// `$scheme`, `$remote_addr`, `$request_id`; `${name}` where a letter follows; `$$` is a dollar.
///
/// Everything but `$query` and `$args` is percent-encoded where it is filled in, so that neither a
/// line break nor a second host can come in from a request.
class TextTemplate {
public:
    /// The error is a sentence: which name is unknown, and which there are.
    static std::expected<TextTemplate, std::string> parse(std::string_view text);

    std::string fill(const http::Request& request, const Captures& captures) const;

    /// The text as it was written.
    const std::string& source() const noexcept { return source_; }

    /// The highest capture it uses; -1: none.
    int highestCapture() const noexcept;

private:
    enum class Kind : std::uint8_t {
        literal,
        capture,
        path,
        query,
        args,
        host,
        authority,
        method,
        scheme,
        remoteAddress,
        requestId
    };
    struct Piece {
        Kind kind = Kind::literal;
        std::size_t capture = 0;
        std::string literal;
    };
    struct Name {
        std::string_view name;
        Kind kind;
    };
    static const std::vector<Name>& names();
    static std::expected<Piece, std::string> pieceNamed(std::string_view name);

    std::string source_;
    std::vector<Piece> pieces_;
};

} // namespace reef::site
