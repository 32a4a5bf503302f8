#include "site/text_template.h"

#include "base/text.h"
#include "http/path.h"

#include <algorithm>

namespace reef::site {

const std::vector<TextTemplate::Name>& TextTemplate::names() {
    static const std::vector<Name> all{
        {"path", Kind::path},
        {"query", Kind::query},
        {"args", Kind::args},
        {"host", Kind::host},
        {"authority", Kind::authority},
        {"method", Kind::method},
        {"scheme", Kind::scheme},
        {"remote_addr", Kind::remoteAddress},
        {"request_id", Kind::requestId},
    };
    return all;
}

std::expected<TextTemplate::Piece, std::string> TextTemplate::pieceNamed(std::string_view name) {
    if (name.size() == 1 && text::isDigit(name[0]))
        return Piece{Kind::capture, static_cast<std::size_t>(name[0] - '0'), {}};
    const auto known = std::ranges::find(names(), name, &Name::name);
    if (known != names().end()) return Piece{known->kind, 0, {}};
    std::string expected = "$0 to $9";
    for (const Name& each : names())
        expected += text::concat(", $", each.name);
    return std::unexpected(
        text::concat("unknown `$", name, "`; expected one of ", expected, ", or $$ for a dollar"));
}

std::expected<TextTemplate, std::string> TextTemplate::parse(std::string_view source) {
    constexpr std::string_view kNameLetters = "abcdefghijklmnopqrstuvwxyz_";
    TextTemplate result;
    result.source_ = source;
    std::string literal;
    while (!source.empty()) {
        if (source.front() != '$') {
            literal += source.front();
            source.remove_prefix(1);
            continue;
        }
        source.remove_prefix(1);
        if (source.starts_with('$')) {
            literal += '$';
            source.remove_prefix(1);
            continue;
        }
        std::string_view name;
        if (source.starts_with('{')) {
            const auto end = source.find('}');
            if (end == std::string_view::npos)
                return std::unexpected(std::string("`${` without its `}`"));
            name = source.substr(1, end - 1);
            source.remove_prefix(end + 1);
        } else {
            const bool digit = !source.empty() && text::isDigit(source.front());
            const auto end = digit ? 1 : source.find_first_not_of(kNameLetters);
            name = source.substr(0, end);
            source.remove_prefix(name.size());
        }
        auto piece = pieceNamed(name);
        if (!piece) return std::unexpected(std::move(piece.error()));
        if (!literal.empty())
            result.pieces_.push_back({Kind::literal, 0, std::exchange(literal, {})});
        result.pieces_.push_back(std::move(*piece));
    }
    if (!literal.empty()) result.pieces_.push_back({Kind::literal, 0, std::move(literal)});
    return result;
}

std::string TextTemplate::fill(const http::Request& request, const Captures& captures) const {
    std::string out;
    for (const Piece& piece : pieces_) {
        switch (piece.kind) {
        case Kind::literal:
            out += piece.literal;
            break;
        case Kind::capture:
            out += http::encodePath(captures[piece.capture]);
            break;
        case Kind::path:
            out += http::encodePath(request.path);
            break;
        case Kind::query:
            out += request.query;
            break;
        case Kind::args:
            if (request.hasQuery) out += text::concat('?', request.query);
            break;
        case Kind::host:
            out += request.host;
            break;
        case Kind::authority:
            out += request.authority;
            break;
        case Kind::method:
            out += http::encodePath(request.methodName);
            break;
        case Kind::scheme:
            out += request.endpoints->secure ? "https" : "http";
            break;
        case Kind::remoteAddress:
            out += request.endpoints->remoteAddress;
            break;
        case Kind::requestId:
            out += request.id;
            break;
        }
    }
    // "/$1" of a path with two slashes would name another host (RFC 3986 4.2).
    if (!source_.starts_with("//") && out.starts_with("//"))
        out.erase(0, out.find_first_not_of('/') == std::string::npos
                         ? out.size() - 1
                         : out.find_first_not_of('/') - 1);
    return out;
}

int TextTemplate::highestCapture() const noexcept {
    int highest = -1;
    for (const Piece& piece : pieces_)
        if (piece.kind == Kind::capture)
            highest = std::max(highest, static_cast<int>(piece.capture));
    return highest;
}

} // namespace reef::site
