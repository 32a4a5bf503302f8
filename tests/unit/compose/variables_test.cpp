#include "compose/fakes.h"
#include "compose/variables.h"

#include <catch2/catch.hpp>
#include <cstdlib>

using namespace reef;
using namespace reef::compose;
using reef::test::PageRequest;

TEST_CASE("variables of a fragment are those of the page that the client asked for") {
    PageRequest page("/dir/page.shtml?a=1");
    const PageRequest fragment("/part.shtml", {&page.request, 1});
    const PageRequest withQuery("/part.shtml?b=2", {&page.request, 1});
    const PageTimes times(0, std::nullopt);
    const auto in = [&](const PageRequest& request, std::string_view name) {
        return variable(request.request, name, times).value_or("-");
    };
    CHECK(in(fragment, "DOCUMENT_NAME") == "page.shtml");
    CHECK(in(fragment, "DOCUMENT_URI") == "/dir/page.shtml");
    CHECK(in(fragment, "DOCUMENT_ARGS") == "a=1");
    CHECK(in(fragment, "REQUEST_URI") == "/dir/page.shtml?a=1");
    CHECK(in(fragment, "QUERY_STRING") == "a=1");
    CHECK(in(withQuery, "QUERY_STRING") == "b=2");
    CHECK(in(fragment, "REMOTE_PORT") == "4711");
    CHECK(in(fragment, "SERVER_ADDR") == "192.0.2.1");
    CHECK(in(fragment, "SERVER_PORT") == "80");
    CHECK(in(fragment, "SERVER_PROTOCOL") == "HTTP/1.1");
    CHECK(in(fragment, "REQUEST_METHOD") == "GET");
    CHECK(in(fragment, "HTTPS") == "-");
    page.ends.secure = true;
    CHECK(in(fragment, "HTTPS") == "on");
    CHECK(in(fragment, "document_name") == "-");
}

TEST_CASE("request fields are variables, but not credentials, Proxy or names with underscores") {
    PageRequest page("/p");
    auto& fields = page.request.fields;
    fields.add("User-Agent", "first");
    fields.add("user-agent", "second");
    fields.add("Cookie", "a=1");
    fields.add("Cookie", "b=2");
    fields.add("X_Real_Ip", "forged");
    fields.add("Authorization", "secret");
    fields.add("Proxy-Authorization", "secret");
    fields.add("Proxy", "evil");
    const PageTimes times(0, std::nullopt);
    const auto value = [&](std::string_view name) {
        return variable(page.request, name, times).value_or("-");
    };
    CHECK(value("HTTP_USER_AGENT") == "first, second");
    CHECK(value("HTTP_COOKIE") == "a=1; b=2");
    CHECK(value("HTTP_X_REAL_IP") == "-");
    CHECK(value("HTTP_AUTHORIZATION") == "-");
    CHECK(value("HTTP_PROXY_AUTHORIZATION") == "-");
    CHECK(value("HTTP_PROXY") == "-");
    CHECK(value("HTTP_") == "-");
}

TEST_CASE("dates are written by the format, whatever its length") {
    setenv("TZ", "EST5", 1);
    tzset();
    CHECK(formatTime(0, Zone::gmt, kTimeFormat) == "Thursday, 01-Jan-1970 00:00:00 GMT");
    CHECK(formatTime(0, Zone::local, kTimeFormat) == "Wednesday, 31-Dec-1969 19:00:00 EST");
    CHECK(formatTime(0, Zone::gmt, "100%% %H%").starts_with("100% 00%"));
    CHECK(formatTime(0, Zone::gmt, "%!, %") == "%!, %");
    CHECK(formatTime(0, Zone::gmt, "%-").starts_with('%'));
    CHECK(formatTime(0, Zone::gmt, "%%Z %Z") == "%Z GMT");
    CHECK(formatTime(0, Zone::gmt, "").empty());
    CHECK(formatTime(0, Zone::gmt, std::string(1000, 'x')) == std::string(1000, 'x'));
    CHECK(formatTime(0, Zone::gmt, std::string(10'000, 'x')).empty());
    setenv("TZ", "UTC", 1);
    tzset();
    const PageRequest page("/p");
    const PageTimes times(0, 86'400);
    CHECK(variable(page.request, "LAST_MODIFIED", times) == "Friday, 02-Jan-1970 00:00:00 UTC");
}
