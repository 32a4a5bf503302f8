#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <catch2/catch.hpp>
#include <map>

using namespace reef::e2e;

namespace {

/// A browser at the panel: keeps cookies, sends forms with the hidden fields of their page.
class Visitor {
public:
    explicit Visitor(std::uint16_t port) : port_(port) {}

    Response get(const std::string& target) { return answer("GET", target, {}, {}); }

    /// Sends `fields` (already encoded) with the token of the page that was read last.
    Response post(const std::string& target, const std::string& fields) {
        return answer("POST", target,
                      "Content-Type: application/x-www-form-urlencoded\r\n"
                      "Origin: " +
                          origin() + "\r\n",
                      "csrf=" + hidden("csrf") + "&" + fields);
    }

    /// The value of a hidden field of the last page.
    std::string hidden(const std::string& name) const {
        const std::string mark = "name=\"" + name + "\" value=\"";
        const auto begin = page_.find(mark);
        if (begin == std::string::npos) return {};
        const auto value = begin + mark.size();
        return page_.substr(value, page_.find('"', value) - value);
    }

    std::string cookie(const std::string& name) const {
        const auto found = cookies_.find(name);
        return found == cookies_.end() ? std::string() : found->second;
    }

    std::string cookieField() const {
        std::string field;
        for (const auto& [name, value] : cookies_)
            field += (field.empty() ? "Cookie: " : "; ") + name + "=" + value;
        return field.empty() ? field : field + "\r\n";
    }

private:
    std::string origin() const { return "http://127.0.0.1:" + std::to_string(port_); }

    Response answer(const std::string& method, const std::string& target, const std::string& fields,
                    const std::string& content) {
        RawClient client(port_);
        client.send(method + " " + target +
                    " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) + "\r\n" + fields +
                    cookieField() + "Content-Length: " + std::to_string(content.size()) +
                    "\r\nConnection: close\r\n\r\n" + content);
        Response response = client.response();
        for (const std::string& line : response.all("Set-Cookie")) {
            const auto mark = line.find('=');
            cookies_[line.substr(0, mark)] = line.substr(mark + 1, line.find(';') - mark - 1);
        }
        page_ = response.body;
        return response;
    }

    std::uint16_t port_;
    std::map<std::string, std::string> cookies_;
    std::string page_;
};

constexpr const char* kPassword = "four-random-words-here";

/// Makes the first account with the link that was printed.
void setUp(Server& server, Visitor& visitor) {
    REQUIRE(visitor.get(server.setupTarget()).status == 200);
    const auto made =
        visitor.post("/setup", "token=" + visitor.hidden("token") +
                                   "&name=ada&password=" + kPassword + "&again=" + kPassword);
    INFO(made.describe());
    REQUIRE(made.status == 303);
    REQUIRE_FALSE(visitor.cookie("atoll_session").empty());
}

} // namespace

TEST_CASE("the link that is printed makes the first account, once") {
    Site site;
    site.document("index.html", "x");
    Server server(site, Panel::on);
    const auto link = server.setupTarget();
    REQUIRE_FALSE(link.empty());

    Visitor owner(server.panelPort());
    setUp(server, owner);
    const auto panel = owner.get("/");
    CHECK(panel.status == 200);
    CHECK(panel.contains("ada"));

    Visitor second(server.panelPort());
    CHECK(second.get(link).status == 403);
    CHECK(Visitor(server.panelPort()).get("/setup?token=guessed").status == 403);
    CHECK(Visitor(server.panelPort()).get("/setup").status == 403);
}

TEST_CASE("the account outlives the server, and no link is printed any more") {
    Site site;
    site.document("index.html", "x");
    {
        Server server(site, Panel::on);
        Visitor owner(server.panelPort());
        setUp(server, owner);
    }
    Server server(site, Panel::on);
    CHECK(server.setupTarget().empty());
    Visitor owner(server.panelPort());
    CHECK(owner.get("/").field("Location") == "/login");
    owner.get("/login");
    CHECK(owner.post("/login", std::string("name=ada&password=") + kPassword).status == 303);
    CHECK(owner.get("/").status == 200);

    // Signing out ends the session at the server, not only in the browser.
    const auto session = owner.cookieField();
    CHECK(owner.post("/logout", "").status == 303);
    RawClient thief(server.panelPort());
    thief.request("GET / HTTP/1.1", session);
    CHECK(thief.response().field("Location") == "/login");
}

TEST_CASE("nothing is shown, and nobody let in, without the password") {
    Site site;
    site.document("index.html", "x");
    Server server(site, Panel::on);
    Visitor owner(server.panelPort());
    setUp(server, owner);

    Visitor stranger(server.panelPort());
    for (const char* target : {"/", "/?range=day"}) {
        const auto answer = stranger.get(target);
        CHECK(answer.status == 303);
        CHECK(answer.field("Location") == "/login");
        CHECK_FALSE(answer.contains("Views"));
    }
    stranger.get("/login");
    CHECK(stranger.post("/login", "name=ada&password=wrong-wrong-wrong").status == 403);
    stranger.get("/login");
    CHECK(stranger.post("/login", "name=nobody&password=wrong-wrong-wrong").status == 403);
    CHECK(stranger.cookie("atoll_session").empty());
    bool slowedDown = false;
    for (int i = 0; i < 30 && !slowedDown; ++i) {
        stranger.get("/login");
        slowedDown = stranger.post("/login", "name=ada&password=guess-number-x").status == 429;
    }
    CHECK(slowedDown);
    CHECK_FALSE(holds(server.log(), "wrong-wrong-wrong"));
}

TEST_CASE("what strangers send to the site is text on the dashboard, never markup") {
    Site site;
    site.document("<script>alert(1)<,script>.html", "x").document("index.html", "x");
    Server server(site, Panel::on);
    const std::string browser = "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) "
                                "Gecko/20100101 Firefox/128.0\r\n";
    fetch(server.port(), "/%3Cscript%3Ealert(1)%3C,script%3E.html", browser);
    fetch(server.port(), "/", browser + "Referer: http://evil.example/\"><img src=x>\r\n");
    fetch(server.port(), "/", browser + "Referer: javascript:alert(1)\r\n");
    fetch(server.port(), "/", "User-Agent: <script>alert(2)</script> Firefox/128.0\r\n");

    Visitor owner(server.panelPort());
    setUp(server, owner);
    Response panel;
    CHECK(eventually([&] {
        panel = owner.get("/");
        return panel.contains("script&gt;alert(1)") || panel.contains("%3Cscript%3E");
    }));
    INFO(panel.body);
    CHECK_FALSE(panel.contains("<script>alert"));
    CHECK_FALSE(panel.contains("<img src=x"));
    CHECK_FALSE(panel.contains("href=\"javascript:"));
    CHECK_FALSE(panel.contains("<script>"));
    const auto policy = panel.field("Content-Security-Policy");
    CHECK(holds(policy, "default-src 'none'"));
    CHECK_FALSE(holds(policy, "unsafe"));
    CHECK(panel.field("X-Content-Type-Options") == "nosniff");
    CHECK(holds(panel.field("Cache-Control"), "no-store"));
    CHECK(holds(policy, "frame-ancestors 'none'"));
}

TEST_CASE("the panel's cookie is for the panel's pages alone, and never reaches an island") {
    Site site;
    site.island("env.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\nenv\n");
    Server server(site, Panel::on);
    Visitor owner(server.panelPort());
    RawClient raw(server.panelPort());
    raw.get(server.setupTarget());
    const auto form = raw.response();
    for (const std::string& cookie : form.all("Set-Cookie")) {
        CHECK(holds(cookie, "HttpOnly"));
        CHECK(holds(cookie, "SameSite=Strict"));
    }
    setUp(server, owner);
    const auto seen = fetch(server.port(), "/cgi-bin/env.sh", owner.cookieField());
    CHECK(seen.status == 200);
    CHECK_FALSE(seen.contains(owner.cookie("atoll_session")));
    CHECK_FALSE(seen.contains("atoll_session"));
}

TEST_CASE("the panel answers to its own names alone, so that no other site can be turned into it") {
    Site site;
    site.document("index.html", "x");
    Server server(site, Panel::on);
    for (const char* host : {"evil.example", "127.0.0.1.evil.example", "169.254.169.254"}) {
        INFO(host);
        RawClient client(server.panelPort());
        client.send(std::string("GET /login HTTP/1.1\r\nHost: ") + host + "\r\n\r\n");
        CHECK(client.response().status == 421);
    }
    for (const char* host : {"localhost", "127.0.0.1", "localhost:9999", "[::1]"}) {
        INFO(host);
        RawClient client(server.panelPort());
        client.send(std::string("GET /login HTTP/1.1\r\nHost: ") + host + "\r\n\r\n");
        CHECK(client.response().status == 200);
    }
}

TEST_CASE("a form that another site sends is refused") {
    Site site;
    site.document("index.html", "x");
    Server server(site, Panel::on);
    Visitor owner(server.panelPort());
    setUp(server, owner);
    const std::string content = "csrf=" + owner.hidden("csrf");
    const std::string length = "Content-Length: " + std::to_string(content.size()) + "\r\n";
    const std::string type = "Content-Type: application/x-www-form-urlencoded\r\n";
    for (const std::string sender : {"Origin: http://evil.example\r\n", "Origin: null\r\n",
                                     "Sec-Fetch-Site: cross-site\r\n"}) {
        INFO(sender);
        RawClient client(server.panelPort());
        client.request("POST /logout HTTP/1.1", owner.cookieField() + type + length + sender,
                       content);
        CHECK(client.response().status == 403);
    }
    RawClient forged(server.panelPort());
    forged.request("POST /logout HTTP/1.1", owner.cookieField() + type + "Content-Length: 6\r\n",
                   "csrf=x");
    CHECK(forged.response().status == 403);
    CHECK(owner.get("/").status == 200); // still signed in
}

TEST_CASE("accounts can be made and changed from the command line while the server runs") {
    Site site;
    site.document("index.html", "x");
    Server server(site, Panel::on);
    const auto added = runAtoll({"user", "add", "grace", site.directory()}, "her-long-password\n");
    INFO(added.err);
    CHECK(added.clean());
    Visitor visitor(server.panelPort());
    visitor.get("/login");
    CHECK(visitor.post("/login", "name=grace&password=her-long-password").status == 303);
    CHECK(visitor.get("/").status == 200);

    CHECK(runAtoll({"passwd", "grace", site.directory()}, "another-password\n").clean());
    CHECK(visitor.get("/").field("Location") == "/login"); // sessions of the old one have ended
    CHECK(runAtoll({"passwd", "nobody", site.directory()}, "another-password\n").ending.code == 1);
    CHECK(runAtoll({"user", "add", "grace", site.directory()}, "another-password\n").ending.code ==
          1);
    CHECK(runAtoll({"user", "add", "short", site.directory()}, "x\n").ending.code == 1);
}

TEST_CASE("site and panel do not answer for each other") {
    Site site;
    site.document("index.html", "the site");
    Server server(site, Panel::on);
    CHECK(fetch(server.port(), "/login").status == 404);
    CHECK_FALSE(fetch(server.panelPort(), "/").contains("the site"));
    CHECK(fetch(server.panelPort(), "/index.html").status == 404);
    CHECK(fetch(server.panelPort(), "/cgi-bin/x").status == 404);
    CHECK(fetch(server.panelPort(), "/assets/../../accounts.json").status >= 400);
    CHECK(fetch(server.panelPort(), "/assets/none").status == 404);
}

TEST_CASE("a failing island and the course of a page that included it are shown in the panel") {
    Site site;
    site.island("dies.sh", "#!/bin/sh\necho 'no <tide> table for \033[31m1870' >&2\nexit 3\n");
    site.island("nap.sh", "#!/bin/sh\nsleep 0.2\nprintf 'Content-Type: text/html\\n\\nslept'\n");
    site.document("page.shtml", "<!--#include virtual=\"/cgi-bin/dies.sh\" -->"
                                "<!--#include virtual=\"/cgi-bin/nap.sh?%3Cb%3E\" -->");
    Server server(site, Panel::on);
    Visitor owner(server.panelPort());
    CHECK(owner.get("/islands").field("Location") == "/login");
    setUp(server, owner);
    const auto empty = owner.get("/islands");
    CHECK(empty.status == 200);
    CHECK(empty.contains("No island has run"));
    CHECK(empty.contains("No page was composed"));

    CHECK(fetch(server.port(), "/page.shtml?q=<script>").contains("slept"));
    Response page;
    CHECK(eventually([&] {
        page = owner.get("/islands");
        return page.contains("/cgi-bin/nap.sh</bdi></td>") &&
               page.contains("/cgi-bin/dies.sh</bdi></td>") && page.contains("<details");
    }));
    INFO(page.body);
    CHECK(page.contains("data-label=\"Failed\">1</td>"));
    CHECK(page.contains("<li><code>no &lt;tide&gt; table for \\x1b[31m1870</code></li>"));
    CHECK(page.contains("<li class=\"part failed\">"));
    CHECK(page.contains("class=\"working\""));
    CHECK(page.contains(">2 parts<"));
    CHECK(page.contains("slowest <bdi>/cgi-bin/nap.sh"));
    CHECK(page.contains("?q=&lt;script&gt;"));
    CHECK_FALSE(page.contains("<script"));
    CHECK_FALSE(page.contains("\033"));
}
