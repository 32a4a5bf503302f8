#include "http/request_line.h"

#include "base/text.h"
#include "http/characters.h"

namespace reef::http {

namespace {

using Outcome = std::expected<void, Rejection>;

std::unexpected<Rejection> reject(int status, std::string_view reason) noexcept {
    return std::unexpected(Rejection{status, reason});
}

Outcome takeVersion(std::string_view text, Request& request) noexcept {
    if (text == "HTTP/1.1") {
        request.version = Version::http11;
        return {};
    }
    if (text == "HTTP/1.0") {
        request.version = Version::http10;
        return {};
    }
    const bool wellFormed = text.size() == 8 && text.starts_with("HTTP/") &&
                            text::isDigit(text[5]) && text[6] == '.' && text::isDigit(text[7]);
    return wellFormed ? reject(505, "version not supported") : reject(400, "bad version");
}

/// Splits path and query. An empty path stands for the root (RFC 9110 4.2.3).
void takePathAndQuery(std::string_view text, Request& request) noexcept {
    const auto mark = text.find('?');
    request.rawPath = text.substr(0, mark);
    if (request.rawPath.empty()) request.rawPath = "/";
    request.hasQuery = mark != std::string_view::npos;
    request.query = request.hasQuery ? text.substr(mark + 1) : std::string_view{};
}

/// `http://authority/path?query` (RFC 9112 3.2.2).
Outcome takeAbsoluteForm(std::string_view target, Request& request) noexcept {
    const auto schemeEnd = target.find("://");
    const auto scheme = target.substr(0, schemeEnd);
    if (schemeEnd == std::string_view::npos ||
        (!text::equalsIgnoreCase(scheme, "http") && !text::equalsIgnoreCase(scheme, "https"))) {
        return reject(400, "bad request target");
    }
    const auto rest = target.substr(schemeEnd + 3);
    const auto authorityEnd = std::min(rest.find_first_of("/?"), rest.size());
    request.authority = rest.substr(0, authorityEnd);
    if (request.authority.empty()) return reject(400, "bad request target");
    takePathAndQuery(rest.substr(authorityEnd), request);
    if (request.method == Method::options && authorityEnd == rest.size()) {
        request.rawPath = "*"; // RFC 9112 3.2.4: what a proxy made of `OPTIONS *`
    }
    return {};
}

Outcome takeTarget(std::string_view target, Request& request) noexcept {
    if (request.method == Method::connect) { // authority-form (RFC 9112 3.2.3); hostOf checks it
        request.authority = target;
        request.rawPath = {};
        return {};
    }
    if (target.front() == '/') {
        takePathAndQuery(target, request);
        return {};
    }
    if (target == "*") {
        if (request.method != Method::options) return reject(400, "bad request target");
        request.rawPath = target;
        return {};
    }
    return takeAbsoluteForm(target, request);
}

} // namespace

std::expected<void, Rejection> parseRequestLine(std::string_view line, bool nonAsciiTargets,
                                                Request& request) noexcept {
    const char* begin = line.data();
    const char* end = begin + line.size();
    const char* methodEnd = skipWhile(begin, end, tokenChar);
    if (methodEnd == begin || methodEnd == end || *methodEnd != ' ') {
        return reject(400, "bad method");
    }
    request.methodName = {begin, methodEnd};
    request.method = methodNamed(request.methodName);

    const char* target = methodEnd + 1;
    const char* targetEnd = skipTarget(target, end);
    if (nonAsciiTargets) targetEnd = skipWhile(targetEnd, end, targetChar | wideChar);
    request.target = {target, targetEnd};
    if (target == targetEnd || targetEnd == end || *targetEnd != ' ') {
        return reject(400, "bad request target");
    }
    if (const auto version = takeVersion({targetEnd + 1, end}, request); !version) return version;
    return takeTarget(request.target, request);
}

} // namespace reef::http
