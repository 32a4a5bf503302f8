#include "site/derived_request.h"

#include "base/text.h"
#include "http/path.h"

#include <algorithm>
#include <array>

namespace reef::site {

namespace {

/// Fields that speak of the origin's content, conditions, ranges, connection or content coding.
constexpr std::array<std::string_view, 19> kNotPassedOn{"Accept-Encoding",
                                                        "Connection",
                                                        "Content-Encoding",
                                                        "Content-Length",
                                                        "Content-Type",
                                                        "Expect",
                                                        "If-Match",
                                                        "If-Modified-Since",
                                                        "If-None-Match",
                                                        "If-Range",
                                                        "If-Unmodified-Since",
                                                        "Keep-Alive",
                                                        "Proxy",
                                                        "Proxy-Authorization",
                                                        "Proxy-Connection",
                                                        "Range",
                                                        "TE",
                                                        "Transfer-Encoding",
                                                        "Upgrade"};

bool isPassedOn(std::string_view name) {
    return std::ranges::none_of(
        kNotPassedOn, [&](std::string_view other) { return text::equalsIgnoreCase(name, other); });
}

} // namespace

DerivedRequest::DerivedRequest(const http::Request& origin)
    : request_(*origin.arena, noContent_, *origin.endpoints) {
    for (const http::HeaderField& field : origin.fields) {
        if (isPassedOn(field.name)) request_.fields.add(field.name, field.value);
    }
    request_.version = origin.version;
    request_.host = origin.host;
    request_.authority = origin.authority;
    request_.id = origin.id;
    request_.began = origin.began;
}

std::optional<std::string> DerivedRequest::aimAt(std::string_view target) {
    Arena& memory = *request_.arena;
    request_.target = memory.copy(target.substr(0, target.find('#')));
    const auto mark = request_.target.find('?');
    request_.rawPath = request_.target.substr(0, mark);
    request_.hasQuery = mark != std::string_view::npos;
    request_.query = request_.hasQuery ? request_.target.substr(mark + 1) : std::string_view{};
    const auto path = http::decodePath(request_.rawPath, memory);
    if (!path) return text::concat("the path ", target, " is not acceptable");
    request_.path = *path;
    return std::nullopt;
}

void DerivedRequest::useHead() noexcept {
    request_.method = http::Method::head;
    request_.methodName = "HEAD";
}

} // namespace reef::site
