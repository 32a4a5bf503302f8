#include "admin/panel.h"
#include "admin/routes.h"
#include "test_panel.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <string>

using namespace reef;
using namespace reef::test;
using namespace std::chrono_literals;

namespace {

constexpr const char* kForm = "application/x-www-form-urlencoded";

Asked posted(const std::string& target, const std::string& body, Headers headers) {
    Asked asked("POST", target);
    asked.body = body;
    asked.headers = std::move(headers);
    return asked;
}

} // namespace

TEST_CASE("whoever is not signed in sees the pages for that, and nothing else") {
    struct Row {
        const char* method;
        const char* target;
        int status;
        const char* contains;
        const char* location;
    };
    const Row rows[] = {
        {"GET", "/", 303, "", "/login"},
        {"HEAD", "/", 303, "", "/login"},
        {"GET", "/?range=week", 303, "", "/login"},
        {"GET", "/login", 200, "<h1>Sign in</h1>", ""},
        {"GET", "/setup", 403, "no longer valid", ""},
        {"GET", "/setup?token=wrong", 403, "no longer valid", ""},
        {"GET", "/setup?token=", 403, "no longer valid", ""},
        {"POST", "/", 405, "Not that way", ""},
        {"DELETE", "/login", 405, "Not that way", ""},
        {"GET", "/logout", 405, "Not that way", ""},
        {"GET", "/nothing", 404, "Nothing here", ""},
        {"GET", "/login/", 404, "Nothing here", ""},
        {"GET", "/%6cogin", 404, "Nothing here", ""},
        {"GET", "//login", 404, "Nothing here", ""},
        {"GET", "*", 404, "Nothing here", ""},
        {"GET", "/assets/", 404, "Nothing here", ""},
        {"GET", "/assets/../accounts.json", 404, "Nothing here", ""},
        {"GET", "/assets/0000000000000000/panel.css", 404, "Nothing here", ""},
        {"GET", "/login?a=%zz", 400, "Unreadable form", ""},
        {"GET", "/data/accounts.json", 404, "Nothing here", ""},
    };
    TestPanel panel;
    REQUIRE(panel.accounts.add("ada", TestPanel::kPassword));
    for (const Row& row : rows) {
        INFO(row.method << " " << row.target);
        const Reply reply = panel.ask(Asked(row.method, row.target));
        CHECK(reply.status == row.status);
        CHECK(reply.contains(row.contains));
        CHECK(reply.field("Location") == row.location);
    }
}

TEST_CASE("every answer has the security headers") {
    TestPanel panel;
    REQUIRE(panel.accounts.add("ada", TestPanel::kPassword));
    Browser browser(panel);
    REQUIRE(browser.signIn("ada").status == 303);
    for (const char* target : {"/", "/login", "/nothing", "/setup?token=x"}) {
        INFO(target);
        const Reply reply = browser.get(target);
        CHECK(reply.field("Content-Security-Policy") ==
              "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
              "frame-ancestors 'none'; base-uri 'none'");
        CHECK(reply.field("X-Content-Type-Options") == "nosniff");
        CHECK(reply.field("X-Frame-Options") == "DENY");
        CHECK(reply.field("Referrer-Policy") == "same-origin");
        CHECK(reply.field("Cache-Control") == "no-store");
        CHECK(reply.field("Content-Type") == "text/html; charset=utf-8");
        CHECK_FALSE(reply.contains("<script"));
        CHECK_FALSE(reply.contains("style="));
    }
}

TEST_CASE("routes that need no session are the ones listed here") {
    for (const auto& route : admin::routes()) {
        INFO(route.path);
        const bool open =
            route.path == "/login" || route.path == "/setup" || route.path == "/assets/*";
        CHECK((route.access == admin::Access::anyone) == open);
        CHECK((route.method == http::Method::get || route.method == http::Method::post));
    }
}

TEST_CASE("405 says which methods there are") {
    TestPanel panel;
    CHECK(panel.ask(Asked("PUT", "/login")).field("Allow") == "GET, HEAD, POST");
    CHECK(panel.ask(Asked("POST", "/")).field("Allow") == "GET, HEAD");
    CHECK(panel.ask(Asked("GET", "/logout")).field("Allow") == "POST");
}

TEST_CASE("files of the panel come under the address of their content, for ever") {
    TestPanel panel;
    const Reply page = panel.ask(Asked("GET", "/login"));
    const auto begin = page.body.find("/assets/");
    const std::string path = page.body.substr(begin, page.body.find('"', begin) - begin);
    const Reply css = panel.ask(Asked("GET", path));
    CHECK(css.status == 200);
    CHECK(css.field("Content-Type") == "text/css; charset=utf-8");
    CHECK(css.field("Cache-Control") == "public, max-age=31536000, immutable");
    CHECK(css.field("X-Content-Type-Options") == "nosniff");
    CHECK(css.contains("--paper"));
}

TEST_CASE("a host that is not the panel's is refused before anything else") {
    admin::PanelSettings settings;
    settings.hosts = {"panel.example.org"};
    TestPanel panel(settings);
    for (const char* authority : {"evil.example:8081", "192.0.2.1:8081", "a.panel.example.org:1"}) {
        Asked asked("GET", "/login");
        asked.authority = authority;
        const Reply reply = panel.ask(asked);
        CHECK(reply.status == 421);
        CHECK(reply.contains(authority)); // expected and got
        CHECK(reply.cookie("atoll_form").empty());
    }
    for (const char* authority : {"localhost:9000", "[::1]:8081", "panel.example.org:443"}) {
        Asked asked("GET", "/login");
        asked.authority = authority;
        CHECK(panel.ask(asked).status == 200);
    }
}

TEST_CASE("the first account is made with the one-time link, once") {
    TestPanel panel;
    const std::string token = **panel.accounts.offerSetup();
    Browser browser(panel);
    CHECK(browser.get("/login").contains("Nobody can sign in yet"));

    const Reply form = browser.get("/setup?token=" + token);
    CHECK(form.status == 200);
    CHECK(form.contains("Welcome aboard"));
    CHECK(form.hidden("token") == token);

    const std::string password(TestPanel::kPassword);
    const auto fill = [&](const char* name, const std::string& first, const std::string& again) {
        return browser.post(
            "/setup", {{"token", token}, {"name", name}, {"password", first}, {"again", again}});
    };
    const Reply differ = fill("ada", password, password + "x");
    CHECK(differ.status == 422);
    CHECK(differ.contains("differ"));
    CHECK(differ.contains("value=\"ada\""));
    CHECK_FALSE(differ.contains(password));
    CHECK(fill("ada", "short", "short").status == 422);
    CHECK(fill("<i>", password, password).status == 422);

    const Reply made = fill("Ada", password, password);
    CHECK(made.status == 303);
    CHECK(made.field("Location") == "/");
    CHECK(browser.get("/").contains("<b>ada</b>")); // signed in at once
    CHECK(browser.get("/setup?token=" + token).status == 403);

    Browser late(panel);
    late.get("/login");
    CHECK(
        late.post("/setup",
                  {{"token", token}, {"name", "eve"}, {"password", password}, {"again", password}})
            .status == 403);
    CHECK(panel.accounts.list()->size() == 1);
}

TEST_CASE("of two who use the link at once, one gets in") {
    TestPanel panel;
    const std::string token = **panel.accounts.offerSetup();
    const std::string password(TestPanel::kPassword);
    std::vector<Asked> all;
    for (const char* name : {"ada", "eve"}) {
        Browser browser(panel);
        browser.get("/setup?token=" + token);
        all.push_back(browser.posting(
            "/setup",
            {{"token", token}, {"name", name}, {"password", password}, {"again", password}}));
    }
    const auto replies = panel.askAtOnce(all);
    CHECK((replies[0].status == 303) != (replies[1].status == 303));
    for (const Reply& reply : replies) {
        CHECK((reply.status == 303 || reply.status == 403));
        CHECK(reply.cookie("atoll_session").empty() == (reply.status != 303));
    }
    CHECK(panel.accounts.list()->size() == 1);
}

TEST_CASE("an account made on the command line closes the link") {
    TestPanel panel;
    const std::string token = **panel.accounts.offerSetup();
    REQUIRE(panel.accounts.add("ada", TestPanel::kPassword));
    CHECK(panel.ask(Asked("GET", "/setup?token=" + token)).status == 403);
}

TEST_CASE("signing in needs the right password and gives a cookie of its own") {
    TestPanel panel;
    REQUIRE(panel.accounts.add("ada", TestPanel::kPassword));
    Browser browser(panel);
    const Reply wrong = browser.signIn("ada", "four random words wrong");
    CHECK(wrong.status == 403);
    CHECK(wrong.contains("Name or password is wrong."));
    CHECK(wrong.contains("value=\"ada\""));
    CHECK_FALSE(wrong.contains("four random words wrong"));
    CHECK(wrong.cookie("atoll_session").empty());
    CHECK(browser.get("/").status == 303);

    const Reply unknown = browser.signIn("nobody");
    CHECK(unknown.status == 403);
    CHECK(unknown.contains("Name or password is wrong.")); // no word on which

    const Reply right = browser.signIn("ada");
    CHECK(right.status == 303);
    CHECK(right.cookie("atoll_session").size() == 43);
    CHECK(right.field("Set-Cookie").find("HttpOnly; SameSite=Strict") != std::string::npos);
    CHECK(right.field("Set-Cookie").find("Secure") == std::string::npos);
    CHECK(browser.get("/").status == 200);
    CHECK(browser.get("/login").field("Location") == "/");
}

TEST_CASE("over TLS the cookie is for TLS alone") {
    TestPanel panel;
    Asked asked("GET", "/login");
    asked.secure = true;
    CHECK(panel.ask(asked).field("Set-Cookie").ends_with("; Secure"));
}

TEST_CASE("signing in again ends the session that the browser had") {
    TestPanel panel;
    REQUIRE(panel.accounts.add("ada", TestPanel::kPassword));
    Browser first(panel);
    first.signIn("ada");
    Browser copy(panel);
    copy.cookies = first.cookies;
    CHECK(copy.get("/").status == 200);

    // The form was loaded before: what counts is the cookie that is sent with it.
    Browser second(panel);
    second.get("/login");
    Asked asked = second.posting(
        "/login", {{"name", "ada"}, {"password", std::string(TestPanel::kPassword)}});
    asked.headers.emplace_back("Cookie", "atoll_session=AAAA");
    CHECK(panel.ask(asked).status == 303);
    CHECK(copy.get("/").status == 200); // other browsers keep theirs
}

TEST_CASE("signing out ends the session on the server too") {
    TestPanel panel;
    REQUIRE(panel.accounts.add("ada", TestPanel::kPassword));
    Browser browser(panel);
    browser.signIn("ada");
    browser.get("/");
    Browser thief(panel);
    thief.cookies = browser.cookies;
    const Reply out = browser.post("/logout", {});
    CHECK(out.status == 303);
    CHECK(out.field("Location") == "/login");
    CHECK(browser.cookies.count("atoll_session") == 0);
    CHECK(thief.get("/").field("Location") == "/login");
}

TEST_CASE("a form without its token is refused and does nothing") {
    TestPanel panel;
    REQUIRE(panel.accounts.add("ada", TestPanel::kPassword));
    const std::string token = **[&] {
        TestPanel other;
        return other.accounts.offerSetup();
    }();
    Browser browser(panel);
    browser.signIn("ada");
    const std::string cookie = "atoll_session=" + browser.cookies["atoll_session"];
    const std::string form = browser.get("/").hidden("csrf");

    for (const std::string& body : {std::string(), std::string("csrf="), "csrf=" + token,
                                    "csrf=" + form.substr(1), "csrf=" + form + "A"}) {
        INFO(body);
        CHECK(panel.ask(posted("/logout", body, {{"Content-Type", kForm}, {"Cookie", cookie}}))
                  .status == 403);
    }
    // The token of somebody else's session does not serve either.
    Browser other(panel);
    other.signIn("ada");
    const std::string others = other.get("/").hidden("csrf");
    CHECK(
        panel
            .ask(posted("/logout", "csrf=" + others, {{"Content-Type", kForm}, {"Cookie", cookie}}))
            .status == 403);
    CHECK(browser.get("/").status == 200);
}

TEST_CASE("signing in needs a token too, bound to the browser's own cookie") {
    TestPanel panel;
    REQUIRE(panel.accounts.add("ada", TestPanel::kPassword));
    Browser attacker(panel);
    const std::string token = attacker.get("/login").hidden("csrf");
    const std::string body =
        "csrf=" + token + "&" +
        formOf({{"name", "ada"}, {"password", std::string(TestPanel::kPassword)}});
    CHECK(panel.ask(posted("/login", body, {{"Content-Type", kForm}})).status == 403);
    CHECK(
        panel.ask(posted("/login", body, {{"Content-Type", kForm}, {"Cookie", "atoll_form=AAAA"}}))
            .status == 403);
    const std::string own = "atoll_form=" + attacker.cookies["atoll_form"];
    CHECK(panel.ask(posted("/login", body, {{"Content-Type", kForm}, {"Cookie", own}})).status ==
          303);
}

TEST_CASE("a form that another site made the browser send is refused, token or not") {
    TestPanel panel;
    REQUIRE(panel.accounts.add("ada", TestPanel::kPassword));
    Browser browser(panel);
    browser.signIn("ada");
    browser.get("/");
    for (const Headers& origin :
         {Headers{{"Origin", "http://127.0.0.1:8080"}}, Headers{{"Origin", "null"}},
          Headers{{"Origin", "https://evil.example"}}, Headers{{"Sec-Fetch-Site", "same-site"}}}) {
        Asked asked = browser.posting("/logout", {});
        std::erase_if(asked.headers, [](const auto& header) {
            return header.first == "Origin" || header.first == "Sec-Fetch-Site";
        });
        asked.headers.insert(asked.headers.end(), origin.begin(), origin.end());
        const Reply reply = panel.ask(asked);
        CHECK(reply.status == 403);
        CHECK(reply.contains("another site"));
    }
    CHECK(browser.get("/").status == 200);
}

TEST_CASE("only small forms are read") {
    TestPanel panel;
    CHECK(panel.ask(posted("/login", "{}", {{"Content-Type", "application/json"}})).status == 415);
    CHECK(panel.ask(posted("/login", "a=1", {})).status == 415);
    CHECK(panel.ask(posted("/login", "a=" + std::string(9000, 'x'), {{"Content-Type", kForm}}))
              .failure == 413);
    CHECK(panel.ask(posted("/login", "a=%", {{"Content-Type", kForm}})).status == 400);
    CHECK(panel.ask(posted("/login", "a=1&a=1", {{"Content-Type", kForm}})).status == 400);
}

TEST_CASE("guessing is slowed down by name, known or not, and tells when to come back") {
    for (const char* name : {"ada", "nobody"}) {
        INFO(name);
        TestPanel panel;
        REQUIRE(panel.accounts.add("ada", TestPanel::kPassword));
        Browser browser(panel);
        for (int i = 0; i < 6; ++i) {
            browser.client = "192.0.2." + std::to_string(i);
            CHECK(browser.signIn(name, "wrong password!").status == 403);
        }
        browser.client = "192.0.2.99";
        const Reply reply = browser.signIn(name);
        CHECK(reply.status == 429);
        CHECK(reply.field("Retry-After") == "1");
        CHECK(reply.contains("Too many attempts"));
        CHECK(reply.cookie("atoll_session").empty());
    }
}

TEST_CASE("guessing is slowed down by address, whatever the names") {
    TestPanel panel;
    REQUIRE(panel.accounts.add("ada", TestPanel::kPassword));
    Browser browser(panel);
    browser.client = "192.0.2.1";
    for (int i = 0; i < 6; ++i)
        CHECK(browser.signIn("name" + std::to_string(i), "wrong password!").status == 403);
    CHECK(browser.signIn("ada").status == 429);
    browser.client = "192.0.2.2";
    CHECK(browser.signIn("ada").status == 303);
}

TEST_CASE("many guesses at the same time gain nothing") {
    TestPanel panel;
    REQUIRE(panel.accounts.add("ada", TestPanel::kPassword));
    Browser browser(panel);
    browser.get("/login");
    const std::vector<Asked> all(
        50, browser.posting("/login", {{"name", "ada"}, {"password", "wrong password!"}}));
    int checked = 0;
    for (const Reply& reply : panel.askAtOnce(all)) {
        checked += reply.status == 403 ? 1 : 0;
        CHECK((reply.status == 403 || reply.status == 429 || reply.status == 503));
        if (reply.status == 503) CHECK(reply.field("Retry-After") == "5");
    }
    CHECK(checked > 0);
    CHECK(checked <= 6);
}

TEST_CASE("a session that was idle for too long is over") {
    admin::PanelSettings settings;
    settings.sessions.idle = 0s;
    TestPanel panel(settings);
    REQUIRE(panel.accounts.add("ada", TestPanel::kPassword));
    Browser browser(panel);
    CHECK(browser.signIn("ada").status == 303);
    CHECK(browser.get("/").field("Location") == "/login");
}

TEST_CASE("a changed password ends the sessions of the old one") {
    TestPanel panel;
    REQUIRE(panel.accounts.add("ada", TestPanel::kPassword));
    Browser browser(panel);
    browser.signIn("ada");
    CHECK(browser.get("/").status == 200);
    admin::Accounts commandLine(panel.directory / "accounts.json", 1000);
    REQUIRE(commandLine.changePassword("ada", "some other random words"));
    CHECK(browser.get("/").field("Location") == "/login");
}

TEST_CASE("an account that is gone takes its sessions along") {
    TestPanel panel;
    REQUIRE(panel.accounts.add("ada", TestPanel::kPassword));
    Browser browser(panel);
    browser.signIn("ada");
    std::filesystem::remove(panel.directory / "accounts.json");
    CHECK(browser.get("/").field("Location") == "/login");
    CHECK(browser.get("/login").contains("Nobody can sign in yet"));
}

TEST_CASE("a damaged file of accounts locks the panel, for everybody") {
    TestPanel panel;
    REQUIRE(panel.accounts.add("ada", TestPanel::kPassword));
    Browser browser(panel);
    browser.signIn("ada");
    browser.get("/");
    const std::string file = panel.directory / "accounts.json";
    std::ofstream(file) << "{";
    CHECK(browser.get("/").status == 503);
    CHECK(browser.post("/logout", {}).status == 503);

    Browser other(panel);
    const Reply login = other.get("/login");
    CHECK(login.status == 503);
    CHECK(login.contains("The panel is locked"));
    CHECK_FALSE(login.contains(file)); // the log says it, the page does not

    // The form may have been loaded before.
    Browser early(panel);
    std::filesystem::remove(file);
    early.get("/login");
    std::ofstream(file) << "{";
    ::chmod(file.c_str(), 0600);
    CHECK(early.post("/login", {{"name", "ada"}, {"password", std::string(TestPanel::kPassword)}})
              .status == 503);
}

TEST_CASE("hostile text from a form comes back as text") {
    TestPanel panel;
    Browser browser(panel);
    const Reply reply = browser.signIn("\"><script>alert(1)</script>");
    CHECK(reply.status == 403);
    CHECK_FALSE(reply.contains("<script"));
    CHECK(reply.contains("&quot;&gt;&lt;script&gt;"));

    Asked asked("GET", "/login");
    asked.authority = "<script>:1";
    const Reply host = panel.ask(asked);
    CHECK(host.status == 421);
    CHECK_FALSE(host.contains("<script"));
}

TEST_CASE("a stranger's cookie of the same name does not shut the owner out") {
    TestPanel panel;
    REQUIRE(panel.accounts.add("ada", TestPanel::kPassword));
    Browser browser(panel);
    browser.signIn("ada");
    Asked asked("GET", "/");
    asked.headers.emplace_back("Cookie", "atoll_session=tossed; atoll_session=" +
                                             browser.cookies["atoll_session"]);
    CHECK(panel.ask(asked).status == 200);
}

TEST_CASE("a client that leaves while its password is checked harms nobody") {
    TestPanel panel;
    REQUIRE(panel.accounts.add("ada", TestPanel::kPassword));
    {
        Browser browser(panel);
        browser.get("/login");
        const Asked asked = browser.posting(
            "/login", {{"name", "ada"}, {"password", std::string(TestPanel::kPassword)}});
        panel.startAndLeave(asked);
    }
    Browser browser(panel);
    CHECK(browser.signIn("ada").status == 303);
}

TEST_CASE("the dashboard shows what the application reports") {
    TestPanel panel;
    REQUIRE(panel.accounts.add("ada", TestPanel::kPassword));
    panel.data.server.version = "9.9.9";
    Browser browser(panel);
    browser.signIn("ada");
    const Reply empty = browser.get("/");
    CHECK(empty.contains("No views yet"));
    CHECK(empty.contains("9.9.9"));

    pageviews::Report report;
    report.now = pageviews::Time(std::chrono::sys_days(std::chrono::days(20000)));
    report.since = report.now;
    report.all.people = 4711;
    panel.data.answer = report;
    const Reply page = browser.get("/?range=month");
    CHECK(page.contains("4,711"));
    CHECK(page.contains("aria-current=\"page\">30 days"));
    CHECK(browser.get("/?range=%3Cscript%3E").contains("aria-current=\"page\">24 hours"));
}

TEST_CASE("the page about islands is for those who are signed in, and the navigation leads there") {
    TestPanel panel;
    REQUIRE(panel.accounts.add("ada", TestPanel::kPassword));
    panel.data.ashore.islands.emplace_back().name = "/cgi-bin/tide.sh";
    Browser browser(panel);
    const Reply stranger = browser.get("/islands");
    CHECK(stranger.status == 303);
    CHECK(stranger.field("Location") == "/login");
    CHECK_FALSE(stranger.contains("tide.sh"));

    browser.signIn("ada");
    CHECK(browser.get("/").contains("<a href=\"/islands\" aria-current=\"false\">"));
    const Reply page = browser.get("/islands");
    CHECK(page.status == 200);
    CHECK(page.contains("/cgi-bin/tide.sh"));
    CHECK(page.contains("<a href=\"/islands\" aria-current=\"page\">"));
    CHECK(browser.post("/islands", {}).status == 405);
}
