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

std::optional<std::string> aim(http::Request& request, std::string_view target) {
    Arena& memory = *request.arena;
    const auto whole = memory.copy(target.substr(0, target.find('#')));
    const auto mark = whole.find('?');
    const auto rawPath = whole.substr(0, mark);
    const auto path = http::decodePath(rawPath, memory);
    if (!path) return text::concat("the path ", target, " is not acceptable");
    request.rawPath = rawPath;
    request.path = *path;
    request.hasQuery = mark != std::string_view::npos;
    request.query = request.hasQuery ? whole.substr(mark + 1) : std::string_view{};
    return std::nullopt;
}

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
    request_.remoteUser = origin.remoteUser;
}

std::optional<std::string> DerivedRequest::aimAt(std::string_view target) {
    request_.target = request_.arena->copy(target.substr(0, target.find('#')));
    return aim(request_, request_.target);
}

void DerivedRequest::useHead() noexcept {
    request_.method = http::Method::head;
    request_.methodName = "HEAD";
}

} // namespace reef::site
