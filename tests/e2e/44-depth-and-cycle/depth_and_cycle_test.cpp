#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <catch2/catch.hpp>

using namespace reef::e2e;

namespace {

const std::string kError = "[an error occurred while processing this directive]";

std::string include(const std::string& target) {
    return "<!--#include virtual=\"" + target + "\" -->";
}

} // namespace

TEST_CASE("a page that includes itself, by whatever way, is cut with one error text") {
    Site site;
    site.document("self.shtml", "a" + include("self.shtml") + "b");
    site.document("spelled.shtml", "a" + include("/x/../%73pelled.shtml") + "b");
    site.document("ping.shtml", "(" + include("pong.shtml") + ")");
    site.document("pong.shtml", "[" + include("ping.shtml") + "]");
    site.document("made.shtml", include("/cgi-bin/makes.sh"));
    site.island("makes.sh", "#!/bin/sh\nprintf 'Content-Type: text/html\\n\\n%s' '" +
                                include("/made.shtml") + "'\n");
    site.island("redirects.sh", "#!/bin/sh\nprintf 'Location: /redirected.shtml\\n\\n'\n");
    site.document("redirected.shtml", "r" + include("/cgi-bin/redirects.sh"));
    Server server(site);
    CHECK(fetch(server.port(), "/self.shtml").body == "a" + kError + "b");
    CHECK(fetch(server.port(), "/spelled.shtml").body == "a" + kError + "b");
    CHECK(fetch(server.port(), "/ping.shtml").body == "([" + kError + "])");
    CHECK(fetch(server.port(), "/made.shtml").body == kError);
    const auto redirected = fetch(server.port(), "/redirected.shtml");
    CHECK(redirected.complete);
    CHECK(count(redirected.body, kError) == 1);
    CHECK(server.awaitLog("include itself"));
    CHECK(eventually([&] { return server.islands().empty(); }));
}

TEST_CASE("a circle of ever different addresses ends at the depth limit") {
    Site site;
    site.island("deeper.sh", "#!/bin/sh\nn=$((QUERY_STRING + 1))\n"
                             "printf 'Content-Type: text/html\\n\\n%s<!--#include "
                             "virtual=\"/cgi-bin/deeper.sh?%s\" -->' $n $n\n");
    Server server(site);
    const auto answer = fetch(server.port(), "/cgi-bin/deeper.sh?0");
    CHECK(answer.complete);
    CHECK(answer.body == "1234567891011" + kError);
    CHECK(server.awaitLog("too deeply"));
}

TEST_CASE("pages ten deep are composed") {
    Site site;
    for (int i = 0; i < 10; ++i)
        site.document(std::to_string(i) + ".shtml",
                      std::to_string(i) + include(std::to_string(i + 1) + ".shtml"));
    site.document("10.shtml", "end");
    site.document("over.shtml", include("0.shtml"));
    Server server(site);
    CHECK(fetch(server.port(), "/0.shtml").body == "0123456789end");
    CHECK(fetch(server.port(), "/over.shtml").body == "0123456789" + kError);
}

TEST_CASE("a page that doubles with each level does not take the machine with it") {
    Site site;
    for (int i = 0; i < 10; ++i) {
        const auto next = std::to_string(i + 1) + ".shtml";
        std::string page;
        for (int j = 0; j < 10; ++j)
            page += include(next + "?" + std::to_string(j));
        site.document(std::to_string(i) + ".shtml", page);
    }
    site.document("10.shtml", "x");
    Server server(site);
    const auto answer = fetch(server.port(), "/0.shtml"); // 10 to the power of 10, if one let it
    CHECK(answer.complete);
    CHECK(count(answer.body, kError) > 0);
    if (kSlack == 1) CHECK(residentBytes(server.serverPid()) < 60'000'000);
    CHECK(server.awaitLog("too many fragments"));
}

TEST_CASE("nested pages do not starve each other of the right to run islands") {
    Site site;
    site.config("max_islands = 1\n");
    site.island("outer.sh", "#!/bin/sh\nprintf 'Content-Type: text/html\\n\\n(%s)' '" +
                                include("/cgi-bin/middle.sh") + "'\n");
    site.island("middle.sh", "#!/bin/sh\nprintf 'Content-Type: text/html\\n\\n[%s%s]' '" +
                                 include("/cgi-bin/inner.sh") + "' '" +
                                 include("/cgi-bin/inner.sh?2") + "'\n");
    site.island("inner.sh", "#!/bin/sh\nprintf 'Content-Type: text/html\\n\\nx'\n");
    Server server(site);
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int i = 0; i < 8; ++i) {
        clients.push_back(std::make_unique<RawClient>(server.port()));
        clients.back()->get("/cgi-bin/outer.sh");
    }
    for (const auto& client : clients)
        CHECK(client->response().body == "([xx])");
}
