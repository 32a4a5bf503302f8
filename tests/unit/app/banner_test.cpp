#include "app/banner.h"

#include <catch2/catch.hpp>

using namespace reef;

namespace {

std::string urlFor(const char* address) {
    return app::urlOf(io::Address::parse(address).value());
}

app::Announcement usual() {
    app::Announcement announcement;
    announcement.directory = "/srv/site";
    announcement.sites = {"http://localhost:8080/", "unix:/run/site.sock"};
    announcement.panel = "http://127.0.0.1:8081/";
    announcement.setupToken = "token";
    return announcement;
}

bool holds(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("an address is told as a browser on this machine takes it") {
    CHECK(urlFor("127.0.0.1:8080") == "http://127.0.0.1:8080/");
    CHECK(urlFor("127.0.0.1:80") == "http://127.0.0.1/");
    CHECK(urlFor(":8080") == "http://localhost:8080/");
    CHECK(urlFor("0.0.0.0:80") == "http://localhost/");
    CHECK(urlFor("[::1]:8080") == "http://[::1]:8080/");
    CHECK(urlFor("unix:/run/site.sock") == "unix:/run/site.sock");
}

TEST_CASE("a start tells site, panel, and the link that makes the first account") {
    const auto text = app::describeStart(usual(), false);
    CHECK(holds(text, "/srv/site"));
    CHECK(holds(text, "  Site   http://localhost:8080/\n"));
    CHECK(holds(text, "  Site   unix:/run/site.sock\n"));
    CHECK(holds(text, "  Panel  http://127.0.0.1:8081/\n"));
    CHECK(holds(text, "http://127.0.0.1:8081/setup?token=token\n"));
    CHECK_FALSE(holds(text, "\x1b"));
    CHECK(holds(app::describeStart(usual(), true), "\x1b[1m"));
}

TEST_CASE("with accounts there is no link, without a panel no word of it") {
    auto announcement = usual();
    announcement.setupToken.clear();
    CHECK_FALSE(holds(app::describeStart(announcement, false), "setup"));
    announcement.panel.clear();
    CHECK_FALSE(holds(app::describeStart(announcement, false), "Panel"));
}

TEST_CASE("after a restart only a new link is news") {
    auto announcement = usual();
    announcement.restarted = true;
    const auto text = app::describeStart(announcement, false);
    CHECK(holds(text, "setup?token=token"));
    CHECK_FALSE(holds(text, "Site"));
    announcement.setupToken.clear();
    CHECK(app::describeStart(announcement, false).empty());
}
