#include "base/arena.h"
#include "http/conditional.h"
#include "http/date.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

using namespace reef;
using namespace reef::http;

namespace {

constexpr std::time_t kModified = 784111777;
constexpr std::time_t kNow = kModified + 1000;
const std::string kDate(DateText(kModified).view());
const std::string kBefore(DateText(kModified - 1).view());
const std::string kAfter(DateText(kModified + 1).view());

using Fields = std::vector<std::pair<std::string, std::string>>;
using enum Precondition;

Precondition ask(const Fields& lines, Method method = Method::get, const char* etag = "\"v1\"",
                 bool exists = true) {
    Arena arena;
    HeaderList fields(arena);
    fields.add("Host", "a");
    for (const auto& [name, value] : lines)
        fields.add(name, value);
    Validators current(etag, kModified, kNow);
    current.exists = exists;
    return evaluate(method, fields, current);
}

bool rangeHolds(const Fields& lines, const char* etag = "\"v1\"", std::time_t now = kNow) {
    Arena arena;
    HeaderList fields(arena);
    for (const auto& [name, value] : lines)
        fields.add(name, value);
    return ifRangeHolds(fields, Validators(etag, kModified, now));
}

} // namespace

TEST_CASE("entity tags compare strongly and weakly as RFC 9110 8.8.3.2 shows") {
    CHECK_FALSE(strongMatch("W/\"1\"", "W/\"1\""));
    CHECK_FALSE(strongMatch("W/\"1\"", "\"1\""));
    CHECK_FALSE(strongMatch("\"1\"", "W/\"1\""));
    CHECK(strongMatch("\"1\"", "\"1\""));
    CHECK_FALSE(strongMatch("\"1\"", "\"2\""));
    CHECK(weakMatch("W/\"1\"", "W/\"1\""));
    CHECK_FALSE(weakMatch("W/\"1\"", "W/\"2\""));
    CHECK(weakMatch("W/\"1\"", "\"1\""));
    CHECK(weakMatch("\"1\"", "\"1\""));
    CHECK_FALSE(weakMatch("", ""));
    CHECK_FALSE(strongMatch("", ""));
}

TEST_CASE("If-None-Match finds the representation in its list, weakly") {
    for (const char* value : {"\"v1\"", "W/\"v1\"", "*", "\"a\", \"v1\"", "\"a\",W/\"v1\" , \"b\"",
                              ", ,\"v1\"", "\"a,b\", \"v1\"", "\"\",\"v1\""}) {
        INFO(value);
        CHECK(ask({{"If-None-Match", value}}) == notModified);
        CHECK(ask({{"if-none-match", value}}, Method::head) == notModified);
        CHECK(ask({{"If-None-Match", value}}, Method::put) == failed);
    }
    for (const char* value :
         {"", "\"v2\"", "v1", "\"v1", "v1\"", "'v1'", "w/\"v1\"", "\"a\" \"v1\"", "bad, \"v1\"",
          "\"a\";\"v1\"", "*, \"x\"", "\"V1\"", "\"v1 \"", "W/v1"}) {
        INFO(value);
        CHECK(ask({{"If-None-Match", value}}) == proceed);
    }
    CHECK(ask({{"If-None-Match", "\"a\""}, {"If-None-Match", "\"v1\""}}) == notModified);
    CHECK(ask({{"If-None-Match", "\"v1\""}}, Method::get, "W/\"v1\"") == notModified);
    CHECK(ask({{"If-None-Match", "\"v1\""}}, Method::get, "") == proceed);
}

TEST_CASE("If-Match wants the same strong tag") {
    CHECK(ask({{"If-Match", "\"v1\""}}) == proceed);
    CHECK(ask({{"If-Match", "\"x\", \"v1\""}}, Method::put) == proceed);
    CHECK(ask({{"If-Match", "*"}}, Method::put) == proceed);
    CHECK(ask({{"If-Match", "*"}}, Method::put, "", false) == failed);
    CHECK(ask({{"If-Match", "W/\"v1\""}}) == failed);
    CHECK(ask({{"If-Match", "\"v2\""}}) == failed);
    CHECK(ask({{"If-Match", "nonsense"}}) == failed);
    CHECK(ask({{"If-Match", "\"v1\""}}, Method::get, "W/\"v1\"") == failed);
    CHECK(ask({{"If-Match", "\"v1\""}}, Method::get, "") == failed);
}

TEST_CASE("a star in If-None-Match guards the creation of something new") {
    CHECK(ask({{"If-None-Match", "*"}}, Method::put, "", false) == proceed);
    CHECK(ask({{"If-None-Match", "*"}}, Method::put, "", true) == failed);
}

TEST_CASE("dates decide by the second, and only when they are dates") {
    CHECK(ask({{"If-Modified-Since", kDate}}) == notModified);
    CHECK(ask({{"If-Modified-Since", kAfter}}, Method::head) == notModified);
    CHECK(ask({{"If-Modified-Since", kBefore}}) == proceed);
    CHECK(ask({{"If-Modified-Since", kDate}}, Method::post) == proceed);
    CHECK(ask({{"If-Modified-Since", "yesterday"}}) == proceed);
    CHECK(ask({{"If-Modified-Since", kDate}, {"If-Modified-Since", kDate}}) == proceed);
    CHECK(ask({{"If-Modified-Since", "Sunday, 06-Nov-94 08:49:37 GMT"}}) == notModified);
    CHECK(ask({{"If-Unmodified-Since", kDate}}) == proceed);
    CHECK(ask({{"If-Unmodified-Since", kAfter}}, Method::put) == proceed);
    CHECK(ask({{"If-Unmodified-Since", kBefore}}) == failed);
    CHECK(ask({{"If-Unmodified-Since", "yesterday"}}) == proceed);
}

TEST_CASE("conditions count in the order of RFC 9110 13.2.2") {
    // If-Match hides If-Unmodified-Since; If-None-Match hides If-Modified-Since; a 412 comes before
    // a 304.
    CHECK(ask({{"If-Unmodified-Since", kBefore}, {"If-Match", "\"v1\""}}) == proceed);
    CHECK(ask({{"If-Modified-Since", kDate}, {"If-None-Match", "\"v2\""}}) == proceed);
    CHECK(ask({{"If-None-Match", "\"v1\""}, {"If-Match", "\"v2\""}}) == failed);
    CHECK(ask({{"If-None-Match", "\"v1\""}, {"If-Unmodified-Since", kBefore}}) == failed);
    CHECK(ask({{"If-Match", "\"v1\""}, {"If-None-Match", "\"v1\""}}) == notModified);
    CHECK(ask({{"If-Match", "\"v1\""}, {"If-Modified-Since", kDate}}) == notModified);
}

TEST_CASE("methods that select nothing ignore conditions") {
    for (const Method method : {Method::options, Method::trace, Method::connect}) {
        CHECK(ask({{"If-Match", "\"v2\""}, {"If-None-Match", "*"}}, method) == proceed);
    }
    CHECK(ask({}) == proceed);
}

TEST_CASE("If-Range holds for the same strong tag or the exact settled date") {
    CHECK(rangeHolds({}));
    CHECK(rangeHolds({{"If-Range", "\"v1\""}}));
    CHECK_FALSE(rangeHolds({{"If-Range", "\"v2\""}}));
    CHECK_FALSE(rangeHolds({{"If-Range", "W/\"v1\""}}));
    CHECK_FALSE(rangeHolds({{"If-Range", "\"v1\""}}, "W/\"v1\""));
    CHECK_FALSE(rangeHolds({{"If-Range", "v1"}}));
    CHECK_FALSE(rangeHolds({{"If-Range", ""}}));
    CHECK(rangeHolds({{"If-Range", kDate}}));
    CHECK_FALSE(rangeHolds({{"If-Range", kAfter}}));
    CHECK_FALSE(rangeHolds({{"If-Range", kBefore}}));
    CHECK_FALSE(rangeHolds({{"If-Range", kDate}}, "\"v1\"", kModified));
    CHECK_FALSE(rangeHolds({{"If-Range", "\"v1\""}, {"If-Range", "\"v1\""}}));
}
