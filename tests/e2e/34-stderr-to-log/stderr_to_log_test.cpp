#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <catch2/catch.hpp>

using namespace reef::e2e;

namespace {
constexpr const char* kAnswer = "printf 'Content-Type: text/plain\\n\\nanswer'\n";
}

TEST_CASE("what an island says on standard error is in the log, with its name and number") {
    Site site;
    site.island("sub/says.sh", std::string("#!/bin/sh\necho first line >&2\nprintf 'no end' >&2\n"
                                           "printf 'X-Pid: %s\\n' $$\n") +
                                   kAnswer);
    Server server(site);
    const auto answer = fetch(server.port(), "/cgi-bin/sub/says.sh");
    CHECK(answer.body == "answer"); // none of it went to the client
    const std::string mark = "[cgi-bin/sub/says.sh] pid " + answer.field("X-Pid") + " request ";
    CHECK(server.awaitLog("first line\n"));
    CHECK(server.awaitLog("no end\n"));
    CHECK(count(server.log(), mark) == 2);
}

TEST_CASE("an island that fails has its last words in the log") {
    Site site;
    site.island("dies.sh", "#!/bin/sh\necho 'why it died' >&2\nkill -SEGV $$\n");
    Server server(site);
    const auto answer = fetch(server.port(), "/cgi-bin/dies.sh");
    CHECK(answer.status == 502);
    CHECK_FALSE(answer.contains("why it died"));
    CHECK(server.awaitLog("why it died"));
}

TEST_CASE("an island cannot forge lines of the log, nor steer the terminal that shows it") {
    Site site;
    site.island("forges.sh", std::string("#!/bin/sh\nprintf '\\033[2Jcleared\\r2026-01-01 error "
                                         "[server] forged\\n' >&2\n") +
                                 kAnswer);
    Server server(site);
    CHECK(fetch(server.port(), "/cgi-bin/forges.sh").status == 200);
    CHECK(fetch(server.port(), "/cgi-bin/none.sh/%1b%5b2J").status >= 400);
    CHECK(server.awaitLog("forged"));
    CHECK_FALSE(holds(server.log(), "\033"));
    CHECK_FALSE(holds(server.log(), "\r"));
    CHECK_FALSE(holds(server.log(), "\n2026-01-01 error"));
}

TEST_CASE("a flood is cut, and the log says how much is missing") {
    Site site;
    site.island("floods.sh", std::string("#!/bin/sh\nyes flood | head -n 5000 >&2\n") + kAnswer);
    site.island("wide.sh",
                std::string("#!/bin/sh\nhead -c 100000 /dev/zero | tr '\\0' w >&2\n") + kAnswer);
    Server server(site);
    CHECK(fetch(server.port(), "/cgi-bin/floods.sh").status == 200);
    CHECK(server.awaitLog("4800 further lines on standard error were dropped"));
    CHECK(count(server.log(), "flood\n") == 200);
    CHECK(fetch(server.port(), "/cgi-bin/wide.sh").status == 200);
    CHECK(server.awaitLog("wwww..."));
    CHECK(server.log().size() < 100'000);
}

TEST_CASE("standard error of a fragment is in the log as well") {
    Site site;
    site.document("page.shtml", "<p><!--#include virtual=\"/cgi-bin/says.sh\"--></p>\n");
    site.island("says.sh", std::string("#!/bin/sh\necho from within >&2\n") + kAnswer);
    Server server(site);
    CHECK(fetch(server.port(), "/page.shtml").body == "<p>answer</p>\n");
    CHECK(server.awaitLog("[cgi-bin/says.sh]"));
    CHECK(server.awaitLog("from within"));
}
