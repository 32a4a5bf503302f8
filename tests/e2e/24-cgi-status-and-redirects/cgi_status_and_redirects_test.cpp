#include "harness/command.h"
#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <catch2/catch.hpp>

using namespace reef::e2e;

namespace {

/// An island that answers with exactly these bytes.
std::string saying(const std::string& bytes) {
    return "#!/bin/sh\ncat <<'END-OF-ANSWER'\n" + bytes + "END-OF-ANSWER\n";
}

} // namespace

TEST_CASE("the head of an island's answer becomes the head of the response") {
    struct Case {
        const char* answer;
        int status;
        const char* field;
        const char* value;
        const char* body;
    };
    const Case cases[] = {
        {"Content-Type: text/plain\n\nhello\n", 200, "Content-Type", "text/plain", "hello\n"},
        {"content-type:text/plain\n\nhello\n", 200, "Content-Type", "text/plain", "hello\n"},
        {"Content-Type: text/plain\r\nX: y\r\n\r\nhello\n", 200, "X", "y", "hello\n"},
        {"Status: 404 Not Here\nContent-Type: text/plain\n\ngone\n", 404, "Content-Type",
         "text/plain", "gone\n"},
        {"Status: 201\nLocation: http://a.example/new\n\nmade\n", 201, "Location",
         "http://a.example/new", "made\n"},
        {"Content-Type: text/plain\nStatus: 503 x\nRetry-After: 9\n\n", 503, "Retry-After", "9",
         ""},
        {"Status: 204\n\n", 204, "Content-Length", "", ""},
        {"Status: 304\nETag: \"x\"\n\n", 304, "ETag", "\"x\"", ""},
        {"Status: 418 I'm a teapot\nContent-Type: text/plain\n\nshort\n", 418, "Content-Type",
         "text/plain", "short\n"},
        {"Content-Type: text/plain\nContent-Length: 6\n\nhello\n", 200, "Content-Length", "6",
         "hello\n"},
        {"Location: http://example.org/x\n\n", 302, "Location", "http://example.org/x", ""},
        {"Location: http://example.org/x\nContent-Type: text/plain\n\nmoved\n", 302, "Location",
         "http://example.org/x", "moved\n"},
        {"Status: 301 Moved\nLocation: http://example.org/x\n\n", 301, "Location",
         "http://example.org/x", ""},
        {"Status: 303\nLocation: /elsewhere\n\n", 303, "Location", "/elsewhere", ""},
        {"Location: //evil.example/x\n\n", 302, "Location", "//evil.example/x", ""},
        {"Location: mailto:a@b.example\n\n", 302, "Location", "mailto:a@b.example", ""},
        {"Location: relative\n\n", 302, "Location", "relative", ""},
    };
    Site site;
    for (std::size_t i = 0; i < std::size(cases); ++i)
        site.island("case-" + std::to_string(i) + ".sh", saying(cases[i].answer));
    Server server(site);
    RawClient client(server.port()); // one connection: each answer must end where it should
    for (std::size_t i = 0; i < std::size(cases); ++i) {
        const Case& c = cases[i];
        INFO(c.answer);
        client.get("/cgi-bin/case-" + std::to_string(i) + ".sh");
        const auto answer = client.response();
        CHECK(answer.status == c.status);
        CHECK(answer.field(c.field) == c.value);
        CHECK(answer.body == c.body);
        CHECK_FALSE(answer.has("Status"));
        CHECK(answer.all("Date").size() == 1);
    }
}

TEST_CASE("fields of one name stay apart and in order") {
    Site site;
    site.island("cookies.sh", saying("Set-Cookie: a=1; Path=/\nContent-Type: text/plain\n"
                                     "Set-Cookie: b=2, c=3\n\nx\n"));
    Server server(site);
    const auto answer = fetch(server.port(), "/cgi-bin/cookies.sh");
    CHECK(answer.all("Set-Cookie") == std::vector<std::string>{"a=1; Path=/", "b=2, c=3"});
}

TEST_CASE("an island cannot say what is the connection's business") {
    Site site;
    site.island("framing.sh", saying("Content-Type: text/plain\nConnection: close\n"
                                     "Keep-Alive: 5\nTransfer-Encoding: gzip\n\nx\n"));
    site.island("hop.sh", saying("Content-Type: text/plain\nConnection: X-Drop\nKeep-Alive: 5\n"
                                 "Upgrade: h2c\n\nx\n"));
    Server server(site);
    CHECK(fetch(server.port(), "/cgi-bin/framing.sh").status == 502);
    RawClient client(server.port());
    client.get("/cgi-bin/hop.sh");
    const auto answer = client.response();
    INFO(answer.describe());
    CHECK(answer.status == 200);
    CHECK_FALSE(answer.has("Keep-Alive"));
    CHECK_FALSE(answer.has("Upgrade"));
    CHECK(answer.all("Connection").size() <= 1);
    CHECK(answer.body == "x\n");
}

TEST_CASE("a local path in Location is carried out inside the server") {
    Site site;
    site.document("target.html", "the target\n").document("page.shtml", "a page\n");
    site.island("file.sh", saying("Location: /target.html\n\n"));
    site.island("page.sh", saying("Location: /page.shtml\n\n"));
    site.island("typed.sh", saying("Content-Type: text/plain\nLocation: /target.html\n\n"));
    site.island("missing.sh", saying("Location: /none.html\n\n"));
    site.island("island.sh", saying("Location: /cgi-bin/told.sh/extra?x=1\n\n"));
    site.island("told.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\n"
                           "echo \"$REQUEST_METHOD $SCRIPT_NAME $PATH_INFO $QUERY_STRING "
                           "${CONTENT_LENGTH-none} $HTTP_COOKIE\"\ncat\n");
    Server server(site);
    const auto file = fetch(server.port(), "/cgi-bin/file.sh");
    CHECK(file.status == 200);
    CHECK(file.body == "the target\n");
    CHECK_FALSE(file.has("Location"));
    CHECK(fetch(server.port(), "/cgi-bin/page.sh").body == "a page\n");
    CHECK(fetch(server.port(), "/cgi-bin/typed.sh").body == "the target\n");
    CHECK(fetch(server.port(), "/cgi-bin/missing.sh").status == 404);

    RawClient client(server.port());
    client.request("POST /cgi-bin/island.sh?mine HTTP/1.1", "Content-Length: 5\r\nCookie: a=1\r\n",
                   "hello");
    CHECK(client.response().body == "GET /cgi-bin/told.sh /extra x=1 none a=1\n");
    client.request("HEAD /cgi-bin/file.sh HTTP/1.1");
    CHECK(client.response(true).field("Content-Length") == "11");
    client.get("/target.html");
    CHECK(client.response().body == "the target\n");
}

TEST_CASE("local redirects in a circle end") {
    Site site;
    site.island("self.sh", saying("Location: /cgi-bin/self.sh\n\n"));
    site.island("ping.sh", saying("Location: /cgi-bin/pong.sh\n\n"));
    site.island("pong.sh", saying("Location: /cgi-bin/ping.sh\n\n"));
    Server server(site);
    for (const char* target : {"/cgi-bin/self.sh", "/cgi-bin/ping.sh"}) {
        INFO(target);
        CHECK(fetch(server.port(), target).status >= 500);
    }
    CHECK(server.awaitLog("redirects"));
    CHECK(eventually([&] { return server.islands().empty(); }));
}

TEST_CASE("a chain of islands needs one permit at a time") {
    Site site;
    site.config("max_islands = 1\nisland_timeout = \"20s\"\n");
    site.island("first.sh", saying("Location: /cgi-bin/second.sh\n\n"));
    site.island("second.sh", saying("Location: /cgi-bin/third.sh\n\n"));
    site.island("third.sh", saying("Content-Type: text/plain\n\nthird\n"));
    Server server(site);
    CHECK(fetch(server.port(), "/cgi-bin/first.sh").body == "third\n");
}

TEST_CASE("an island that sends on within the site is left to finish its work") {
    Site site;
    Mailbox done(site.beside("done"));
    site.document("target.html", "the target\n");
    site.island("saves.sh", "#!/bin/sh\nprintf 'Location: /target.html\n\n'\nsleep 0.3\n"
                            "echo saved > " +
                                done.path() + "\n");
    site.island("crash.sh", "#!/bin/sh\nprintf 'Location: /target.html\n\n'\nkill -SEGV $$\n");
    Server server(site);
    CHECK(fetch(server.port(), "/cgi-bin/saves.sh").body == "the target\n");
    CHECK(done.line() == "saved");
    CHECK(fetch(server.port(), "/cgi-bin/crash.sh").status == 502);
}

TEST_CASE("what a local redirect leads to is answered as if the client had asked for it") {
    Site site;
    site.config("[[route]]\npath = \"/private/*\"\nstatus = 403\n"
                "[[route]]\npath = \"/moved/*\"\nredirect = \"/target.html\"\n"
                "[[route]]\npath = \"/target.html\"\nheaders = { X-Route = \"target\" }\n");
    const std::string content(5000, 'x');
    site.document("target.html", content).document("private/a.txt", "SECRET");
    site.island("file.sh", saying("Location: /target.html\nSet-Cookie: a=1\nX-Own: y\n\n"));
    site.island("private.sh", saying("Location: /private/a.txt\n\n"));
    site.island("moved.sh", saying("Location: /moved/a\n\n"));
    Server server(site);
    const auto whole = fetch(server.port(), "/cgi-bin/file.sh");
    CHECK((whole.body == content));
    CHECK(whole.field("X-Route") == "target");
    CHECK(whole.field("Set-Cookie") == "a=1"); // a session begins, whatever else is shown
    CHECK_FALSE(whole.has("X-Own"));
    const auto small = fetch(server.port(), "/cgi-bin/file.sh", "Accept-Encoding: gzip\r\n");
    CHECK(small.field("Content-Encoding") == "gzip");
    CHECK(small.body.size() < 1000);
    const auto part = fetch(server.port(), "/cgi-bin/file.sh", "Range: bytes=1-3\r\n");
    CHECK(part.status == 206);
    CHECK(part.body == "xxx");
    CHECK(fetch(server.port(), "/cgi-bin/file.sh", "If-None-Match: " + whole.field("ETag") + "\r\n")
              .status == 304);
    const auto refused = fetch(server.port(), "/cgi-bin/private.sh");
    CHECK(refused.status == 403);
    CHECK_FALSE(refused.contains("SECRET"));
    const auto moved = fetch(server.port(), "/cgi-bin/moved.sh");
    CHECK(moved.status == 302);
    CHECK(moved.field("Location") == "/target.html");
}

TEST_CASE("a password that guards a path guards it against an island's redirect too") {
    Site site;
    const auto hash = run({atollBinary(), "hash"}, "secret\n").out;
    site.config("[[route]]\npath = \"/private/*\"\nauth = { users = { anna = \"" +
                hash.substr(0, hash.find('\n')) + "\" } }\n");
    site.document("private/a.txt", "PRIVATE");
    site.island("in.sh", saying("Location: /private/a.txt\n\n"));
    Server server(site);
    const auto refused = fetch(server.port(), "/cgi-bin/in.sh");
    CHECK(refused.status == 401);
    CHECK(refused.has("WWW-Authenticate"));
    CHECK(
        fetch(server.port(), "/cgi-bin/in.sh", "Authorization: Basic YW5uYTpzZWNyZXQ=\r\n").body ==
        "PRIVATE");
}

TEST_CASE("an nph- script says its own status, and the connection stays") {
    Site site;
    site.island("nph-hello.sh", saying("HTTP/1.1 203 As I Say\nContent-Type: text/plain\n"
                                       "Connection: close\nX-Own: y\n\nhello\n"));
    site.island("nph-length.sh", saying("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n"
                                        "Content-Length: 6\r\n\r\nhello\n"));
    site.island("nph-none.sh", saying("Content-Type: text/plain\n\nhello\n"));
    site.island("nph-odd.sh", saying("HTTP/1.1 OK\nContent-Type: text/plain\n\nhello\n"));
    site.island("nph-chunked.sh", saying("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n0\n\n"));
    Server server(site);
    RawClient client(server.port());
    for (int i = 0; i < 2; ++i) {
        client.get("/cgi-bin/nph-hello.sh");
        const auto answer = client.response();
        CHECK(answer.status == 203);
        CHECK(answer.reason == "As I Say");
        CHECK(answer.field("X-Own") == "y");
        CHECK_FALSE(answer.has("Connection"));
        CHECK(answer.all("Date").size() == 1);
        CHECK(answer.body == "hello\n");
        client.get("/cgi-bin/nph-length.sh");
        CHECK(client.response().field("Content-Length") == "6");
    }
    for (const char* name : {"nph-none.sh", "nph-odd.sh", "nph-chunked.sh"})
        CHECK(fetch(server.port(), std::string("/cgi-bin/") + name).status == 502);
    CHECK(server.awaitLog("expected a status line such as"));
}

TEST_CASE("fields given twice: CGI's own must agree, others stay as they are") {
    struct Case {
        const char* answer;
        int status;
    };
    const Case cases[] = {
        {"Content-Type: text/plain\nContent-Type: text/plain\n\nx\n", 200},
        {"Content-Type: text/plain\nContent-Type: text/html\n\nx\n", 502},
        {"Status: 201\nStatus: 201\nContent-Type: text/plain\n\nx\n", 201},
        {"Status: 200\nStatus: 404\nContent-Type: text/plain\n\nx\n", 502},
        {"Location: /a\nLocation: /b\n\n", 502},
        {"Content-Type: a/b\nContent-Length: 2\nContent-Length: 2\n\nx\n", 200},
        {"Content-Type: a/b\nContent-Length: 2\nContent-Length: 3\n\nx\n", 502},
        {"Content-Type: a/b\nDate: Thu, 01 Jan 1970 00:00:00 GMT\nDate: x\nServer: me\n\nx\n", 200},
    };
    Site site;
    for (std::size_t i = 0; i < std::size(cases); ++i)
        site.island("case-" + std::to_string(i) + ".sh", saying(cases[i].answer));
    Server server(site);
    RawClient client(server.port());
    for (std::size_t i = 0; i < std::size(cases); ++i) {
        INFO(cases[i].answer);
        client.get("/cgi-bin/case-" + std::to_string(i) + ".sh");
        const auto answer = client.response();
        CHECK(answer.status == cases[i].status);
        CHECK(answer.all("Date").size() == 1);
        CHECK_FALSE(answer.field("Date").ends_with("1970 00:00:00 GMT"));
        CHECK(answer.all("Content-Type").size() == 1);
        CHECK(answer.all("Content-Length").size() <= 1);
        CHECK(answer.all("Server") == std::vector<std::string>{"Atoll"});
    }
    CHECK(server.awaitLog("expected one Content-Type"));
}

TEST_CASE("a local path cannot lead out of the site") {
    Site site;
    writeFile(site.directory() / "secret.txt", "SECRET");
    site.island("up.sh", saying("Location: /../secret.txt\n\n"));
    site.island("nul.sh", saying("Location: /a%00b\n\n"));
    Server server(site);
    for (const char* target : {"/cgi-bin/up.sh", "/cgi-bin/nul.sh"}) {
        INFO(target);
        const auto answer = fetch(server.port(), target);
        CHECK(answer.status >= 400);
        CHECK_FALSE(answer.contains("SECRET"));
    }
}

TEST_CASE("HEAD runs the island and sends its head alone") {
    Site site;
    site.island("hello.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\nX-Method: %s\\n\\n' "
                            "$REQUEST_METHOD\necho content\n");
    site.island("large.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\n"
                            "head -c 1000000 /dev/zero\n");
    Server server(site);
    RawClient client(server.port());
    client.request("HEAD /cgi-bin/hello.sh HTTP/1.1");
    CHECK(client.response(true).field("X-Method") == "HEAD");
    client.request("HEAD /cgi-bin/large.sh HTTP/1.1");
    CHECK(client.response(true).status == 200);
    client.get("/cgi-bin/hello.sh");
    CHECK(client.response().body == "content\n");
}
