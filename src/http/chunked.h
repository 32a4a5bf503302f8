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

/// Limits of the chunked coding. Content itself is not limited here.
struct ChunkedLimits {
    std::size_t sizeLine = 256; ///< bytes of one chunk's size and extensions
    std::size_t extensions =
        16384;                  ///< bytes of extensions in the whole body (they carry no content)
    std::size_t trailer = 8192; ///< bytes of the trailer section
    std::size_t trailerFields = 32;
};

/// Takes the chunked coding off a body (RFC 9112 7.1) that arrives piece by piece, copying no
/// content. Strict: at most 16 hexadecimal digits and 2^63 - 1 bytes a chunk, valid extensions,
/// CRLF everywhere.
///
///     while (!input.empty() && decoder.state() == State::reading) {
///         auto piece = decoder.take(input);            // framing, and at most one run of content
///         input = input.subspan(piece.consumed);
///         if (!piece.content.empty()) deliver(piece.content);
///     }
///
/// When the state is `ended`, what is left of the input belongs to the next message.
class ChunkedDecoder {
public:
    enum class State : std::uint8_t { reading, ended, rejected };

    struct Piece {
        ByteView content;         ///< part of the input; empty when it held framing alone
        std::size_t consumed = 0; ///< bytes of the input that are done with, the content included
    };

    /// `memory` keeps the text of trailers, when there are any.
    explicit ChunkedDecoder(std::pmr::memory_resource& memory, ChunkedLimits limits = {});

    /// Consumes framing from the front of `input` up to and including the first run of content.
    /// Consumes all of it, unless content or the end of the body stands in between. Consumes
    /// nothing once ended or rejected.
    Piece take(ByteView input);

    State state() const noexcept { return state_; }
    const Rejection& rejection() const noexcept { return rejection_; } ///< 400, or 431 for trailers

    /// Content bytes of the current chunk that have not come yet: the next so many bytes are
    /// content, and may be moved without a look at them; then tell `skipContent`.
    ByteCount pendingContent() const noexcept { return phase_ == Phase::content ? left_ : 0; }
    void skipContent(ByteCount bytes) noexcept;

    /// After `ended`: the trailer fields, without those that RFC 9110 6.5.1 forbids (framing,
    /// routing, authentication, content description). Views into the memory given.
    const HeaderList& trailers() const noexcept { return trailers_; }

private:
    enum class Phase : std::uint8_t {
        sizeStart,
        size,
        extension,
        sizeLf,
        content,
        contentCr,
        contentLf,
        trailer
    };

    std::size_t takeFraming(ByteView input);
    bool takeByte(char c);
    bool startSize(char c);
    bool takeSize(char c);
    bool takeExtension(char c);
    bool endSizeLine();
    std::size_t takeTrailer(ByteView input);
    bool reject(std::string_view reason) noexcept;

    ChunkedLimits limits_;
    ByteCount left_ = 0;
    std::size_t lineBytes_ = 0;
    std::size_t extensionBytes_ = 0;
    std::pmr::string trailerText_;
    FieldLines trailerLines_;
    HeaderList trailers_;
    Rejection rejection_;
    State state_ = State::reading;
    Phase phase_ = Phase::sizeStart;
    std::uint8_t extensionState_ = 0;
};

/// The text before the content of one chunk: size in hexadecimal and CRLF. After the content comes
/// `kChunkEnd`, at the end of the body `kLastChunk`. A chunk of 0 bytes would end the body: never
/// make one.
class ChunkPrefix {
public:
    explicit ChunkPrefix(ByteCount size) noexcept;
    ByteView text() const noexcept { return {text_.data(), length_}; }

private:
    std::array<char, 18> text_;
    std::size_t length_;
};

inline constexpr std::string_view kChunkEnd = "\r\n";
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

} // namespace reef::http
