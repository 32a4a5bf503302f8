#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <zlib.h>
#include <zstd.h>

namespace reef::test {

/// What a gzip decoder makes of what it has got so far; `complete`, if given, says whether the
/// stream has come to its proper end with nothing behind it.
inline std::string gunzip(std::string_view bytes, bool* complete = nullptr) {
    z_stream stream{};
    REQUIRE(::inflateInit2(&stream, 15 + 16) == Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    std::string out;
    char room[65536];
    int code = Z_OK;
    do {
        stream.next_out = reinterpret_cast<Bytef*>(room);
        stream.avail_out = sizeof room;
        code = ::inflate(&stream, Z_SYNC_FLUSH);
        out.append(room, sizeof room - stream.avail_out);
    } while (code == Z_OK && (stream.avail_in != 0 || stream.avail_out == 0));
    CHECK((code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR));
    if (complete != nullptr) *complete = code == Z_STREAM_END && stream.avail_in == 0;
    ::inflateEnd(&stream);
    return out;
}

/// The same for zstd.
inline std::string unzstd(std::string_view bytes, bool* complete = nullptr) {
    ZSTD_DCtx* const context = ::ZSTD_createDCtx();
    ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
    std::string out;
    char room[65536];
    std::size_t left = 1;
    ZSTD_outBuffer output{room, sizeof room, 0};
    do {
        output.pos = 0;
        left = ::ZSTD_decompressStream(context, &output, &input);
        REQUIRE_FALSE(::ZSTD_isError(left));
        out.append(room, output.pos);
    } while (left != 0 && (input.pos != input.size || output.pos == output.size));
    if (complete != nullptr) *complete = left == 0 && input.pos == input.size;
    ::ZSTD_freeDCtx(context);
    return out;
}

} // namespace reef::test
