#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <Poco/JSON/Object.h>
#include <Poco/JSON/Parser.h>

#include <catch2/catch.hpp>
#include <thread>

using namespace reef::e2e;
using Json = Poco::JSON::Object::Ptr;

namespace {

const std::string kBrowser = "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 "
                             "Firefox/128.0\r\n";

Json statsOf(const Site& site) {
    const auto outcome = runAtoll({"stats", "--json", site.directory()});
    INFO(outcome.out << outcome.err);
    REQUIRE(outcome.clean());
    return Poco::JSON::Parser().parse(outcome.out).extract<Json>();
}

int people(const Json& stats) {
    return stats->getObject("total")->getValue<int>("people");
}

int viewsOf(const Json& stats, const std::string& path) {
    const auto pages = stats->getArray("pages");
    for (unsigned i = 0; i < pages->size(); ++i) {
        if (pages->getObject(i)->getValue<std::string>("path") == path)
            return pages->getObject(i)->getValue<int>("views");
    }
    return 0;
}

void request(const Server& server, const std::string& line, const std::string& fields) {
    RawClient client(server.port());
    client.request(line, fields + "Connection: close\r\n");
    client.response(line.starts_with("HEAD"));
}

} // namespace

TEST_CASE("a thousand views, and SIGTERM at once: a thousand rows") {
    Site site;
    site.document("index.html", "<p>home</p>").document("other.html", "<p>other</p>");
    {
        Server server(site);
        std::vector<std::thread> visitors;
        for (int v = 0; v < 4; ++v) {
            visitors.emplace_back([port = server.port()] {
                RawClient client(port);
                for (int i = 0; i < 250; ++i)
                    client.get(i % 5 == 0 ? "/other.html" : "/", kBrowser);
                for (int i = 0; i < 250; ++i)
                    client.response();
            });
        }
        for (std::thread& visitor : visitors)
            visitor.join();
        server.stop();
    }
    const auto stats = statsOf(site);
    CHECK(people(stats) == 1000);
    CHECK(viewsOf(stats, "/") == 800);
    CHECK(viewsOf(stats, "/other.html") == 200);
    CHECK(stats->getValue<int>("lost") == 0);
}

TEST_CASE("only pages count, each once, and only those that were served by GET") {
    Site site;
    site.document("page.html", "<p>page</p>")
        .document("style.css", "p {}")
        .document("data.json", "{}");
    site.document("composed.shtml", "<p><!--#include virtual=\"/part.html\" -->"
                                    "<!--#include virtual=\"/cgi-bin/island.sh\" --></p>");
    site.document("part.html", "<b>part</b>").document("dir/index.html", "x");
    site.island("island.sh", "#!/bin/sh\nprintf 'Content-Type: text/html\\n\\n<i>island</i>'\n");
    site.island("plain.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\nplain'\n");
    site.island("local.sh", "#!/bin/sh\nprintf 'Location: /page.html\\n\\n'\n");
    {
        Server server(site);
        RawClient client(server.port());
        client.get("/page.html", kBrowser);
        const auto tag = client.response().field("ETag");
        client.get("/page.html", kBrowser + "If-None-Match: " + tag + "\r\n");
        CHECK(client.response().status == 304);

        request(server, "GET /composed.shtml HTTP/1.1", kBrowser);
        request(server, "GET /cgi-bin/island.sh HTTP/1.1", kBrowser);
        request(server, "GET /cgi-bin/local.sh HTTP/1.1", kBrowser);

        request(server, "HEAD /page.html HTTP/1.1", kBrowser);
        request(server, "POST /cgi-bin/island.sh HTTP/1.1", kBrowser);
        request(server, "GET /cgi-bin/plain.sh HTTP/1.1", kBrowser);
        request(server, "GET /style.css HTTP/1.1", kBrowser);
        request(server, "GET /data.json HTTP/1.1", kBrowser);
        request(server, "GET /missing.html HTTP/1.1", kBrowser);
        request(server, "GET /dir HTTP/1.1", kBrowser);
        request(server, "GET /page.html HTTP/1.1", kBrowser + "Range: bytes=0-1\r\n");
        request(server, "GET /page.html HTTP/1.1", kBrowser + "Sec-Fetch-Dest: iframe\r\n");
        request(server, "GET / HTTP/9.9", kBrowser);
    }
    const auto stats = statsOf(site);
    CHECK(people(stats) == 5);
    CHECK(viewsOf(stats, "/page.html") == 2);
    CHECK(viewsOf(stats, "/composed.shtml") == 1);
    CHECK(viewsOf(stats, "/cgi-bin/island.sh") == 1);
    CHECK(viewsOf(stats, "/cgi-bin/local.sh") == 1);
    CHECK(viewsOf(stats, "/part.html") == 0);
}

TEST_CASE("bots, tools and prefetching are told from people") {
    Site site;
    site.document("index.html", "<p>home</p>");
    {
        Server server(site);
        for (const char* agent :
             {"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
              "curl/8.1", "python-requests/2.31", ""}) {
            request(server, "GET / HTTP/1.1", std::string("User-Agent: ") + agent + "\r\n");
        }
        request(server, "GET / HTTP/1.1", "");
        request(server, "GET / HTTP/1.1", kBrowser + "Sec-Purpose: prefetch\r\n");
        request(server, "GET / HTTP/1.1", kBrowser);
    }
    const auto total = statsOf(site)->getObject("total");
    CHECK(total->getValue<int>("people") == 1);
    CHECK(total->getValue<int>("bots") == 5);
    CHECK(total->getValue<int>("prefetched") == 1);
}

TEST_CASE("views are there while the server runs, and after it has started again") {
    Site site;
    site.document("index.html", "<p>home</p>");
    for (int run = 1; run <= 2; ++run) {
        Server server(site);
        request(server, "GET / HTTP/1.1", kBrowser);
        CHECK(eventually([&] {
            const auto outcome = runAtoll({"stats", "--json", site.directory()});
            return outcome.clean() &&
                   people(Poco::JSON::Parser().parse(outcome.out).extract<Json>()) == run;
        }));
    }
    const auto table = runAtoll({"stats", site.directory()});
    CHECK(table.clean());
    CHECK(holds(table.out, "people"));
    CHECK(holds(table.out, "Most seen pages"));
}

TEST_CASE("what visitors send cannot steer the terminal that shows the statistics") {
    Site site;
    site.document("\x1b[2J.html", "x");
    site.document("caf\xc3\xa9.html", "x");
    {
        Server server(site);
        request(server, "GET /caf%C3%A9.html?\x7f HTTP/1.1", kBrowser);
        request(server, "GET /caf%C3%A9.html HTTP/1.1",
                kBrowser + "Referer: http://a.example/\xc2\x9b[2J\r\n");
        request(server, "GET /%1B[2J.html HTTP/1.1", kBrowser);
    }
    for (const auto& outcome :
         {runAtoll({"stats", site.directory()}), runAtoll({"stats", "--json", site.directory()})}) {
        CHECK(outcome.clean());
        CHECK_FALSE(holds(outcome.out, "\x1b"));
        CHECK_FALSE(holds(outcome.out, "\xc2\x9b"));
        CHECK(holds(outcome.out, "caf\xc3\xa9"));
    }
}

TEST_CASE("pageviews = false records nothing, and a full record stops no page") {
    Site site;
    site.document("index.html", "<p>home</p>");
    site.config("pageviews = false\n");
    {
        Server server(site);
        request(server, "GET / HTTP/1.1", kBrowser);
    }
    CHECK_FALSE(std::filesystem::exists(site.data() / "pageviews.db"));
    CHECK(runAtoll({"stats", site.directory()}).ending.code == 1);

    site.config("");
    writeFile(site.data() / "pageviews.db", "this is no database");
    Server server(site);
    RawClient client(server.port());
    client.get("/", kBrowser);
    CHECK(client.response().status == 200);
    CHECK(server.awaitLog("pageviews"));
}
