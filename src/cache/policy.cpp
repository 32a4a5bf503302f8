#include "cache/policy.h"

#include "base/text.h"
#include "cache/cache_control.h"
#include "http/date.h"

#include <algorithm>
#include <string_view>

namespace reef::cache {

namespace {

using std::chrono::seconds;

constexpr std::size_t kMaxVaries = 8;

/// Those that a cache may keep without being told how long (RFC 9110 15.1).
bool isUsual(int status) noexcept {
    constexpr int kUsual[] = {200, 203, 204, 300, 301, 308, 404, 410};
    return std::ranges::find(kUsual, status) != std::end(kUsual);
}

bool isKeepable(int status) noexcept {
    return status >= 200 && status < 500 && status != 206 && status != 304;
}

/// Nothing: what it depends on cannot be told.
std::optional<std::vector<std::string>> variesOf(const http::ResponseHead& head,
                                                 const Rules& rules) {
    std::vector<std::string> names;
    for (const auto& [name, line] : head.fields) {
        if (!text::equalsIgnoreCase(name, "Vary")) continue;
        std::string_view rest = line;
        while (!rest.empty()) {
            auto each = text::toLower(text::trim(text::takeUntil(rest, ',')));
            if (each.empty() || each == "accept-encoding" || each == "host") continue;
            if (each == "*") return std::nullopt;
            if (std::ranges::find(rules.headers, each) != rules.headers.end()) continue;
            if (each == "cookie" && rules.cookies.empty()) return std::nullopt;
            // Who shows a password or a token is not answered from here at all.
            if (each == "cookie" || each == "authorization") continue;
            names.push_back(std::move(each));
        }
    }
    std::ranges::sort(names);
    const auto twice = std::ranges::unique(names);
    names.erase(twice.begin(), twice.end());
    if (names.size() > kMaxVaries) return std::nullopt;
    return names;
}

std::optional<seconds> untilExpiry(const http::ResponseHead& head, std::time_t now) {
    const auto expires = head.fields.find("Expires");
    if (!expires) return std::nullopt;
    const auto end = http::parseDate(*expires, now);
    if (!end) return seconds(0); // "0" and the like: in the past (RFC 9111 5.3)
    const auto date = head.fields.find("Date");
    const auto made = date ? http::parseDate(*date, now).value_or(now) : now;
    return seconds(std::max<std::time_t>(*end - made, 0));
}

Milliseconds ageOf(const http::ResponseHead& head) {
    constexpr std::uint64_t kYear = 366ULL * 86'400;
    const auto age = text::parseDecimal(head.fields.find("Age").value_or("0")).value_or(0);
    return seconds(static_cast<seconds::rep>(std::min(age, kYear)));
}

/// How long the answer says that it lasts.
std::optional<seconds> ownTime(const http::ResponseHead& head, const CacheControl& control,
                               std::time_t now) {
    if (control.sMaxAge) return control.sMaxAge;
    return control.maxAge ? control.maxAge : untilExpiry(head, now);
}

Lifetime byAnswer(const http::ResponseHead& head, const CacheControl& control, const Rules& rules,
                  std::time_t now) {
    Lifetime out;
    const auto own = ownTime(head, control, now);
    if (!own && !isUsual(head.status)) return out;
    out.fresh = own ? Milliseconds(*own) : rules.ttl;
    out.age = ageOf(head);
    if (control.mustRevalidate) return out;
    const auto chosen = [&](const std::optional<seconds>& told, bool allowed, Milliseconds usual) {
        if (told) return Milliseconds(*told);
        return allowed ? usual : Milliseconds(0);
    };
    // One that says 0 is to be made anew each time, unless it cannot be.
    const bool lasts = out.fresh.count() != 0;
    out.stale = chosen(control.staleWhileRevalidate, !control.sMaxAge && lasts, rules.stale);
    out.staleIfError = chosen(control.staleIfError, !control.sMaxAge, rules.staleIfError);
    return out;
}

} // namespace

Verdict verdictOn(const http::ResponseHead& head, const Rules& rules,
                  const std::optional<Keeping>& keeping, std::time_t now) {
    Verdict verdict;
    const auto control = cacheControlOf(head.fields);
    if (control.noStore || control.isPrivate || head.fields.contains("Set-Cookie")) return verdict;
    auto varies = variesOf(head, rules);
    if (!varies) return verdict;
    verdict.varies = std::move(*varies);
    if (head.status >= 500) {
        verdict.sharing = Sharing::waited;
        return verdict;
    }
    if (!isKeepable(head.status)) return verdict;
    if (keeping && head.status < 300) {
        verdict.lifetime = {keeping->ttl, keeping->stale, keeping->stale, Milliseconds(0)};
    } else if (!control.noCache) {
        verdict.lifetime = byAnswer(head, control, rules, now);
    }
    if (verdict.lifetime.whole() > verdict.lifetime.age) verdict.sharing = Sharing::kept;
    return verdict;
}

} // namespace reef::cache
