#pragma once

#include "http/request.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace reef::site {

/// Aims a request at another path with an optional query ("/a?b"): rawPath, path and query change,
/// `target` stays what the client sent. What is wrong with it, if anything; the request is then as
/// it was.
std::optional<std::string> aim(http::Request& request, std::string_view target);

/// A GET request that the server makes itself on behalf of another. It has the client's cookies,
/// languages and address, and no content. Lives in the frame that answers it; `origin` outlives it.
class DerivedRequest {
public:
    /// What its answer is for, and so which of the client's wishes hold for it.
    enum class Purpose : std::uint8_t {
        fragment, ///< a part of a page: neither conditions nor ranges nor compressed content
        page,     ///< a page shown for a failure: compressed if the client likes it
        answer,   ///< in place of the origin's own: with its conditions and ranges too, when that
                  ///< is GET or HEAD; and HEAD it stays
    };
    explicit DerivedRequest(const http::Request& origin, Purpose purpose = Purpose::fragment);

    http::Request& request() noexcept { return request_; }

    /// As `aim`, and the target too.
    std::optional<std::string> aimAt(std::string_view target);

    void useHead() noexcept;

private:
    http::EmptyBody noContent_;
    http::Request request_;
};

} // namespace reef::site
