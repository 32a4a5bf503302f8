#pragma once

#include "http/request.h"

#include <optional>
#include <string>
#include <string_view>

namespace reef::site {

/// Aims a request at another path with an optional query ("/a?b"): rawPath, path and query change,
/// `target` stays what the client sent. What is wrong with it, if anything; the request is then as
/// it was.
std::optional<std::string> aim(http::Request& request, std::string_view target);

/// A GET request that the server makes itself on behalf of another: for a fragment of a page, or
/// for a local redirect. It has the client's cookies, languages and address, and neither content
/// nor conditions nor ranges, nor a wish for compressed content. Lives in the frame that answers
/// it; `origin` outlives it.
class DerivedRequest {
public:
    explicit DerivedRequest(const http::Request& origin);

    http::Request& request() noexcept { return request_; }

    /// As `aim`, and the target too.
    std::optional<std::string> aimAt(std::string_view target);

    void useHead() noexcept;

private:
    http::EmptyBody noContent_;
    http::Request request_;
};

} // namespace reef::site
