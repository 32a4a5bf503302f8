#include "gateway/query_arguments.h"

#include <catch2/catch.hpp>

using namespace reef;
using Words = std::vector<std::string>;

TEST_CASE("the words of a query without = are arguments, decoded once") {
    const auto of = [](std::string_view query) {
        return gateway::queryArguments(http::Method::get, query);
    };
    CHECK(of("a+b+c") == Words{"a", "b", "c"});
    CHECK(of("one") == Words{"one"});
    CHECK(of("a%20b+%2B%3d") == Words{"a b", "+="});
    CHECK(of("%2541") == Words{"%41"});
    CHECK(of("a++b+") == Words{"a", "", "b", ""});
    CHECK(of("--help") == Words{"--help"});
    CHECK(gateway::queryArguments(http::Method::head, "a") == Words{"a"});
}

TEST_CASE("no arguments at all come of what is no such query") {
    for (const char* query : {"", "a=b", "a+b=", "a%00b", "a+%", "a+%4", "a+%zz", "ok+a%0"}) {
        INFO(query);
        CHECK(gateway::queryArguments(http::Method::get, query).empty());
    }
    CHECK(gateway::queryArguments(http::Method::post, "a+b").empty());
    std::string many = "x";
    for (int i = 0; i < 256; ++i)
        many += "+x";
    CHECK(gateway::queryArguments(http::Method::get, many).empty());
}
