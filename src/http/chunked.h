#pragma once

#include "base/bytes.h"
#include "http/field_lines.h"
#include "http/header_list.h"
#include "http/rejection.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>

namespace reef::http {

/// Limits of the chunked coding, in bytes. Content itself is not limited here.
struct ChunkedLimits {
    std::size_t sizeLine = 256;     ///< one chunk's size and extensions
    std::size_t extensions = 16384; ///< extensions of the whole body: they carry no content
    std::size_t trailer = 8192;     ///< the trailer section
    std::size_t trailerFields = 32; ///< its lines
};

/// Takes the chunked coding off a body (RFC 9112 7.1) that arrives piece by piece, copying no
/// content. Strict: at most 16 hexadecimal digits and 2^63 - 1 bytes a chunk, valid extensions,
/// CRLF everywhere.
///
///     while (!input.empty() && decoder.state() == ChunkedDecoder::State::reading) {
///         const auto piece = decoder.take(input); // framing, and at most one run of content
///         input = input.subspan(piece.consumed);
///         if (!piece.content.empty()) deliver(piece.content);
///     }
///
/// Once the state is `ended`, what is left of the input belongs to the next message.
class ChunkedDecoder {
public:
    enum class State : std::uint8_t { reading, ended, rejected };

    struct Piece {
        ByteView content;         ///< part of the input; empty when there was framing alone
        std::size_t consumed = 0; ///< bytes of the input that are done with, the content included
    };

    /// `memory` keeps the text of trailers, when there are any.
    explicit ChunkedDecoder(std::pmr::memory_resource& memory, ChunkedLimits limits = {});
    ChunkedDecoder(const ChunkedDecoder&) = delete;
    ChunkedDecoder& operator=(const ChunkedDecoder&) = delete;

    /// Consumes framing from the front of `input` up to and including the first run of content; all
    /// of the input when none comes. Stops behind the end of the body, and at the byte that is not
    /// allowed.
    Piece take(ByteView input);

    State state() const noexcept { return state_; }
    const Rejection& rejection() const noexcept { return rejection_; } ///< 400; 431 for trailers

    /// Content bytes of the current chunk that have not come yet. The next so many bytes of the
    /// connection are content and may be moved without a look at them: then say so to
    /// `skipContent`.
    ByteCount pendingContent() const noexcept { return phase_ == Phase::content ? left_ : 0; }

    /// `bytes` of the content were taken by other means; at most `pendingContent()`.
    void skipContent(ByteCount bytes) noexcept;

    /// After `ended`: the trailer fields, without those that RFC 9110 6.5.1 forbids (framing,
    /// routing, authentication, content description, control data). Views that live as long as the
    /// decoder.
    const HeaderList& trailers() const noexcept { return trailers_; }

private:
    enum class Phase : std::uint8_t { size, extension, sizeEnd, content, contentEnd, trailer };

    /// Where we are in `*( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] )`.
    enum class Extension : std::uint8_t {
        itemEnd,
        blankBeforeItem,
        nameStart,
        name,
        blankAfterName,
        valueStart,
        token,
        quoted,
        quotedPair
    };

    bool takeByte(char c);
    bool takeSize(char c);
    bool takeExtension(char c);
    bool stepExtension(char c) noexcept;
    bool takeContentEnd(char c);
    void beginContent() noexcept;
    std::size_t takeTrailer(ByteView input);
    bool reject(std::string_view reason) noexcept;

    ChunkedLimits limits_;
    ByteCount left_ = 0; ///< the size being read; then what is left of the content
    std::size_t lineBytes_ = 0;
    std::size_t extensionBytes_ = 0;
    std::size_t digits_ = 0;
    std::pmr::string trailerText_;
    FieldLines trailerLines_;
    HeaderList trailers_;
    Rejection rejection_;
    State state_ = State::reading;
    Phase phase_ = Phase::size;
    Extension extension_ = Extension::itemEnd;
    bool sawCr_ = false;
};

/// The text before the content of one chunk: its size in hexadecimal, and CRLF. `kChunkEnd` goes
/// behind the content, `kLastChunk` behind the last chunk. A chunk of 0 bytes would end the body:
/// make none.
class ChunkPrefix {
public:
    explicit ChunkPrefix(ByteCount size) noexcept;
    ByteView bytes() const noexcept { return {text_.data(), length_}; }

private:
    std::array<char, 18> text_;
    std::size_t length_;
};

inline constexpr std::string_view kChunkEnd = "\r\n";
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

} // namespace reef::http
