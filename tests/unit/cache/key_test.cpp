#include "base/arena.h"
#include "cache/key.h"

#include <catch2/catch.hpp>

using namespace reef;
using cache::Fields;
using cache::Key;

namespace {

struct Request {
    Request(std::initializer_list<std::pair<std::string_view, std::string_view>> lines)
        : fields(arena) {
        for (const auto& [name, value] : lines)
            fields.add(name, value);
    }
    Arena arena;
    http::HeaderList fields;
};

} // namespace

TEST_CASE("other parts make another key, however they are cut") {
    CHECK(Key().add("a").add("bc").take() != Key().add("ab").add("c").take());
    CHECK(Key().add("").add("a").take() != Key().add("a").add("").take());
    CHECK(Key().add("1:a").take() != Key().add("1").add("a").take());
    CHECK(Key().add(Fields{{"a", "b"}}).take() != Key().add(Fields{{"a", "b"}, {"c", "d"}}).take());
    CHECK(Key().add(Fields{}).add("x").take() != Key().add("x").add(Fields{}).take());
}

TEST_CASE("of a request only the chosen fields are in the key, each as one line") {
    const Request request({{"Accept-Language", "de"},
                           {"X-Other", "secret"},
                           {"accept-language", "en"},
                           {"Authorization", "Basic c2VjcmV0"}});
    cache::Rules rules;
    rules.headers = {"accept-language", "x-absent"};
    CHECK(cache::chosenFields(request.fields, rules) == Fields{{"accept-language", "de, en"}});
    CHECK(cache::chosenFields(request.fields, cache::Rules()).empty());
}

TEST_CASE("of cookies only the chosen ones, in the rules' order, the first of a name") {
    const Request request(
        {{"Cookie", "session=secret; theme = dark;lang=de; lang=en"}, {"Cookie", "x=y; theme=z"}});
    cache::Rules rules;
    rules.cookies = {"lang", "theme", "absent"};
    CHECK(cache::chosenFields(request.fields, rules) == Fields{{"cookie", "lang=de; theme=dark"}});
    const Request none({{"Cookie", "session=secret; langx=1; xlang=2"}});
    CHECK(cache::chosenFields(none.fields, rules).empty());
    const Request empty({{"Cookie", "lang="}});
    CHECK(cache::chosenFields(empty.fields, rules) == Fields{{"cookie", "lang="}});
}

TEST_CASE("a variant tells values apart, and what is absent from what is empty") {
    const std::vector<std::string> names{"origin"};
    const auto with = [&](const Fields& fields) { return cache::variant("p", names, fields); };
    CHECK(with({}) != with({{"origin", ""}}));
    CHECK(with({{"origin", "a"}}) != with({{"origin", "b"}}));
    CHECK(with({{"origin", "a"}, {"other", "x"}}) == with({{"origin", "a"}}));
    CHECK(cache::variant("p", {}, {{"origin", "a"}}) == "p");
    CHECK(with({}) != "p");
}

TEST_CASE("people know an answer by its decoded path, without the query") {
    CHECK(cache::pathOf("/a%20b/../c?x=/y") == "/c");
    CHECK(cache::pathOf("nonsense").empty());
}
