#include "harness/http_client.h"
#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>

using namespace reef::e2e;
namespace fs = std::filesystem;

TEST_CASE("a file comes with its type, length, validators and date") {
    Site site;
    site.document("page.html", "<p>hello</p>\n");
    Server server(site);

    const auto answer = HttpClient(server.port()).get("/page.html");
    INFO(answer.describe());
    CHECK(answer.status == 200);
    CHECK(answer.body == "<p>hello</p>\n");
    CHECK(answer.field("Content-Type") == "text/html; charset=utf-8");
    CHECK(answer.field("Content-Length") == "13");
    CHECK(answer.field("Accept-Ranges") == "bytes");
    CHECK(answer.field("ETag").size() > 2);
    CHECK(answer.field("Last-Modified").ends_with(" GMT"));
    CHECK(answer.field("Date").ends_with(" GMT"));
    CHECK(answer.all("Date").size() == 1);
}

TEST_CASE("the type follows from the name") {
    struct Case {
        const char* name;
        const char* type;
    };
    const Case cases[] = {
        {"a.css", "text/css"},
        {"a.js", "text/javascript"},
        {"a.json", "application/json"},
        {"a.svg", "image/svg+xml"},
        {"a.png", "image/png"},
        {"a.PNG", "image/png"},
        {"a.jpg", "image/jpeg"},
        {"a.woff2", "font/woff2"},
        {"a.txt", "text/plain"},
        {"a.pdf", "application/pdf"},
        {"a.wasm", "application/wasm"},
        {"a.unknown", "application/octet-stream"},
        {"a", "application/octet-stream"},
    };
    Site site;
    for (const Case& c : cases)
        site.document(c.name, "x");
    Server server(site);
    HttpClient client(server.port());
    for (const Case& c : cases) {
        INFO(c.name);
        const auto type = client.get(std::string("/") + c.name).field("Content-Type");
        CHECK(type.substr(0, type.find(';')) == c.type);
    }
}

TEST_CASE("a directory answers with its index, and needs its slash") {
    Site site;
    site.document("index.html", "the second choice");
    site.document("index.shtml", "the first choice");
    site.document("docs/index.html", "documents");
    site.document("bare/file.txt", "x");
    Server server(site);

    CHECK(fetch(server.port(), "/").body == "the first choice");
    CHECK(fetch(server.port(), "/docs/").body == "documents");
    const auto moved = fetch(server.port(), "/docs?a=1");
    CHECK(moved.status == 301);
    CHECK(moved.field("Location") == "/docs/?a=1");
    CHECK(fetch(server.port(), "/bare/").status == 404);
    CHECK(fetch(server.port(), "/docs/index.html/").status == 404);
    CHECK(fetch(server.port(), "/docs/index.html/more").status == 404);
}

TEST_CASE("a redirect to the slash never leads to another host") {
    Site site;
    site.document("evil.example/index.html", "x");
    Server server(site);
    const auto answer = fetch(server.port(), "//evil.example");
    CHECK(answer.status == 301);
    CHECK(answer.field("Location") == "/evil.example/");
}

TEST_CASE("HEAD is answered as GET is, without the content") {
    Site site;
    site.document("page.html", "<p>hello</p>\n");
    site.document("large.bin", noise(300'000));
    Server server(site);
    RawClient client(server.port());
    for (const std::string target : {"/page.html", "/large.bin", "/missing"}) {
        INFO(target);
        client.request("HEAD " + target + " HTTP/1.1");
        const auto head = client.response(true);
        client.get(target);
        const auto whole = client.response();
        CHECK(head.status == whole.status);
        CHECK(head.field("Content-Length") == whole.field("Content-Length"));
        CHECK(head.field("Content-Type") == whole.field("Content-Type"));
        CHECK(head.field("ETag") == whole.field("ETag"));
    }
}

TEST_CASE("files of any size arrive unchanged") {
    Site site;
    const std::size_t sizes[] = {0, 1, 32'768, 32'769, 65'536, 1'000'003, 20'000'000};
    for (const std::size_t size : sizes)
        site.document(std::to_string(size) + ".bin", noise(size));
    Server server(site);
    HttpClient client(server.port());
    for (const std::size_t size : sizes) {
        INFO(size);
        const auto answer = client.get("/" + std::to_string(size) + ".bin");
        CHECK(answer.status == 200);
        CHECK(answer.field("Content-Length") == std::to_string(size));
        CHECK((answer.body == noise(size)));
    }
}

TEST_CASE("curl gets the same bytes, and the same again from the server it already knows") {
    Site site;
    site.document("data.bin", noise(3'000'000));
    Server server(site);
    const auto file = site.beside("got").string();
    const auto outcome =
        shell("curl -sS --max-time 30 -o " + file + " -z " + file +
              " -w '%{http_code}' http://127.0.0.1:" + std::to_string(server.port()) + "/data.bin");
    INFO(outcome.err);
    CHECK(outcome.out == "200");
    CHECK((readFile(file) == noise(3'000'000)));
}

TEST_CASE("names with blanks, percent signs and letters of any language are found") {
    Site site;
    site.document("a b.txt", "blank").document("100%.txt", "percent").document("a+b.txt", "plus");
    site.document("caf\xc3\xa9/\xe6\xbc\xa2.txt", "unicode").document("a;b=c@d.txt", "marks");
    Server server(site);
    HttpClient client(server.port());
    CHECK(client.get("/a%20b.txt").body == "blank");
    CHECK(client.get("/100%25.txt").body == "percent");
    CHECK(client.get("/a+b.txt").body == "plus");
    CHECK(client.get("/caf%C3%A9/%e6%bc%a2.txt").body == "unicode");
    CHECK(client.get("/a;b=c@d.txt").body == "marks");
    CHECK(client.get("/%61%20b.txt?query=ignored").body == "blank");
    CHECK(client.get("/./caf%C3%A9/../a%20b.txt").body == "blank");
}

TEST_CASE("no path leads out of the documents") {
    Site site;
    site.document("ok.txt", "ok");
    fs::create_directory(site.directory() / "www-leak");
    writeFile(site.directory() / "www-leak" / "secret.txt", "SECRET");
    writeFile(site.beside("secret.txt"), "SECRET");
    fs::create_symlink(site.beside("secret.txt"), site.documents() / "link.txt");
    fs::create_symlink("../../secret.txt", site.documents() / "relative.txt");
    fs::create_symlink("/etc", site.documents() / "etc");
    Server server(site);

    for (const char* target : {"/%2e%2e/%2e%2e/etc/passwd",
                               "/..%2fwww-leak/secret.txt",
                               "/../www-leak/secret.txt",
                               "/%2e%2e%2fwww-leak/secret.txt",
                               "/..%5cwww-leak%5csecret.txt",
                               "/ok.txt/../../secret.txt",
                               "/..%c0%af..%c0%afsecret.txt",
                               "/%252e%252e/secret.txt",
                               "/link.txt",
                               "/relative.txt",
                               "/etc/passwd",
                               "/atoll.toml",
                               "/data/pageviews.db",
                               "/../atoll.toml",
                               "/%00",
                               "/ok.txt%00",
                               "/ok.txt%00.html",
                               "/%",
                               "/%zz",
                               "/%2",
                               "/ok%0d%0aX:y"}) {
        INFO(target);
        const auto answer = fetch(server.port(), target);
        CHECK((answer.status == 400 || answer.status == 404));
        CHECK_FALSE(answer.contains("SECRET"));
        CHECK_FALSE(answer.contains("root:"));
    }
    CHECK(fetch(server.port(), "/ok.txt").status == 200);
}

TEST_CASE("a link that stays within the documents is followed") {
    Site site;
    site.document("real/page.html", "real");
    fs::create_symlink("real/page.html", site.documents() / "alias.html");
    Server server(site);
    CHECK(fetch(server.port(), "/alias.html").body == "real");
}

TEST_CASE("hidden files are not there, but for /.well-known/") {
    Site site;
    site.document(".git/config", "SECRET").document(".htaccess", "SECRET");
    site.document("docs/.env", "SECRET").document(".well-known/acme", "token");
    site.document(".well-known/.hidden", "SECRET");
    Server server(site);
    for (const char* target :
         {"/.git/config", "/.htaccess", "/docs/.env", "/%2egit/config", "/.well-known/.hidden"}) {
        INFO(target);
        CHECK(fetch(server.port(), target).status == 404);
    }
    CHECK(fetch(server.port(), "/.well-known/acme").body == "token");
}

TEST_CASE("what is no readable file is refused and holds nobody up") {
    Site site;
    site.document("closed.txt", "SECRET", 0000).document("ok.txt", "ok");
    REQUIRE(::mkfifo((site.documents() / "pipe").c_str(), 0666) == 0);
    Server server(site);
    CHECK(fetch(server.port(), "/closed.txt").status == 403);
    CHECK(fetch(server.port(), "/pipe").status == 404);
    CHECK(fetch(server.port(), "/ok.txt").status == 200);
}

TEST_CASE("files answer GET and HEAD, and say so to other methods") {
    Site site;
    site.document("ok.txt", "ok");
    Server server(site);
    struct Case {
        const char* method;
        int status;
        const char* allow;
    };
    constexpr const char* kAll = "GET, HEAD, OPTIONS";
    for (const Case c : {Case{"POST", 405, kAll}, Case{"PUT", 405, kAll}, Case{"DELETE", 405, kAll},
                         Case{"PATCH", 405, kAll}, Case{"TRACE", 405, kAll},
                         Case{"OPTIONS", 204, kAll}, Case{"BREW", 501, ""}, Case{"get", 501, ""}}) {
        INFO(c.method);
        RawClient client(server.port());
        client.request(std::string(c.method) + " /ok.txt HTTP/1.1");
        const auto answer = client.response();
        CHECK(answer.status == c.status);
        CHECK(answer.field("Allow") == c.allow);
    }
    CHECK(fetch(server.port(), "/ok.txt").body == "ok");
}

TEST_CASE("an error page is HTML, shows nothing of the request, and may not run scripts") {
    Site site;
    Server server(site);
    const auto answer = fetch(server.port(), "/%3Cscript%3Ealert(1)%3C/script%3E");
    INFO(answer.describe());
    CHECK(answer.status == 404);
    CHECK(answer.field("Content-Type") == "text/html; charset=utf-8");
    CHECK_FALSE(answer.contains("<script"));
    CHECK_FALSE(answer.contains("alert("));
    CHECK(holds(answer.field("Content-Security-Policy"), "default-src 'none'"));
    CHECK(answer.field("Cache-Control") == "no-store");
}

TEST_CASE("a changed file has another tag at the next request") {
    Site site;
    site.document("page.html", "before");
    Server server(site);
    HttpClient client(server.port());
    const auto before = client.get("/page.html");
    site.document("page.html", "after");
    const auto after = client.get("/page.html");
    CHECK(after.body == "after");
    CHECK(before.field("ETag") != after.field("ETag"));
}

TEST_CASE("every kind of change is seen by the very next request") {
    Site site;
    site.document("page.html", "0");
    site.document("dir/index.html", "index").document("other/index.html", "other");
    Server server(site);
    HttpClient client(server.port());
    const auto page = site.documents() / "page.html";
    // Twice, so that what could be kept in memory is.
    const auto body = [&](const std::string& target) {
        client.get(target);
        return client.get(target).body;
    };
    for (int i = 0; i < 50; ++i) {
        const auto text = std::to_string(i);
        writeFile(page, text); // in place, of the same length and within the same tick of the clock
        REQUIRE(body("/page.html") == text);
        writeFile(site.documents() / "new.html", "renamed " + text);
        fs::rename(site.documents() / "new.html", page);
        REQUIRE(body("/page.html") == "renamed " + text);
    }
    CHECK(body("/dir/") == "index");
    site.document("dir/index.shtml", "preferred");
    CHECK(body("/dir/") == "preferred");
    fs::remove(site.documents() / "dir" / "index.shtml");
    CHECK(body("/dir/") == "index");
    fs::rename(site.documents() / "dir", site.documents() / "gone");
    fs::rename(site.documents() / "other", site.documents() / "dir");
    CHECK(body("/dir/") == "other");
    ::chmod((site.documents() / "dir" / "index.html").c_str(), 0);
    CHECK(client.get("/dir/").status == 403);
    fs::remove(page);
    CHECK(client.get("/page.html").status == 404);
    fs::create_symlink("gone/index.html", page);
    CHECK(body("/page.html") == "index");
    fs::remove(page);
    fs::create_symlink("dir/index.html", page);
    CHECK(client.get("/page.html").status == 403);
}

TEST_CASE("a site without a page shows a newcomer what to put where") {
    Site site;
    Server server(site);
    const auto answer = fetch(server.port(), "/");
    CHECK(answer.status == 200);
    CHECK(answer.contains("www"));
    CHECK(answer.contains("cgi-bin"));
    CHECK(fetch(server.port(), "/other").status == 404);
}
