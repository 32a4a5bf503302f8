#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace reef::files {

/// A media type for files whose names end in ".extension" (no dot here, any case).
struct MediaTypeRule {
    std::string extension;
    std::string type; ///< as Content-Type states it, charset and all
};

/// How a caller wants its files sent. Lives as long as the answers that use it.
struct FileOptions {
    bool compress = true;          ///< gzip and zstd, made here; needs FileCache::compressors
    bool precompressed = true;     ///< siblings page.html.br, .zst, .gz
    std::string_view cacheControl; ///< Cache-Control of 200, 206 and 304; empty: none
    std::span<const MediaTypeRule> mediaTypes; ///< before those that the server knows
};

/// What a caller gets that wants nothing special.
inline constexpr FileOptions kUsualFiles{};

} // namespace reef::files
