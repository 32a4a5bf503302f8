#include "cache/cache_control.h"

#include "base/arena.h"
#include "base/text.h"
#include "cache/policy.h"
#include "cache/targets.h"
#include "fuzz.h"

namespace reef::fuzz {

namespace {

bool isTime(const std::optional<std::chrono::seconds>& time) {
    return !time || (time->count() >= 0 && time->count() <= 1LL << 31U);
}

bool isSame(const cache::CacheControl& a, const cache::CacheControl& b) {
    return a.isPublic == b.isPublic && a.isPrivate == b.isPrivate && a.noStore == b.noStore &&
           a.noCache == b.noCache && a.mustRevalidate == b.mustRevalidate && a.maxAge == b.maxAge &&
           a.sMaxAge == b.sMaxAge && a.staleWhileRevalidate == b.staleWhileRevalidate &&
           a.staleIfError == b.staleIfError;
}

} // namespace

void cacheControl(std::string_view input) {
    const ExactCopy copy(input);
    std::string_view rest(copy.view().data(), copy.view().size());
    Arena arena;
    http::ResponseHead head(arena);
    for (int i = 0; !rest.empty() && i < 20; ++i)
        head.fields.add("Cache-Control", text::takeUntil(rest, '\n'));
    const auto said = cache::cacheControlOf(head.fields);
    require(isTime(said.maxAge) && isTime(said.sMaxAge) && isTime(said.staleIfError) &&
                isTime(said.staleWhileRevalidate),
            "times are bounded");
    cache::Rules rules;
    rules.ttl = std::chrono::seconds(60);
    const auto verdict = cache::verdictOn(head, rules, std::nullopt, 0);
    const bool forbids = said.noStore || said.isPrivate || said.noCache;
    require(!forbids || verdict.sharing == cache::Sharing::own, "what is forbidden is not kept");
    const auto insisted =
        cache::verdictOn(head, rules, cache::Keeping{std::chrono::seconds(5), {}}, 0);
    require((insisted.sharing == cache::Sharing::own) == (said.noStore || said.isPrivate),
            "an include stands over times alone");
    head.fields.add("cache-control", "x-never-named=5, ,=,max_age=1");
    require(isSame(cache::cacheControlOf(head.fields), said), "what is unknown changes nothing");
    head.fields.add("cache-control", "\t no-STORE ");
    require(cache::cacheControlOf(head.fields).noStore, "a further line counts");
}

} // namespace reef::fuzz
