#include "admin/cookies.h"
#include "admin/origin.h"
#include "base/arena.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

using namespace reef;
using namespace reef::admin;

namespace {

struct Fields {
    Fields(std::initializer_list<std::pair<const char*, const char*>> lines) : list(arena) {
        for (const auto& [name, value] : lines)
            list.add(name, value);
    }
    Arena arena;
    http::HeaderList list;
};

Sender sender(std::initializer_list<std::pair<const char*, const char*>> lines) {
    const Fields fields(lines);
    return senderOf(fields.list, "127.0.0.1:8081");
}

} // namespace

TEST_CASE("the panel answers to loopback names, its own address and names configured") {
    const std::vector<std::string> configured = {"panel.example.org"};
    for (const char* host : {"localhost", "127.0.0.1", "[::1]", "panel.example.org", "192.0.2.7"})
        CHECK(isOurHost(host, "192.0.2.7", configured));
    CHECK(isOurHost("[2001:db8::7]", "2001:db8::7", {}));
    for (const char* host :
         {"", "[]", "evil.example", "127.0.0.1.evil.example", "127.0.0.2", "192.0.2.8",
          "localhost.evil.example", "example.org", "x.panel.example.org", "192.0.2.7.evil.example"})
        CHECK_FALSE(isOurHost(host, "192.0.2.7", configured));
    CHECK_FALSE(isOurHost("", "", {})); // over a unix socket there is no address
    CHECK_FALSE(isOurHost("[]", "", {}));
}

TEST_CASE("the browser says who made it send a form") {
    CHECK(sender({}) == Sender::unknown);
    CHECK(sender({{"Origin", "http://127.0.0.1:8081"}}) == Sender::ourselves);
    CHECK(sender({{"Origin", "https://127.0.0.1:8081"}}) == Sender::ourselves);
    CHECK(sender({{"Sec-Fetch-Site", "same-origin"}}) == Sender::ourselves);
    CHECK(sender({{"Sec-Fetch-Site", "none"}}) == Sender::ourselves);

    CHECK(sender({{"Origin", "null"}}) == Sender::stranger);
    CHECK(sender({{"Origin", ""}}) == Sender::stranger);
    CHECK(sender({{"Origin", "http://evil.example"}}) == Sender::stranger);
    CHECK(sender({{"Origin", "http://127.0.0.1:8080"}}) == Sender::stranger); // an island's page
    CHECK(sender({{"Origin", "http://127.0.0.1:80810"}}) == Sender::stranger);
    CHECK(sender({{"Origin", "http://127.0.0.1"}}) == Sender::stranger);
    CHECK(sender({{"Sec-Fetch-Site", "same-site"}}) == Sender::stranger);
    CHECK(sender({{"Sec-Fetch-Site", "cross-site"}}) == Sender::stranger);
    CHECK(sender({{"Origin", "http://127.0.0.1:8081"}, {"Sec-Fetch-Site", "cross-site"}}) ==
          Sender::stranger);
    CHECK(sender({{"Origin", "http://127.0.0.1:8081"}, {"Origin", "http://evil.example"}}) ==
          Sender::stranger);
}

TEST_CASE("cookies of a name are found among others, a few at most") {
    const Fields fields({{"Cookie", "a=1; atoll_session=AAA; xatoll_session=NO"},
                         {"cookie", "atoll_session=BBB;atoll_session=b/ad; atoll_session="}});
    const auto values = cookieValues(fields.list, "atoll_session");
    REQUIRE(values.size() == 2);
    CHECK(values[0] == "AAA");
    CHECK(values[1] == "BBB");

    std::string many;
    for (int i = 0; i < 100; ++i)
        many += "s=A;";
    const Fields crowd({{"Cookie", many.c_str()}});
    CHECK(cookieValues(crowd.list, "s").size() == 4);
}

TEST_CASE("a cookie is out of reach of scripts and of other sites") {
    CHECK(setCookie("s", "v", false) == "s=v; Path=/; HttpOnly; SameSite=Strict");
    CHECK(setCookie("s", "v", true) == "s=v; Path=/; HttpOnly; SameSite=Strict; Secure");
    CHECK(removeCookie("s", false) == "s=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0");
}
