#pragma once

#include "http/header_list.h"

#include <chrono>
#include <optional>

namespace reef::cache {

/// What the Cache-Control fields of an answer say to a shared cache (RFC 9111 5.2.2, RFC 5861).
struct CacheControl {
    bool isPublic = false;
    bool isPrivate = false; ///< with names of fields too: the whole answer then counts as private
    bool noStore = false;
    bool noCache = false;        ///< the same
    bool mustRevalidate = false; ///< or proxy-revalidate
    std::optional<std::chrono::seconds> maxAge;
    std::optional<std::chrono::seconds> sMaxAge;
    std::optional<std::chrono::seconds> staleWhileRevalidate;
    std::optional<std::chrono::seconds> staleIfError;
};

/// All lines together. Names count without case, unknown directives not at all. A number that is
/// none counts as 0 (RFC 9111 4.2.1), one that is too large as 2^31 seconds; of two the smaller
/// counts.
CacheControl cacheControlOf(const http::HeaderList& fields);

} // namespace reef::cache
