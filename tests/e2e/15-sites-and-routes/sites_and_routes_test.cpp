#include "harness/command.h"
#include "harness/http_client.h"
#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <thread>

using namespace reef::e2e;

namespace {

Response get(const Server& server, const std::string& target,
             const HttpClient::Fields& fields = {}) {
    return HttpClient(server.port()).get(target, fields);
}

/// By the host that the client asks for.
Response getFrom(const Server& server, const std::string& host, const std::string& target) {
    RawClient client(server.port());
    client.send("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
    return client.response();
}

/// A file beside the site's usual directories, which are made for it.
void writeBeside(const Site& site, const std::string& name, const std::string& content,
                 unsigned mode = 0644) {
    const auto file = site.directory() / name;
    std::filesystem::create_directories(file.parent_path());
    writeFile(file, content, mode);
}

} // namespace

TEST_CASE("hosts have sites of their own, and every other host the first") {
    Site site;
    site.document("index.html", "first");
    writeBeside(site, "other/www/index.html", "other");
    writeBeside(site, "other/bin/hello.sh",
                "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n%s' \"$SERVER_NAME\"\n", 0755);
    site.config("[[site]]\nhosts = [\"other.example\", \"*.other.example\"]\nroot = \"other/www\"\n"
                "islands = \"other/bin\"\n");
    Server server(site);
    CHECK(getFrom(server, "first.example", "/").body == "first");
    CHECK(getFrom(server, "OTHER.example:8080", "/").body == "other");
    CHECK(getFrom(server, "a.b.other.example", "/").body == "other");
    CHECK(getFrom(server, "other.example", "/cgi-bin/hello.sh").body == "other.example");
    CHECK(getFrom(server, "first.example", "/cgi-bin/hello.sh").status == 404);
}

TEST_CASE("routes redirect, rewrite, refuse, and add fields") {
    Site site;
    site.document("index.html", "home");
    site.document("style.css", "body {}");
    site.island("user.sh",
                "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n%s %s %s' \"$QUERY_STRING\" "
                "\"$PATH_INFO\" \"$REQUEST_URI\"\n");
    site.config("[headers]\nX-Site = \"yes\"\n"
                "[[route]]\npath = \"/old/*\"\nredirect = \"/new/$1$args\"\nstatus = 301\n"
                "[[route]]\nregex = '^/user/([0-9]+)$'\nrewrite = \"/cgi-bin/user.sh/x?id=$1\"\n"
                "[[route]]\npath = \"*.css\"\ncache = \"public, max-age=60\"\n"
                "[[route]]\npath = \"/gone\"\nstatus = 410\n");
    Server server(site);
    const auto moved = get(server, "/old/a%20b?c=d");
    CHECK(moved.status == 301);
    CHECK(moved.field("Location") == "/new/a%20b?c=d");
    CHECK(get(server, "/old//evil.example").field("Location") == "/new/evil.example");
    CHECK(get(server, "/user/42").body == "id=42 /x /user/42");
    CHECK(get(server, "/user/x").status == 404);
    const auto style = get(server, "/style.css");
    CHECK(style.field("Cache-Control") == "public, max-age=60");
    CHECK(style.field("X-Site") == "yes");
    const auto gone = get(server, "/gone");
    CHECK(gone.status == 410);
    CHECK(gone.field("X-Site") == "yes");
}

TEST_CASE(
    "fields of every answer stand beside lists, and not in place of what the server must say") {
    Site site;
    site.document("page.html", std::string(5000, 'x'));
    site.config("[headers]\nVary = \"X-Kind\"\nCache-Control = \"max-age=5\"\n");
    const Server server(site);
    const auto page = HttpClient(server.port()).get("/page.html", {{"Accept-Encoding", "gzip"}});
    CHECK(page.field("Content-Encoding") == "gzip");
    CHECK(page.field("Cache-Control") == "max-age=5");
    const auto out = run({"curl", "-sSI", "-H", "Accept-Encoding: gzip",
                          "http://127.0.0.1:" + std::to_string(server.port()) + "/page.html"})
                         .out;
    CHECK(holds(out, "Vary: Accept-Encoding"));
    CHECK(holds(out, "Vary: X-Kind"));
    CHECK(get(server, "/none").field("Cache-Control") == "no-store");
}

TEST_CASE("a password is asked for where a route says so, and the island learns whose it was") {
    Site site;
    site.document("index.html", "home");
    site.island("who.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n%s %s' "
                          "\"$REMOTE_USER\" \"$AUTH_TYPE\"\n");
    const auto hash = runAtoll({"hash"}, "open sesame\n").out;
    REQUIRE(holds(hash, "pbkdf2"));
    site.config(
        "[[route]]\npath = \"/cgi-bin/*\"\nauth = { realm = \"Islands\", users = { anna = \"" +
        hash.substr(0, hash.find('\n')) + "\" } }\n");
    Server server(site);
    CHECK(get(server, "/").status == 200);
    const auto asked = get(server, "/cgi-bin/who.sh");
    CHECK(asked.status == 401);
    CHECK(asked.field("WWW-Authenticate") == "Basic realm=\"Islands\", charset=\"UTF-8\"");
    const auto url = "http://127.0.0.1:" + std::to_string(server.port()) + "/cgi-bin/who.sh";
    CHECK(run({"curl", "-sS", "-u", "anna:open sesame", url}).out == "anna Basic");
    CHECK(run({"curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "-u", "anna:wrong", url})
              .out == "401");
}

TEST_CASE("addresses are let in or not, and a rate that is used up is told") {
    Site site;
    site.document("a.txt", "a");
    site.document("b.txt", "b");
    site.config("[[route]]\npath = \"/a.txt\"\ndeny = \"127.0.0.0/8\"\n"
                "[[route]]\npath = \"/b.txt\"\nrate = \"1/h\"\nburst = 2\n");
    Server server(site);
    CHECK(get(server, "/a.txt").status == 403);
    CHECK(get(server, "/b.txt").body == "b");
    CHECK(get(server, "/b.txt").body == "b");
    const auto refused = get(server, "/b.txt");
    CHECK(refused.status == 429);
    CHECK(std::stol(refused.field("Retry-After")) > 3000);
}

TEST_CASE("a site's own pages stand for failures, composed where they are pages") {
    Site site;
    site.document("404.shtml", "<p>no <!--#echo var=\"DOCUMENT_URI\" -->, sorry</p>");
    site.island("502.sh", "#!/bin/sh\nprintf 'Content-Type: text/html\\n\\nmade by an island'\n");
    site.island("broken.sh", "#!/bin/sh\nexit 1\n");
    site.config(
        "[errors]\n404 = \"/404.shtml\"\n502 = \"/cgi-bin/502.sh\"\n403 = \"/missing.html\"\n"
        "[[route]]\npath = \"/no\"\nstatus = 403\n");
    Server server(site);
    const auto lost = get(server, "/nothing/here");
    CHECK(lost.status == 404);
    CHECK(holds(lost.body, "sorry"));
    CHECK(lost.field("ETag").empty());
    const auto broken = get(server, "/cgi-bin/broken.sh");
    CHECK(broken.status == 502);
    CHECK(broken.body == "made by an island");
    const auto plain = get(server, "/no"); // its page is missing: the built-in one
    CHECK(plain.status == 403);
    CHECK(holds(plain.body, "<!doctype html>"));
    RawClient client(server.port());
    client.request("HEAD /nothing HTTP/1.1");
    const auto head = client.response(true);
    CHECK(head.status == 404);
    client.get("/nothing"); // and the connection stays
    CHECK(client.response().status == 404);
}

TEST_CASE("a single-page application has its page for every path that is no file") {
    Site site;
    site.document("app/index.html", "the app");
    site.document("app/main.js", "script");
    site.config("[[route]]\npath = \"/app/*\"\ntry = [\"$path\", \"/app/index.html\"]\n");
    Server server(site);
    CHECK(get(server, "/app/main.js").body == "script");
    CHECK(get(server, "/app/deep/link?x=1").body == "the app");
    CHECK(get(server, "/app/deep/link?x=1").status == 200);
}

TEST_CASE("directories elsewhere answer below a path, listed if they may be") {
    Site site;
    site.document("index.html", "home");
    writeBeside(site, "pictures/sub/a b.txt", "picture");
    site.config("[[route]]\npath = \"/p/*\"\nalias = \"pictures\"\nlisting = true\n");
    Server server(site);
    CHECK(get(server, "/p/sub/a%20b.txt").body == "picture");
    CHECK(get(server, "/p/sub").field("Location") == "/p/sub/");
    CHECK(get(server, "/p").field("Location") == "/p/");
    CHECK(holds(get(server, "/p/sub/").body, "a%20b.txt"));
    CHECK(get(server, "/p/../index.html").status != 500);
    CHECK(get(server, "/pictures/sub/").status == 404);
}

TEST_CASE("a directory that is replaced as a whole, or made, is served as it is now") {
    Site site;
    site.document("index.html", "old");
    Server server(site);
    CHECK(get(server, "/").body == "old");
    CHECK(get(server, "/cgi-bin/new.sh").status == 404);
    writeBeside(site, "next/index.html", "new");
    std::filesystem::rename(site.documents(), site.directory() / "www.old");
    std::filesystem::rename(site.directory() / "next", site.documents());
    site.island("new.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\nhello'\n");
    // Every loop notices by itself: on which one a connection lands is chance.
    const auto becomes = [&](const std::string& target, const std::string& body) {
        int inARow = 0;
        for (int i = 0; i != 200 && inARow != 20; ++i) {
            inARow = get(server, target).body == body ? inARow + 1 : 0;
            if (inARow == 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        return inARow == 20;
    };
    CHECK(becomes("/", "new"));
    CHECK(becomes("/cgi-bin/new.sh", "hello"));
}

TEST_CASE("what the server keeps for itself is not shown, wherever a document root lies") {
    Site site;
    site.island("h.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\nran'\n");
    writeFile(site.directory() / "note.txt", "for all");
    std::filesystem::create_symlink("data", site.directory() / "link");
    site.config("root = \".\"\n[[route]]\npath = \"/all/*\"\nalias = \".\"\n");
    Server server(site);
    CHECK(fetch(server.port(), "/note.txt").body == "for all");
    CHECK(fetch(server.port(), "/all/note.txt").body == "for all");
    CHECK(fetch(server.port(), "/cgi-bin/h.sh").body == "ran");
    for (const char* const target :
         {"/atoll.toml", "/data/atoll.toml.last-good", "/data/pageviews.db", "/link/pageviews.db",
          "/all/atoll.toml", "/all/data/pageviews.db", "/all/cgi-bin/h.sh"}) {
        CAPTURE(target);
        CHECK(fetch(server.port(), target).status == 404);
    }
}

TEST_CASE(
    "a directory of documents that is replaced is seen by the first who asks for what is new") {
    Site site;
    site.document("a.txt", "old");
    Server server(site);
    CHECK(fetch(server.port(), "/a.txt").body == "old");
    std::filesystem::create_directory(site.directory() / "new");
    writeFile(site.directory() / "new/b.txt", "new");
    std::filesystem::rename(site.documents(), site.beside("gone"));
    std::filesystem::rename(site.directory() / "new", site.documents());
    std::this_thread::sleep_for(20ms); // it does not look twice within a moment
    CHECK(fetch(server.port(), "/b.txt").body == "new");
}
