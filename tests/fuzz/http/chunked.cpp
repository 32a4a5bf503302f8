#include "http/chunked.h"

#include "base/arena.h"
#include "fuzz.h"
#include "http/targets.h"

#include <string>

namespace reef::fuzz {

namespace {

using namespace http;
using State = ChunkedDecoder::State;

constexpr ChunkedLimits tightLimits() {
    ChunkedLimits limits;
    limits.sizeLine = 24;
    limits.extensions = 64;
    limits.trailer = 80;
    limits.trailerFields = 4;
    return limits;
}

struct Decoded {
    Decoded() : decoder(arena, tightLimits()) {}

    void feed(std::string_view part) {
        const ExactCopy copy(part);
        ByteView input = copy.view();
        while (!input.empty() && decoder.state() == State::reading) {
            const auto piece = decoder.take(input);
            require(piece.consumed <= input.size(), "consumes what is there");
            require(piece.consumed > 0 || decoder.state() == State::rejected, "goes on");
            content += textOf(piece.content);
            consumed += piece.consumed;
            input = input.subspan(piece.consumed);
        }
    }

    Arena arena;
    ChunkedDecoder decoder;
    std::string content;
    std::size_t consumed = 0;
};

void requireSame(const Decoded& a, const Decoded& b) {
    require(a.decoder.state() == b.decoder.state(), "the end does not depend on the pieces");
    require(a.decoder.rejection().reason == b.decoder.rejection().reason, "same reason");
    require(a.content == b.content, "same content");
    require(std::ranges::equal(a.decoder.trailers(), b.decoder.trailers(),
                               [](const HeaderField& x, const HeaderField& y) {
                                   return x.name == y.name && x.value == y.value;
                               }) ||
                a.decoder.state() != State::ended,
            "same trailers");
}

} // namespace

void chunked(std::string_view input) {
    Decoded whole;
    whole.feed(input);
    Decoded pieces;
    Cuts cuts(input);
    for (std::string_view rest = input; !rest.empty();) {
        const auto part = rest.substr(0, cuts.next());
        pieces.feed(part);
        rest.remove_prefix(part.size());
    }
    requireSame(whole, pieces);
    if (whole.decoder.state() != State::ended) return;
    require(whole.consumed == pieces.consumed, "same end");
    require(input.substr(0, whole.consumed).ends_with("\r\n"), "ends in CRLF");
    require(!whole.decoder.trailers().contains("content-length"), "no framing in trailers");

    std::string again;
    if (!whole.content.empty()) {
        again += textOf(ChunkPrefix(whole.content.size()).bytes());
        again.append(whole.content).append(kChunkEnd);
    }
    again += kLastChunk;
    Decoded second;
    second.feed(again);
    require(second.decoder.state() == State::ended && second.content == whole.content,
            "round trip");
}

} // namespace reef::fuzz
