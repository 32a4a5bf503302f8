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
        {"text.sh", "#!/bin/sh\necho just text\n", "line without colon: \"just text\""},
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
                             "100000\\n\\nsome'\nsleep 0.1\nkill -KILL $$\n");
    site.island("short.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\nContent-Length: "
                            "100000\\n\\nsome'\nsleep 0.1\n");
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

TEST_CASE("a wrong length of a short answer is put right, and the log says so") {
    struct Case {
        const char* name;
        const char* announced;
        const char* script; ///< what it writes, in this way
        const char* logged;
    };
    const Case cases[] = {
        {"long.sh", "3", "echo hello", "announced 3 bytes of content and wrote 6"},
        {"slow.sh", "3", "printf hel\nsleep 0.05\necho lo", "announced 3 bytes"},
        {"zero.sh", "0", "echo hello", "announced 0 bytes of content and wrote 6"},
        {"short.sh", "100", "echo hello", "announced 100 bytes of content and wrote 6"},
        {"late.sh", "100", "sleep 0.05\necho hello\nsleep 0.05", "announced 100 bytes"},
    };
    Site site;
    for (const Case& c : cases)
        site.island(c.name, std::string("#!/bin/sh\nprintf 'Content-Type: text/plain\\n"
                                        "Content-Length: ") +
                                c.announced + "\\n\\n'\n" + c.script + "\n");
    Server server(site);
    for (const Case& c : cases) {
        INFO(c.name);
        for (int i = 0; i < 5; ++i) { // the same each time, however pieces arrive
            const auto answer = fetch(server.port(), std::string("/cgi-bin/") + c.name);
            CHECK(answer.status == 200);
            CHECK(answer.complete);
            CHECK(answer.field("Content-Length") == "6");
            CHECK(answer.body == "hello\n");
        }
        CHECK(server.awaitLog(c.logged));
    }
}

TEST_CASE("an answer far beyond its announced length arrives whole, and its length is not told") {
    Site site;
    site.island("far.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\nContent-Length: 5\\n\\n'\n"
                          "head -c 200000 /dev/zero | tr '\\0' x\n");
    Server server(site);
    for (int i = 0; i < 5; ++i) {
        const auto answer = fetch(server.port(), "/cgi-bin/far.sh");
        CHECK(answer.status == 200);
        CHECK(answer.complete);
        CHECK_FALSE(answer.has("Content-Length"));
        CHECK(answer.body.size() == 200'000);
    }
    CHECK(server.awaitLog("announced 5 bytes of content and wrote 200000"));
}

TEST_CASE("a large answer keeps the length it announced, and not a byte more") {
    Site site;
    const std::string head =
        "#!/bin/sh\nprintf 'Content-Type: a/b\\nContent-Length: 100000\\n\\n'\n";
    site.island("right.sh", head + "head -c 100000 /dev/zero | tr '\\0' x\n");
    site.island("more.sh", head + "head -c 300000 /dev/zero | tr '\\0' x\n");
    site.island("less.sh", head + "head -c 99999 /dev/zero | tr '\\0' x\n");
    Server server(site);
    for (int i = 0; i < 5; ++i) {
        for (const char* name : {"right.sh", "more.sh"}) {
            INFO(name);
            const auto answer = fetch(server.port(), std::string("/cgi-bin/") + name);
            CHECK(answer.status == 200);
            CHECK(answer.field("Content-Length") == "100000");
            CHECK(answer.complete);
            CHECK((answer.body == std::string(100'000, 'x')));
        }
        const auto answer = fetch(server.port(), "/cgi-bin/less.sh");
        CHECK(answer.field("Content-Length") == "100000");
        CHECK_FALSE(answer.complete);
    }
    CHECK(server.awaitLog("and more; the client is given what it announced"));
    CHECK(server.awaitLog("announced 100000 bytes of content and wrote 99999"));
}

TEST_CASE("an island that fails before its announced length is reached is a bad gateway") {
    Site site;
    const std::string head =
        "#!/bin/sh\nprintf 'Content-Type: a/b\\nContent-Length: 100\\n\\nsome'\n";
    site.island("exit.sh", head + "exit 1\n");
    site.island("crash.sh", head + "sleep 0.05\nkill -SEGV $$\n");
    Server server(site);
    for (int i = 0; i < 5; ++i) {
        CHECK(fetch(server.port(), "/cgi-bin/exit.sh").status == 502);
        CHECK(fetch(server.port(), "/cgi-bin/crash.sh").status == 502);
    }
}

TEST_CASE("the length that an island tells for HEAD is passed on") {
    Site site;
    site.island("head.sh", "#!/bin/sh\nprintf 'Content-Type: a/b\\nContent-Length: 100\\n\\n'\n"
                           "[ \"$REQUEST_METHOD\" = HEAD ] || head -c 100 /dev/zero\n");
    Server server(site);
    RawClient client(server.port());
    client.request("HEAD /cgi-bin/head.sh HTTP/1.1");
    CHECK(client.response(true).field("Content-Length") == "100");
    client.get("/cgi-bin/head.sh");
    CHECK(client.response().body.size() == 100);
}

TEST_CASE("the log says what is wrong with a #! line") {
    Site site;
    site.island("windows.sh", "#!/bin/sh\r\necho hello\r\n");
    site.island("env.sh", "#!/usr/bin/env no-such-program\n");
    site.island("missing.sh", "#!/no/such/interpreter\n");
    site.island("none.sh", "echo hello\n");
    Server server(site);
    for (const char* name : {"windows.sh", "env.sh", "missing.sh", "none.sh"})
        CHECK(fetch(server.port(), std::string("/cgi-bin/") + name).status >= 500);
    CHECK(server.awaitLog("its #! line ends in CR"));
    CHECK(server.awaitLog("interpreter no-such-program is nowhere in"));
    CHECK(server.awaitLog("interpreter /no/such/interpreter does not exist"));
    CHECK(server.awaitLog("it has no #! line"));
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
    CHECK(server.awaitLog("exit code 7"));
    CHECK(holds(server.log(), "[cgi-bin/exit.sh] pid "));
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
        {"/cgi-bin/link.sh", 403},
        {"/cgi-bin/dir/evil.sh", 403},
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
