#include "base/arena.h"
#include "cache/policy.h"
#include "http/date.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace std::chrono_literals;
using cache::Milliseconds;
using cache::Sharing;

namespace {

constexpr std::time_t kNow = 1'700'000'000;

struct Answer {
    Answer(std::initializer_list<std::pair<std::string_view, std::string_view>> fields,
           int status = 200)
        : head(arena, status) {
        for (const auto& [name, value] : fields)
            head.fields.add(name, value);
    }

    cache::Verdict verdict(std::optional<cache::Keeping> keeping = {}) const {
        return cache::verdictOn(head, rules, keeping, kNow);
    }
    bool kept() const { return verdict().sharing == Sharing::kept; }
    Milliseconds fresh() const { return verdict().lifetime.fresh; }

    Arena arena;
    http::ResponseHead head;
    cache::Rules rules;
};

} // namespace

TEST_CASE("an answer that says nothing is kept as long as the rules say, without them not at all") {
    Answer answer({});
    CHECK_FALSE(answer.kept());
    answer.rules.ttl = 1500ms;
    answer.rules.stale = 10s;
    answer.rules.staleIfError = 1h;
    REQUIRE(answer.kept());
    CHECK(answer.verdict().lifetime == cache::Lifetime{1500ms, 10s, 1h, 0ms});
}

TEST_CASE("s-maxage stands over max-age, that over Expires, that over the rules") {
    const auto later = [](int more) { return http::DateText(kNow + more); };
    const auto expires = later(50);
    Answer all({{"Expires", expires.view()}, {"Cache-Control", "max-age=60, s-maxage=70"}});
    all.rules.ttl = 5s;
    CHECK(all.fresh() == 70s);
    Answer two({{"Expires", expires.view()}, {"Cache-Control", "max-age=60"}});
    CHECK(two.fresh() == 60s);
    Answer one({{"Expires", expires.view()}});
    one.rules.ttl = 5s;
    CHECK(one.fresh() == 50s);
    const auto made = later(-10);
    CHECK(Answer({{"Expires", expires.view()}, {"Date", made.view()}}).fresh() == 60s);
}

TEST_CASE("an Expires that is over, or is no date, is over") {
    Answer zero({{"Expires", "0"}});
    zero.rules.ttl = 60s;
    CHECK_FALSE(zero.kept());
    Answer past({{"Expires", "Sun, 06 Nov 1994 08:49:37 GMT"}});
    past.rules.ttl = 60s;
    CHECK_FALSE(past.kept());
}

TEST_CASE("the age that an answer comes with is a part of its time") {
    Answer aged({{"Cache-Control", "max-age=60"}, {"Age", "20"}});
    REQUIRE(aged.kept());
    CHECK(aged.verdict().lifetime.age == 20s);
    CHECK_FALSE(Answer({{"Cache-Control", "max-age=60"}, {"Age", "60"}}).kept());
}

TEST_CASE("what is for one visitor is kept for nobody, whatever rules and includes say") {
    const cache::Keeping minute{60s, 60s};
    for (const char* value : {"private", "no-store, max-age=60", "public, private=\"x\""}) {
        Answer answer({{"Cache-Control", value}});
        answer.rules.ttl = 60s;
        INFO(value);
        CHECK(answer.verdict().sharing == Sharing::own);
        CHECK(answer.verdict(minute).sharing == Sharing::own);
    }
    Answer cookie({{"Set-Cookie", "a=b"}, {"Cache-Control", "public, max-age=60"}});
    CHECK(cookie.verdict().sharing == Sharing::own);
    CHECK(cookie.verdict(minute).sharing == Sharing::own);
    Answer failed({{"Set-Cookie", "a=b"}}, 500);
    CHECK(failed.verdict().sharing == Sharing::own);
}

TEST_CASE("an include's time stands over that of the answer, also over no-cache") {
    Answer answer({{"Cache-Control", "no-cache, max-age=0, must-revalidate"}});
    answer.rules.ttl = 5s;
    CHECK(answer.verdict().sharing == Sharing::own);
    const auto verdict = answer.verdict(cache::Keeping{30s, 60s});
    CHECK(verdict.sharing == Sharing::kept);
    CHECK(verdict.lifetime == cache::Lifetime{30s, 60s, 60s, 0ms});
}

TEST_CASE("must-revalidate forbids stale answers, s-maxage does unless the answer allows them") {
    Answer strict({{"Cache-Control", "max-age=60, stale-if-error=9, must-revalidate"}});
    strict.rules.stale = strict.rules.staleIfError = 1h;
    CHECK(strict.verdict().lifetime == cache::Lifetime{60s, 0s, 0s, 0s});
    Answer shared({{"Cache-Control", "s-maxage=60, stale-while-revalidate=9"}});
    shared.rules.stale = shared.rules.staleIfError = 1h;
    CHECK(shared.verdict().lifetime == cache::Lifetime{60s, 9s, 0s, 0s});
    Answer plain({{"Cache-Control", "max-age=60, stale-if-error=9"}});
    plain.rules.stale = plain.rules.staleIfError = 1h;
    CHECK(plain.verdict().lifetime == cache::Lifetime{60s, 1h, 9s, 0s});
    Answer never({{"Cache-Control", "max-age=0"}});
    never.rules.stale = never.rules.staleIfError = 1h;
    CHECK(never.verdict().lifetime == cache::Lifetime{0s, 0s, 1h, 0s});
}

TEST_CASE("which statuses are kept: usual ones by rules, others when they say how long") {
    for (const int status : {200, 203, 204, 300, 301, 308, 404, 410}) {
        Answer answer({}, status);
        answer.rules.ttl = 60s;
        INFO(status);
        CHECK(answer.kept());
    }
    for (const int status : {201, 302, 303, 307, 400, 403, 429}) {
        Answer answer({}, status);
        answer.rules.ttl = 60s;
        INFO(status);
        CHECK_FALSE(answer.kept());
        CHECK(Answer({{"Cache-Control", "max-age=5"}}, status).kept());
    }
    CHECK_FALSE(Answer({{"Cache-Control", "max-age=5"}}, 206).kept());
    CHECK_FALSE(Answer({{"Cache-Control", "max-age=5"}}, 304).kept());
    CHECK(Answer({{"Cache-Control", "max-age=5"}}, 503).verdict().sharing == Sharing::waited);
}

TEST_CASE("Vary names what the key lacks") {
    Answer answer(
        {{"Vary", "Accept-Language, accept-encoding"}, {"vary", "Origin,X-Kind, origin"}});
    answer.rules.ttl = 60s;
    answer.rules.headers = {"x-kind"};
    CHECK(answer.kept());
    CHECK(answer.verdict().varies == std::vector<std::string>{"accept-language", "origin"});
    Answer star({{"Vary", "Origin, *"}});
    star.rules.ttl = 60s;
    CHECK_FALSE(star.kept());
    Answer many({{"Vary", "a,b,c,d,e,f,g,h,i"}});
    many.rules.ttl = 60s;
    CHECK_FALSE(many.kept());
}

TEST_CASE("an answer that depends on cookies is kept where the rules choose some") {
    Answer answer({{"Vary", "Cookie"}});
    answer.rules.ttl = 60s;
    CHECK_FALSE(answer.kept());
    answer.rules.cookies = {"lang"};
    CHECK(answer.kept());
    CHECK(answer.verdict().varies.empty());
}
