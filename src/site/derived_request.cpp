#include "site/derived_request.h"

#include "base/text.h"
#include "http/path.h"

#include <algorithm>
#include <array>
#include <span>

namespace reef::site {

namespace {

/// Fields that speak of the origin's content or connection.
constexpr std::array<std::string_view, 12> kOfOrigin{"Connection",
                                                     "Content-Encoding",
                                                     "Content-Length",
                                                     "Content-Type",
                                                     "Expect",
                                                     "Keep-Alive",
                                                     "Proxy",
                                                     "Proxy-Authorization",
                                                     "Proxy-Connection",
                                                     "TE",
                                                     "Transfer-Encoding",
                                                     "Upgrade"};

/// Fields that speak of one representation that the client has.
constexpr std::array<std::string_view, 6> kConditions{
    "If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since", "Range"};

bool isAmong(std::span<const std::string_view> names, std::string_view name) {
    return std::ranges::any_of(
        names, [&](std::string_view other) { return text::equalsIgnoreCase(name, other); });
}

bool isPassedOn(std::string_view name, DerivedRequest::Purpose purpose, bool conditions) {
    if (text::equalsIgnoreCase(name, "Accept-Encoding"))
        return purpose != DerivedRequest::Purpose::fragment;
    const bool ofFragment = purpose == DerivedRequest::Purpose::fragment;
    if (ofFragment && text::startsWithIgnoreCase(name, "SSI-")) return false;
    if (isAmong(kOfOrigin, name)) return false;
    return conditions || !isAmong(kConditions, name);
}

bool isRead(const http::Request& request) {
    return request.method == http::Method::get || request.method == http::Method::head;
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

DerivedRequest::DerivedRequest(const http::Request& origin, Purpose purpose)
    : request_(*origin.arena, noContent_, *origin.endpoints) {
    const bool conditions = purpose == Purpose::answer && isRead(origin);
    for (const http::HeaderField& field : origin.fields) {
        if (isPassedOn(field.name, purpose, conditions))
            request_.fields.add(field.name, field.value);
    }
    if (purpose != Purpose::fragment && origin.method == http::Method::head) useHead();
    request_.version = origin.version;
    request_.host = origin.host;
    request_.authority = origin.authority;
    request_.id = origin.id;
    request_.began = origin.began;
    request_.remoteUser = origin.remoteUser;
    request_.sharedRun = origin.sharedRun;
    request_.admittedAs = origin.admittedAs;
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
