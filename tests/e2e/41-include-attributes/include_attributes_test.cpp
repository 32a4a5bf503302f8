// What an include says about its fragment beside where it is, and what the page's head says of it.
#include "harness/command.h"
#include "harness/http_client.h"
#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <poll.h>

#include <catch2/catch.hpp>
#include <deque>

using namespace reef::e2e;

namespace {

const std::string kNap = "#!/bin/sh\nsleep 0.5\nprintf 'Content-Type: text/html\\n\\nslept'\n";
const std::string kHangs = "#!/bin/sh\nexec sleep 1000\n";

std::string include(const std::string& target, const std::string& more = {}) {
    return "<!--#include virtual=\"" + target + "\" " + more + " -->";
}

} // namespace

TEST_CASE("an island that hangs costs a page its timeout, and its fallback stands there") {
    Site site;
    site.island("nap.sh", kNap).island("hang.sh", kHangs);
    const auto nap = include("/cgi-bin/nap.sh");
    site.document("page.shtml",
                  "<!--#block name=\"later\" -->(later)<!--#endblock -->" + nap +
                      include("/cgi-bin/hang.sh", "timeout=\"300ms\" fallback=\"later\"") + nap +
                      include("/cgi-bin/hang.sh?2", "timeout=\"300ms\" fallback=\"/calm.html\"") +
                      nap);
    site.document("calm.html", "(calm)");
    Server server(site);
    auto best = Duration(1h);
    for (int i = 0; i < 3; ++i) {
        const Stopwatch watch;
        const auto answer = fetch(server.port(), "/page.shtml");
        best = std::min(best, watch.elapsed());
        CHECK(answer.body == "slept(later)slept(calm)slept");
    }
    CHECK(best < 700ms * kSlack);
    CHECK(eventually([&] { return server.islands().empty(); }));
    CHECK(server.awaitLog("it took longer than 300 ms"));
}

TEST_CASE("an island that fails is run again as often as its include says") {
    Site site;
    const auto counter = site.beside("tries").string();
    REQUIRE(shell("touch " + counter + " && chmod 666 " + counter).clean()); // islands are others
    site.island("shy.sh", "#!/bin/sh\necho x >> " + counter + "\n[ $(wc -l < " + counter +
                              ") -ge 3 ] || exit 1\n"
                              "printf 'Content-Type: text/plain\\n\\nhere'\n");
    site.document("page.shtml", include("/cgi-bin/shy.sh", "retry=\"2\""));
    Server server(site);
    CHECK(fetch(server.port(), "/page.shtml").body == "here");
}

TEST_CASE("a primary island sends the visitor elsewhere, and sets his cookies") {
    Site site;
    site.island("nap.sh", kNap);
    site.island(
        "login.sh",
        "#!/bin/sh\ncase $QUERY_STRING in\n"
        "in) printf 'Status: 303 See Other\\nLocation: /welcome\\nSet-Cookie: s=1\\n\\n' ;;\n"
        "gone) printf 'Status: 410 Gone\\nContent-Type: text/html\\n\\n(gone)' ;;\n"
        "die) exit 3 ;;\n"
        "*) printf 'Content-Type: text/html\\nSet-Cookie: s=2\\nLink: </a>; rel=preload\\n\\nhi' "
        ";;\n"
        "esac\n");
    site.document("page.shtml", "<b>" + include("/cgi-bin/nap.sh") +
                                    include("/cgi-bin/login.sh?$QUERY_STRING", "primary=\"yes\"") +
                                    "</b>");
    Server server(site);
    HttpClient client(server.port());
    const auto sent = client.get("/page.shtml?in");
    CHECK(sent.status == 303);
    CHECK(sent.field("Location") == "/welcome");
    CHECK(sent.field("Set-Cookie") == "s=1");
    CHECK(sent.body.empty());
    CHECK(eventually([&] { return server.islands().empty(); }));

    const auto gone = client.get("/page.shtml?gone");
    CHECK(gone.status == 410);
    CHECK(gone.body == "<b>slept(gone)</b>");

    const auto there = client.get("/page.shtml");
    CHECK(there.status == 200);
    CHECK(there.field("Set-Cookie") == "s=2");
    CHECK(there.field("Link") == "</a>; rel=preload");
    CHECK(there.body == "<b>slepthi</b>");

    const auto dead = client.get("/page.shtml?die");
    CHECK(dead.status == 502);
    CHECK(dead.body == "<b>slept[an error occurred while processing this directive]</b>");
}

TEST_CASE(
    "an island gets variables of the page in its query and in fields that no visitor can send") {
    Site site;
    site.island("env.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n%s|%s|%s' "
                          "\"$QUERY_STRING\" \"$HTTP_SSI_USER\" \"$HTTP_SSI_ROLE\"\n");
    site.document("page.shtml",
                  "<!--#set var=\"user\" value=\"ada & co\" -->" +
                      include("/cgi-bin/env.sh?a=1", "params=\"user\" headers=\"user\""));
    Server server(site);
    RawClient client(server.port());
    client.get("/page.shtml", "SSI-Role: admin\r\nSSI-User: eve\r\n");
    CHECK(client.response().body == "a=1&user=ada+%26+co|ada & co|");
}

TEST_CASE("a page of files has an entity tag, and is not sent to who has it") {
    Site site;
    site.document("head.html", std::string(800, 'h')).document("foot.html", std::string(800, 'f'));
    site.document("page.shtml", include("head.html") + "middle" + include("foot.html"));
    Server server(site);
    HttpClient client(server.port());
    const auto first = client.get("/page.shtml");
    const auto tag = first.field("ETag");
    REQUIRE(tag.size() == 34);
    CHECK(client.get("/page.shtml", {{"If-None-Match", tag}}).status == 304);
    CHECK(client.get("/page.shtml", {{"If-None-Match", "W/" + tag}}).status == 304);
    const auto packed = client.get("/page.shtml", {{"Accept-Encoding", "gzip"}});
    CHECK(packed.field("Content-Encoding") == "gzip");
    CHECK(packed.field("ETag") == "W/" + tag);
    site.document("foot.html", std::string(800, 'g'));
    const auto changed = client.get("/page.shtml", {{"If-None-Match", tag}});
    CHECK(changed.status == 200);
    CHECK(changed.field("ETag") != tag);
}

TEST_CASE("a thousand pages of a hundred parts in flight hold little memory, and none is lost") {
    Site site;
    std::string page;
    std::string whole;
    for (int i = 0; i != 100; ++i) {
        const auto name = "part" + std::to_string(i) + ".html";
        const auto content = "<p>" + std::to_string(i) + std::string(4000, 'x') + "</p>\n";
        site.document(name, content);
        page += include(name) + "\n";
        whole += content + "\n";
    }
    site.document("page.shtml", page);
    Server server(site);
    constexpr std::size_t kPages = 1000;
    CHECK(fetch(server.port(), "/page.shtml").body == whole);
    std::deque<RawClient> clients;
    for (std::size_t i = 0; i != kPages; ++i) {
        clients.emplace_back(server.port());
        clients.back().get("/page.shtml");
    }
    // All have begun, and none has read a byte: 400 MB are to be sent.
    for (auto& client : clients) {
        pollfd readable{client.descriptor(), POLLIN, 0};
        REQUIRE(::poll(&readable, 1, Deadline().milliseconds()) == 1);
    }
    const std::size_t bound = kSlack > 1 ? 600'000'000 : 150'000'000;
    CHECK(residentBytes(server.serverPid()) < bound);
    std::size_t right = 0;
    for (auto& client : clients) {
        const auto answer = client.response();
        if (answer.complete && answer.body == whole) ++right;
    }
    CHECK(right == kPages);
}
