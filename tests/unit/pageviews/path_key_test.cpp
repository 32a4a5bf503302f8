#include "base/utf8.h"
#include "pageviews/path_key.h"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

using namespace reef;
using namespace reef::pageviews;

TEST_CASE("all spellings of one address have one key") {
    const struct {
        const char* complaint;
        std::string_view path;
        std::string_view key;
    } cases[] = {
        {"umami#29: escaped and plain UTF-8", "/%E4%BD%A0", "/\xe4\xbd\xa0"},
        {"umami#29", "/\xe4\xbd\xa0", "/\xe4\xbd\xa0"},
        {"matomo#7209: case of escapes", "/%c3%a4%2f", "/\xc3\xa4%2F"},
        {"matomo#20814: unreserved characters", "/last%5fversion", "/last_version"},
        {"AWStats PR#92", "/%66oo", "/foo"},
        {"shlink#2657: invalid UTF-8", "/%C0", "/%C0"},
        {"shlink#2657, raw byte", "/\xc0", "/%C0"},
        {"goaccess#550: control characters", "/a%09b", "/a%09b"},
        {"goaccess#656, raw", "/a\tb\xff", "/a%09b%FF"},
        {"matomo-log-analytics#278: emoji", "/%F0%9F%98%80", "/\xf0\x9f\x98\x80"},
        {"matomo#19184: a lone surrogate", "/%ED%A0%80", "/%ED%A0%80"},
        {"half escaped code point", "/\xe4%BD\xa0", "/\xe4\xbd\xa0"},
        {"goatcounter: case of letters matters", "/Foo", "/Foo"},
        {"repeated slashes", "//a///b", "/a/b"},
        {"dot segments", "/a/./b/../c", "/a/c"},
        {"escaped dot segments", "/a/%2e%2E/c", "/c"},
        {"never above the root", "/../../etc", "/etc"},
        {"a last dot segment leaves a directory", "/a/b/..", "/a/"},
        {"and so does a single dot", "/a/.", "/a/"},
        {"three dots are a name", "/a/...", "/a/..."},
        {"a trailing slash matters", "/a/", "/a/"},
        {"the root", "/", "/"},
        {"nothing at all", "", "/"},
        {"no slash in front", "a", "/a"},
        {"an escaped slash is no separator", "/a%2fb", "/a%2Fb"},
        {"reserved characters keep their form", "/a;b=1,c%3B", "/a;b=1,c%3B"},
        {"goatcounter#604: a stray percent", "/%.", "/%25."},
        {"a percent at the end", "/a%4", "/a%254"},
        {"an escaped percent", "/%25zz", "/%25zz"},
        {"markup", "/<img src=x>\"", "/%3Cimg%20src=x%3E%22"},
        {"NUL", "/a%00b", "/a%00b"},
        {"text that would run backwards", "/%E2%80%AEexe", "/%E2%80%AEexe"},
        {"a query in a path", "/a%3Fb", "/a%3Fb"},
    };
    for (const auto& c : cases) {
        CAPTURE(c.complaint);
        CHECK(pathKey(c.path) == c.key);
        CHECK(pathKey(pathKey(c.path)) == c.key);
    }
}

TEST_CASE("a query makes no page of its own but for the parameters named") {
    const std::vector<std::string> kept = {"id", "p"};
    CHECK(pathKey("/", "ref=x") == "/");
    CHECK(pathKey("/", "id=7") == "/");
    CHECK(pathKey("/", "ref=x&id=7", kept) == "/?id=7");
    CHECK(pathKey("/", "p=2&id=7&id=8", kept) == "/?id=7&p=2");
    CHECK(pathKey("/", "id=%41%2f<", kept) == "/?id=A%2F%3C");
    CHECK(pathKey("/", "id", kept) == "/?id=");
    CHECK(pathKey("/", "grid=7", kept) == "/");
}

TEST_CASE("a very long address is cut, and still told from others") {
    const std::string name(3000, 'a');
    const std::string key = pathKey("/" + name + "b");
    CHECK(key.size() <= kMaxKeyBytes);
    CHECK(key.substr(0, 100) == "/" + name.substr(0, 99));
    CHECK(key != pathKey("/" + name + "c"));
    CHECK(key == pathKey("//" + name + "%62"));
    CHECK(pathKey(key) == key);
    CHECK(pathKey("/" + name.substr(0, kMaxKeyBytes - 1)) ==
          "/" + name.substr(0, kMaxKeyBytes - 1));

    for (std::size_t shift = 0; shift < 4; ++shift) { // wherever the cut falls in "你" or "%2F"
        std::string wide = "/" + std::string(shift, 'a');
        std::string escapes = wide;
        for (int i = 0; i < 400; ++i)
            wide += "\xe4\xbd\xa0", escapes += "%2f";
        CHECK(utf8::isValid(pathKey(wide)));
        CHECK(pathKey(pathKey(escapes)) == pathKey(escapes));
    }
}

TEST_CASE("any bytes give a clean key, and the key of a key is that key") {
    std::mt19937 random(20261130);
    static constexpr std::string_view kAlphabet =
        "/.%2fFeE4bBdDaA0~? \"<\x01\x7f\x80\xbd\xc0\xe4\xed\xf0\x9f\xff";
    for (int round = 0; round < 20'000; ++round) {
        std::string path;
        for (auto length = random() % 24; length != 0; --length)
            path += kAlphabet[random() % kAlphabet.size()];
        const std::string key = pathKey(path);
        CAPTURE(path, key);
        REQUIRE(key.starts_with('/'));
        REQUIRE(utf8::isValid(key));
        REQUIRE(pathKey(key) == key);
        REQUIRE(key.find("//") == std::string::npos);
        REQUIRE(key.find("/../") == std::string::npos);
        for (const char c : key)
            REQUIRE(std::string_view(" \"<>\\\x7f").find(c) == std::string_view::npos);
        for (const char c : key)
            REQUIRE((static_cast<unsigned char>(c) >= 0x80 || c > 0x20));
    }
}

TEST_CASE("referrers are told apart by host and path alone") {
    const struct {
        std::string_view referrer;
        std::string_view key;
    } cases[] = {
        {"", ""},
        {"https://x.org", "x.org"}, // pirsch#163: with and without a slash
        {"https://x.org/", "x.org"},
        {"http://X.ORG:80/", "x.org"},
        {"https://x.org:443/a/", "x.org/a"},
        {"https://x.org:8443/a?q=secret#top", "x.org:8443/a"},
        {"https://user:password@x.org/", "x.org"},
        {"https://example.org:8080/other", ""}, // the site itself
        {"HTTPS://EXAMPLE.ORG:8080/", ""},
        {"https://example.org/", "example.org"},
        {"https://[::1]:9/x", "[::1]:9/x"},
        {"android-app://com.reader/", "android-app://com.reader/"},
        {"javascript:alert(1)", "javascript:alert(1)"},
        {"\"><img src=x onerror=alert(1)>",
         "%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E"}, // Stats#5
        {"https://evil/<script>\xff", "evil/%3Cscript%3E%FF"},
        {"https://", ""},
    };
    for (const auto& c : cases) {
        CAPTURE(c.referrer);
        CHECK(referrerKey(c.referrer, "example.org:8080") == c.key);
    }
    CHECK(referrerKey("https://x.org/" + std::string(5000, 'a'), "").size() <= kMaxKeyBytes);
}
