#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <zlib.h>
#include <zstd.h>

/// Content as others code it, by the libraries themselves.
namespace reef::test {

/// `windowBits` as deflateInit2 has them; `mode`: Z_FINISH, or Z_SYNC_FLUSH for a stream that has
/// not ended.
inline std::string deflated(std::string_view content, int windowBits, int mode = Z_FINISH) {
    z_stream stream{};
    REQUIRE(::deflateInit2(&stream, 6, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    std::string out(::deflateBound(&stream, content.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    REQUIRE(::deflate(&stream, mode) == (mode == Z_FINISH ? Z_STREAM_END : Z_OK));
    out.resize(out.size() - stream.avail_out);
    ::deflateEnd(&stream);
    return out;
}

inline std::string gzip(std::string_view content) {
    return deflated(content, 15 + 16);
}
inline std::string zlib(std::string_view content) {
    return deflated(content, 15);
}
inline std::string rawDeflate(std::string_view content) {
    return deflated(content, -15);
}
inline std::string flushedGzip(std::string_view content) {
    return deflated(content, 15 + 16, Z_SYNC_FLUSH);
}

/// As a stream, whose length nobody knows beforehand; so its head names the window.
inline std::string zstd(std::string_view content, int windowLog) {
    ZSTD_CCtx* const context = ::ZSTD_createCCtx();
    ::ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, windowLog);
    ::ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    std::string out(::ZSTD_compressBound(content.size()) + 64, '\0');
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    ZSTD_inBuffer first{content.data(), content.size() / 2, 0};
    REQUIRE_FALSE(::ZSTD_isError(::ZSTD_compressStream2(context, &output, &first, ZSTD_e_flush)));
    ZSTD_inBuffer rest{content.data() + first.size, content.size() - first.size, 0};
    REQUIRE(::ZSTD_compressStream2(context, &output, &rest, ZSTD_e_end) == 0);
    ::ZSTD_freeCCtx(context);
    out.resize(output.pos);
    return out;
}
inline std::string zstd(std::string_view content) {
    return zstd(content, 17);
}

} // namespace reef::test
