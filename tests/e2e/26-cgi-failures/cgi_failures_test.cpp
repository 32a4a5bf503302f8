#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>

using namespace reef::e2e;
namespace fs = std::filesystem;

namespace {

constexpr const char* kHead = "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\n";
constexpr const char* kSource = "#!/bin/sh\n# SOURCE with a password\n";

} // namespace

TEST_CASE("an answer without a head is a bad gateway, and the log says why") {
    struct Case {
        const char* name;
        const char* script;
        const char* logged;
    };
    const Case cases[] = {
        {"empty.sh", "#!/bin/sh\n", "is empty"},
        {"text.sh", "#!/bin/sh\necho just text\n", "text.sh"},
        {"colon.sh", "#!/bin/sh\nprintf 'Note: no CGI field\\n\\ntext'\n", "expected Content-Type"},
        {"cut.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n'\n", "ended within its head"},
        {"cgitb.sh", "#!/bin/sh\necho '<!--: spam'\nprintf 'Content-Type: text/html\\n\\n'\n",
         "cgitb.sh"},
        {"status.sh", "#!/bin/sh\nprintf 'Status: fine\\nContent-Type: a/b\\n\\nx'\n", "Status"},
        {"low.sh", "#!/bin/sh\nprintf 'Status: 100\\nContent-Type: a/b\\n\\nx'\n", "Status"},
        {"nph.sh", "#!/bin/sh\nprintf 'HTTP/1.1 200 OK\\nContent-Type: a/b\\n\\nx'\n", "nph.sh"},
        {"length.sh", "#!/bin/sh\nprintf 'Content-Length: x\\nContent-Type: a/b\\n\\nx'\n",
         "Content-Length"},
        {"endless.sh", "#!/bin/sh\nprintf 'X: '\nexec cat /dev/zero\n", "endless.sh"},
        {"huge.sh",
         "#!/bin/sh\nprintf 'X: '\nhead -c 200000 /dev/zero | tr '\\0' y\n"
         "printf '\\nContent-Type: a/b\\n\\nx'\n",
         "huge.sh"},
        {"killed.sh", "#!/bin/sh\nkill -SEGV $$\n", "killed.sh"},
        {"exit.sh", "#!/bin/sh\nexit 3\n", "exit.sh"},
    };
    Site site;
    for (const Case& c : cases)
        site.island(c.name, c.script);
    Server server(site);
    for (const Case& c : cases) {
        INFO(c.name);
        const auto answer = fetch(server.port(), std::string("/cgi-bin/") + c.name);
        CHECK(answer.status == 502);
        CHECK_FALSE(answer.contains(c.name)); // what failed is for the log alone
        CHECK(server.awaitLog(std::string("/cgi-bin/") + c.name + " -> 502"));
        CHECK(holds(server.log(), c.logged));
    }
    CHECK(eventually([&] { return server.islands().empty(); }));
}

TEST_CASE("an island that crashes after its head gives an answer that is visibly cut") {
    Site site;
    site.island("crash.sh", std::string(kHead) + "echo some\nsleep 0.1\nkill -SEGV $$\n");
    site.island("length.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\nContent-Length: "
                             "100\\n\\nsome'\nsleep 0.1\nkill -KILL $$\n");
    site.island("short.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\nContent-Length: "
                            "100\\n\\nsome'\nsleep 0.1\n");
    Server server(site);
    for (const char* name : {"crash.sh", "length.sh", "short.sh"}) {
        INFO(name);
        RawClient client(server.port());
        client.get(std::string("/cgi-bin/") + name);
        const auto answer = client.response();
        CHECK(answer.status == 200);
        CHECK_FALSE(answer.complete);
        CHECK(client.closedByPeer());
    }
    RawClient old(server.port());
    old.send("GET /cgi-bin/crash.sh HTTP/1.0\r\n\r\n");
    CHECK_FALSE(
        old.response().complete); // a reset, where the end of the connection would be success
    CHECK(server.awaitLog("(cut)"));
    const auto outcome =
        shell("curl -sS --max-time 30 http://127.0.0.1:" + std::to_string(server.port()) +
              "/cgi-bin/crash.sh");
    CHECK(outcome.ending.code != 0);
}

TEST_CASE("an island that crashes at once after a short answer is no success either") {
    Site site;
    site.island("crash.sh", std::string(kHead) + "echo some\nkill -ABRT $$\n");
    Server server(site);
    for (int i = 0; i < 20; ++i) {
        const auto answer = fetch(server.port(), "/cgi-bin/crash.sh");
        CHECK((answer.status == 502 || !answer.complete));
    }
}

TEST_CASE("an exit status alone fails no answer that is whole") {
    Site site;
    site.island("exit.sh", std::string(kHead) + "echo whole\nexit 7\n");
    Server server(site);
    const auto answer = fetch(server.port(), "/cgi-bin/exit.sh");
    CHECK(answer.status == 200);
    CHECK(answer.body == "whole\n");
    CHECK(server.awaitLog("[cgi-bin/exit.sh]"));
}

TEST_CASE("what may not be run is refused, and its source never shown") {
    Site site;
    site.island("plain.sh", kSource, 0644);
    site.island("backup.sh~", kSource, 0644);
    site.island("group.sh", kSource, 0775);
    site.island("world.sh", kSource, 0757);
    site.island("notes.txt", kSource, 0644);
    site.island("lib/config.pl", kSource, 0644);
    site.island(".hidden.sh", kSource);
    site.island("lib/.hidden.sh", kSource);
    fs::create_directory(site.beside("outside"));
    writeFile(site.beside("outside") / "evil.sh", kSource, 0755);
    fs::create_symlink(site.beside("outside") / "evil.sh", site.islands() / "link.sh");
    fs::create_symlink(site.beside("outside"), site.islands() / "dir");
    site.island("interpreter.sh", "#!/no/such/interpreter\n# SOURCE\n");
    site.island("binary", "SOURCE that no kernel can run\n");
    site.document("include.shtml", "<!--#include file=\"../cgi-bin/plain.sh\"-->"
                                   "<!--#include virtual=\"/cgi-bin/plain.sh\"-->"
                                   "<!--#include file=\"cgi-bin/plain.sh\"-->");
    Server server(site);
    struct Case {
        const char* target;
        int status;
    };
    const Case cases[] = {
        {"/cgi-bin/plain.sh", 403},
        {"/cgi-bin/backup.sh~", 403},
        {"/cgi-bin/group.sh", 403},
        {"/cgi-bin/world.sh", 403},
        {"/cgi-bin/notes.txt", 403},
        {"/cgi-bin/lib/config.pl", 403},
        {"/cgi-bin/.hidden.sh", 404},
        {"/cgi-bin/lib/.hidden.sh", 404},
        {"/cgi-bin/link.sh", 404},
        {"/cgi-bin/dir/evil.sh", 404},
        {"/cgi-bin/../cgi-bin/plain.sh", 403},
        {"/cgi-bin//plain.sh", 403},
        {"/cgi-bin/%70lain.sh", 403},
        {"/cgi-bin/plain.sh/info", 403},
        {"/cgi-bin/", 404},
        {"/cgi-bin", 404},
        {"/cgi-bin/lib/", 404},
        {"/cgi-bin/lib", 404},
        {"/cgi-bin/interpreter.sh", 500},
        {"/cgi-bin/binary", 500},
        {"/cgi-bin/none.sh", 404},
        {"/include.shtml", 200},
    };
    for (const Case& c : cases) {
        INFO(c.target);
        for (const char* fields : {"", "Range: bytes=0-100\r\n", "Accept: text/plain\r\n"}) {
            const auto answer = fetch(server.port(), c.target, fields);
            CHECK(answer.status == c.status);
            CHECK_FALSE(answer.contains("SOURCE"));
        }
    }
    CHECK(server.awaitLog("chmod +x"));
    CHECK(server.awaitLog("chmod go-w"));
}

TEST_CASE("an island that lost its right to be run between two requests is refused") {
    Site site;
    site.island("turns.sh", std::string(kHead) + "echo SOURCE ran\n");
    Server server(site);
    CHECK(fetch(server.port(), "/cgi-bin/turns.sh").status == 200);
    ::chmod((site.islands() / "turns.sh").c_str(), 0644);
    CHECK(fetch(server.port(), "/cgi-bin/turns.sh").status == 403);
    ::chmod((site.islands() / "turns.sh").c_str(), 0755);
    CHECK(fetch(server.port(), "/cgi-bin/turns.sh").status == 200);
}

TEST_CASE("an island that the kernel ends for writing into a closed pipe is no matter") {
    Site site;
    site.island("pipe.sh", std::string(kHead) + "yes | head -n 1\n");
    Server server(site);
    CHECK(fetch(server.port(), "/cgi-bin/pipe.sh").body == "y\n");
}

TEST_CASE("no process is left of a hundred islands that failed in turns") {
    Site site;
    site.island("crash.sh", std::string(kHead) + "echo some\nkill -SEGV $$\n");
    site.island("empty.sh", "#!/bin/sh\n");
    site.island("orphan.sh", std::string(kHead) + "sleep 100 &\n");
    Server server(site);
    for (int i = 0; i < 34; ++i) {
        for (const char* name : {"crash.sh", "empty.sh", "orphan.sh"})
            fetch(server.port(), std::string("/cgi-bin/") + name);
    }
    CHECK(eventually([&] { return server.islands().empty(); }));
}
