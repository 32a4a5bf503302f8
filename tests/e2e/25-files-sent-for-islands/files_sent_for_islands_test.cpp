#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <catch2/catch.hpp>

using namespace reef::e2e;
namespace fs = std::filesystem;

namespace {

/// An island that answers with exactly these fields, and content that nobody should see.
std::string saying(const std::string& fields) {
    return "#!/bin/sh\ncat <<'END-OF-ANSWER'\n" + fields + "\nUNSEEN\nEND-OF-ANSWER\n";
}

} // namespace

TEST_CASE("X-Sendfile has the server send a file, with conditions and ranges") {
    Site site;
    site.config("sendfile_roots = [\"files\"]\n");
    fs::create_directory(site.directory() / "files");
    const auto content = noise(300'000);
    const auto file = site.directory() / "files" / "a b.bin";
    writeFile(file, content);
    site.document("doc.txt", std::string(5000, 'd'));
    site.island("file.sh", saying("Content-Type: application/x-own\nX-Sendfile: " + file.string() +
                                  "\nContent-Disposition: attachment\nX-Own: y\n"
                                  "Set-Cookie: a=1\nSet-Cookie: b=2\nContent-Length: 3\n"
                                  "ETag: \"mine\"\n"));
    site.island("doc.sh", saying("X-Sendfile: " + (site.documents() / "doc.txt").string() + "\n"));
    site.island("denied.sh", saying("Status: 403 Not For You\nX-Sendfile: " +
                                    (site.documents() / "doc.txt").string() + "\n"));
    Server server(site);
    const auto whole = fetch(server.port(), "/cgi-bin/file.sh");
    CHECK(whole.status == 200);
    CHECK((whole.body == content));
    CHECK(whole.field("Content-Type") == "application/x-own");
    CHECK(whole.field("Content-Length") == "300000");
    CHECK(whole.field("Content-Disposition") == "attachment");
    CHECK(whole.field("X-Own") == "y");
    CHECK(whole.all("Set-Cookie") == std::vector<std::string>{"a=1", "b=2"});
    CHECK(whole.all("ETag").size() == 1);
    CHECK(whole.field("ETag") != "\"mine\"");
    CHECK(whole.field("Accept-Ranges") == "bytes");
    CHECK_FALSE(whole.has("X-Sendfile"));

    RawClient client(server.port());
    client.get("/cgi-bin/file.sh", "Range: bytes=1000-1009\r\n");
    const auto part = client.response();
    CHECK(part.status == 206);
    CHECK(part.body == content.substr(1000, 10));
    CHECK(part.field("Content-Range") == "bytes 1000-1009/300000");
    CHECK(part.field("Content-Type") == "application/x-own");
    client.get("/cgi-bin/file.sh", "Range: bytes=0-1,5-6\r\n");
    const auto parts = client.response();
    CHECK(parts.status == 206);
    CHECK(parts.field("Content-Type").starts_with("multipart/byteranges"));
    client.get("/cgi-bin/file.sh", "Range: bytes=400000-\r\n");
    CHECK(client.response().status == 416);
    client.get("/cgi-bin/file.sh", "If-None-Match: " + whole.field("ETag") + "\r\n");
    CHECK(client.response().status == 304);
    client.request("HEAD /cgi-bin/file.sh HTTP/1.1");
    CHECK(client.response(true).field("Content-Length") == "300000");
    client.request("POST /cgi-bin/file.sh HTTP/1.1", "Content-Length: 2\r\n", "hi");
    CHECK((client.response().body == content));

    const auto typed = fetch(server.port(), "/cgi-bin/doc.sh", "Accept-Encoding: gzip\r\n");
    CHECK(typed.field("Content-Type").starts_with("text/plain"));
    CHECK(typed.field("Content-Encoding") == "gzip");
    const auto denied = fetch(server.port(), "/cgi-bin/denied.sh", "Range: bytes=0-1\r\n");
    CHECK(denied.status == 403);
    CHECK(denied.body.size() == 5000);
}

TEST_CASE("X-Sendfile sends nothing that is not for it") {
    Site site;
    site.config("sendfile_roots = [\".\"]\n"); // everything, and yet not that
    writeFile(site.beside("outside.txt"), "SECRET");
    site.document("doc.txt", "document").document(".hidden", "SECRET");
    fs::create_symlink(site.beside("outside.txt"), site.documents() / "link.txt");
    fs::create_symlink("../cgi-bin/source.sh", site.documents() / "to-island.txt");
    site.island("source.sh", "#!/bin/sh\n# SECRET\n");
    const std::string www = site.documents();
    const std::string top = site.directory();
    const std::string names[] = {
        site.beside("outside.txt").string(),
        www + "/../../outside.txt",
        www + "/.hidden",
        www + "/link.txt",
        www + "/to-island.txt",
        top + "/cgi-bin/source.sh",
        www + "/../cgi-bin/source.sh",
        top + "/data/atoll.toml.last-good",
        top + "/data/pageviews.db",
        "/etc/passwd",
        "/proc/self/environ",
        "doc.txt",
        "www/doc.txt",
        www + "/none.txt",
        www,
        www + "/",
    };
    for (std::size_t i = 0; i < std::size(names); ++i)
        site.island("send-" + std::to_string(i) + ".sh", saying("X-Sendfile: " + names[i] + "\n"));
    site.island("fine.sh", saying("X-Sendfile: " + www + "/doc.txt\n"));
    Server server(site);
    CHECK(fetch(server.port(), "/cgi-bin/fine.sh").body == "document");
    for (std::size_t i = 0; i < std::size(names); ++i) {
        INFO(names[i]);
        const auto answer = fetch(server.port(), "/cgi-bin/send-" + std::to_string(i) + ".sh");
        CHECK((answer.status == 404 || answer.status == 502));
        CHECK_FALSE(answer.contains("SECRET"));
        CHECK_FALSE(answer.contains("root:"));
        CHECK_FALSE(answer.contains("sendfile_roots"));
    }
    CHECK(server.awaitLog("lies where none is sent from"));
    CHECK(server.awaitLog("lies neither in the documents nor in one of the sendfile_roots"));
}

TEST_CASE("X-Accel-Redirect leads to paths that clients do not come to") {
    Site site;
    site.config("[[route]]\npath = \"/inner/*\"\nalias = \"files\"\ninternal = true\n"
                "[[route]]\npath = \"/cgi-bin/inner.sh\"\ninternal = true\n"
                "[[route]]\npath = \"/open\"\nrewrite = \"/inner/a.txt\"\n"
                "[errors]\n404 = \"/inner/missing.txt\"\n");
    fs::create_directory(site.directory() / "files");
    writeFile(site.directory() / "files" / "a.txt", std::string(5000, 'a'));
    writeFile(site.directory() / "files" / "missing.txt", "nothing here");
    site.document("page.shtml", "<!--#include virtual=\"/cgi-bin/inner.sh\"-->");
    site.island("inner.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\ninner "
                            "%s %s' \"$QUERY_STRING\" $REQUEST_METHOD\n");
    site.island("file.sh", saying("Content-Type: text/x-own\nX-Accel-Redirect: /inner/a.txt\n"
                                  "Cache-Control: private\nX-Accel-Buffering: no\n"));
    site.island("island.sh", saying("X-Accel-Redirect: /cgi-bin/inner.sh?x=1\n"));
    site.island("local.sh", saying("Location: /inner/a.txt\n"));
    site.island("none.sh", saying("X-Accel-Redirect: /inner/none.txt\n"));
    site.island("up.sh", saying("X-Accel-Redirect: /../../etc/passwd\n"));
    site.island("url.sh", saying("X-Accel-Redirect: http://other.example/\n"));
    site.island("self.sh", saying("X-Accel-Redirect: /cgi-bin/self.sh\n"));
    Server server(site);
    const auto answer = fetch(server.port(), "/cgi-bin/file.sh");
    CHECK(answer.status == 200);
    CHECK(answer.body.size() == 5000);
    CHECK(answer.field("Content-Type") == "text/x-own");
    CHECK(answer.field("Cache-Control") == "private");
    CHECK_FALSE(answer.has("X-Accel-Redirect"));
    CHECK_FALSE(answer.has("X-Accel-Buffering"));
    const auto part = fetch(server.port(), "/cgi-bin/file.sh", "Range: bytes=0-3\r\n");
    CHECK(part.status == 206);
    CHECK(part.body == "aaaa");
    CHECK(fetch(server.port(), "/cgi-bin/file.sh", "Accept-Encoding: gzip\r\n")
              .field("Content-Encoding") == "gzip");
    CHECK(fetch(server.port(), "/cgi-bin/island.sh").body == "inner x=1 GET");
    CHECK(fetch(server.port(), "/page.shtml").body == "inner  GET");
    CHECK(fetch(server.port(), "/open").body.size() == 5000);
    for (const char* target :
         {"/inner/a.txt", "/cgi-bin/inner.sh", "/cgi-bin/local.sh", "/cgi-bin/none.sh"}) {
        INFO(target);
        const auto refused = fetch(server.port(), target);
        CHECK(refused.status == 404);
        CHECK(refused.body == "nothing here");
    }
    for (const char* target : {"/cgi-bin/up.sh", "/cgi-bin/url.sh", "/cgi-bin/self.sh"}) {
        INFO(target);
        CHECK(fetch(server.port(), target).status >= 500);
    }
}

TEST_CASE("X-Sendfile of one site sends nothing of another's islands, and no passwords") {
    Site site;
    fs::create_directories(site.directory() / "other-islands");
    fs::create_directories(site.directory() / "shop" / "islands");
    const auto hash = runAtoll({"hash"}, "pass word\n");
    REQUIRE(hash.clean());
    writeFile(site.directory() / "users", "u:" + hash.out);
    site.config("sendfile_roots = [\".\"]\naccess_log = \"access.log\"\n"
                "[[site]]\nhosts = \"other.example\"\nislands = \"other-islands\"\n"
                "[[site.route]]\npath = \"/shop/*\"\nislands = \"shop/islands\"\n"
                "auth = { file = \"users\" }\n");
    const std::string top = site.directory();
    writeFile(top + "/other-islands/a.sh", "#!/bin/sh\n# SECRET\n", 0755);
    writeFile(top + "/shop/islands/b.sh", "#!/bin/sh\n# SECRET\n", 0755);
    writeFile(top + "/shop/open.txt", "open");
    const std::string names[] = {
        "/other-islands/a.sh", "/shop/islands/b.sh", "/users",
        "/atoll.toml",         "/access.log",        "/data/accounts.json"};
    for (std::size_t i = 0; i < std::size(names); ++i)
        site.island("send-" + std::to_string(i) + ".sh",
                    saying("X-Sendfile: " + top + names[i] + "\n"));
    site.island("fine.sh", saying("X-Sendfile: " + top + "/shop/open.txt\n"));
    Server server(site);
    CHECK(fetch(server.port(), "/cgi-bin/fine.sh").body == "open");
    for (std::size_t i = 0; i < std::size(names); ++i) {
        INFO(names[i]);
        const auto answer = fetch(server.port(), "/cgi-bin/send-" + std::to_string(i) + ".sh");
        const bool mayBeMissing = names[i] == "/access.log" || names[i].starts_with("/data");
        CHECK((answer.status == 502 || (mayBeMissing && answer.status == 404)));
        CHECK_FALSE(answer.contains("SECRET"));
        CHECK_FALSE(answer.contains("pbkdf2"));
    }
}
