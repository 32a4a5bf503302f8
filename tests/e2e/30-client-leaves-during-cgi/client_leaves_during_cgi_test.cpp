#include "harness/raw_client.h"
#include "harness/server.h"

#include <catch2/catch.hpp>

using namespace reef::e2e;

namespace {

enum class Leaving { closes, resets };

void leave(RawClient& client, Leaving how) {
    how == Leaving::closes ? client.close() : client.reset();
}

pid_t pidIn(const std::string& line) {
    return static_cast<pid_t>(std::stol(line.substr(line.find(' ') + 1)));
}

/// Tells its number, then what befalls it.
std::string watched(const Mailbox& news, const std::string& before) {
    return "#!/bin/sh\ntrap 'echo TERM > " + news.path() + "; exit' TERM\n" + before +
           "echo \"started $$\" > " + news.path() + "\nsleep 100 &\nwait\n";
}

} // namespace

TEST_CASE("an island whose client has left is told so by TERM, and is gone") {
    for (const Leaving how : {Leaving::closes, Leaving::resets}) {
        for (const char* before : {"", "printf 'Content-Type: text/plain\\n\\nsome'\n"}) {
            INFO((how == Leaving::closes ? "closes" : "resets") << " after: " << before);
            Site site;
            Mailbox news(site.beside("news"));
            site.island("waits.sh", watched(news, before));
            Server server(site);
            RawClient client(server.port());
            client.get("/cgi-bin/waits.sh");
            const auto island = pidIn(news.line());
            leave(client, how);
            CHECK(news.line() == "TERM");
            CHECK(awaitGone(island));
            CHECK(eventually([&] { return server.islands().empty(); })); // its `sleep` too
        }
    }
}

TEST_CASE("an island that does not care for TERM is killed after a grace") {
    Site site;
    Mailbox news(site.beside("news"));
    site.island("stubborn.sh", "#!/bin/sh\ntrap '' TERM\necho \"started $$\" > " + news.path() +
                                   "\nwhile :; do sleep 1; done\n");
    Server server(site);
    RawClient client(server.port());
    client.get("/cgi-bin/stubborn.sh");
    const auto island = pidIn(news.line());
    client.close();
    CHECK(awaitGone(island));
    CHECK(eventually([&] { return server.islands().empty(); }));
}

TEST_CASE("an island that writes without end stops when nobody reads") {
    Site site;
    Mailbox news(site.beside("news"));
    site.island("endless.sh",
                "#!/bin/sh\necho \"started $$\" > " + news.path() +
                    "\nprintf 'Content-Type: text/plain\\n\\n'\nexec cat /dev/zero\n");
    Server server(site);
    RawClient client(server.port());
    client.get("/cgi-bin/endless.sh");
    const auto island = pidIn(news.line());
    client.head();
    client.readSome();
    client.close();
    CHECK(awaitGone(island));
}

TEST_CASE("all islands of a page end when its client leaves") {
    Site site;
    Mailbox news(site.beside("news"));
    site.document("page.shtml", "<!--#include virtual=\"/cgi-bin/a.sh\"-->"
                                "<!--#include virtual=\"/cgi-bin/b.sh\"-->"
                                "<!--#include virtual=\"/inner.shtml\"-->");
    site.document("inner.shtml", "<!--#include virtual=\"/cgi-bin/c.sh\"-->");
    for (const char* name : {"a.sh", "b.sh", "c.sh"})
        site.island(name, watched(news, ""));
    Server server(site);
    RawClient client(server.port());
    client.get("/page.shtml");
    std::vector<pid_t> islands;
    for (int i = 0; i < 3; ++i)
        islands.push_back(pidIn(news.line()));
    client.close();
    for (const pid_t island : islands)
        CHECK(awaitGone(island));
    CHECK(eventually([&] { return server.islands().empty(); }));
}

TEST_CASE("a client that only half-closes after Connection: close still gets its answer") {
    Site site;
    Mailbox go(site.beside("go"));
    site.island("slow.sh", "#!/bin/sh\nread word < " + go.path() +
                               "\nprintf 'Content-Type: text/plain\\n\\nslow'\n");
    Server server(site);
    RawClient client(server.port());
    client.get("/cgi-bin/slow.sh", "Connection: close\r\n");
    client.endWriting();
    CHECK(client.silentFor(100ms));
    go.put("go");
    CHECK(client.response().body == "slow");
}

TEST_CASE("a client that leaves before its island could start harms nothing") {
    Site site;
    site.document("ok.txt", "ok");
    site.island("hello.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\nhello'\n");
    Server server(site);
    for (int i = 0; i < 100; ++i) {
        RawClient client(server.port());
        client.get("/cgi-bin/hello.sh");
        leave(client, i % 2 == 0 ? Leaving::closes : Leaving::resets);
    }
    CHECK(eventually([&] { return server.islands().empty(); }));
    CHECK(fetch(server.port(), "/cgi-bin/hello.sh").body == "hello");
}
