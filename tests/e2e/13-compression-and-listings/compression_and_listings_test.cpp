#include "harness/command.h"
#include "harness/http_client.h"
#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>

using namespace reef::e2e;

namespace {

/// A text that shrinks, and shows a lost or doubled part.
std::string prose(std::size_t bytes) {
    std::string text;
    for (int i = 0; text.size() < bytes; ++i)
        text += "line " + std::to_string(i) + " of a page about islands\n";
    text.resize(bytes);
    return text;
}

std::string url(const Server& server, const std::string& target) {
    return "http://127.0.0.1:" + std::to_string(server.port()) + target;
}

/// What a command makes of bytes on its standard input.
std::string through(const std::vector<std::string>& command, const std::string& bytes) {
    const auto outcome = run(command, bytes);
    INFO(outcome.err);
    CHECK(outcome.clean());
    return outcome.out;
}

/// What can be made of the beginning of a gzip stream.
std::string decodedSoFar(const std::string& bytes) {
    return through({"python3", "-c",
                    "import sys, zlib\n"
                    "bytes = zlib.decompressobj(31).decompress(sys.stdin.buffer.read())\n"
                    "sys.stdout.buffer.write(bytes)"},
                   bytes);
}

/// The content of the next chunk, which may hold line breaks.
std::string chunkOf(RawClient& client) {
    const std::size_t size = std::stoul(client.readUntil("\r\n"), nullptr, 16);
    std::string content;
    while (content.size() < size + 2)
        content += client.readUntil("\r\n");
    content.resize(size);
    return content;
}

const HttpClient::Fields kGzip{{"Accept-Encoding", "gzip"}};

} // namespace

TEST_CASE("small files and large ones are compressed for those who like it") {
    Site site;
    site.document("small.html", prose(20'000)).document("large.css", prose(900'000));
    Server server(site);
    HttpClient client(server.port());
    for (const auto& [target, text] :
         {std::pair{"/small.html", prose(20'000)}, std::pair{"/large.css", prose(900'000)}}) {
        INFO(target);
        const auto plain = client.get(target);
        CHECK((plain.body == text));
        CHECK(plain.field("Vary") == "Accept-Encoding");
        CHECK(plain.field("Content-Encoding").empty());
        const auto gzip = client.get(target, kGzip);
        CHECK(gzip.field("Content-Encoding") == "gzip");
        CHECK(gzip.field("Vary") == "Accept-Encoding");
        CHECK(gzip.field("ETag") != plain.field("ETag"));
        CHECK((through({"gzip", "-dc"}, gzip.body) == text));
        CHECK(
            client.get(target, {{"Accept-Encoding", "gzip"}, {"If-None-Match", gzip.field("ETag")}})
                .status == 304);
        const auto head = client.head(target, kGzip);
        CHECK(head.field("ETag") == gzip.field("ETag"));
        CHECK(head.field("Content-Encoding") == "gzip");
        const auto zstd = client.get(target, {{"Accept-Encoding", "gzip, zstd"}});
        CHECK(zstd.field("Content-Encoding") == "zstd");
    }
    const auto file = site.beside("got");
    const auto outcome = shell("curl -sS --max-time 30 --compressed -o " + file.string() + " " +
                               url(server, "/large.css"));
    CHECK(outcome.clean());
    CHECK((readFile(file) == prose(900'000)));
}

TEST_CASE("a file's compressed form changes with it at once") {
    Site site;
    site.document("page.html", prose(5000));
    Server server(site);
    HttpClient client(server.port());
    std::string tag = client.get("/page.html", kGzip).field("ETag");
    for (std::size_t size = 5001; size != 5006; ++size) {
        site.document("page.html", prose(size));
        const auto answer = client.get("/page.html", kGzip);
        CHECK(answer.field("ETag") != tag);
        CHECK((through({"gzip", "-dc"}, answer.body) == prose(size)));
        tag = answer.field("ETag");
    }
}

TEST_CASE("files that lie compressed beside their original are used") {
    Site site;
    site.document("page.html", "original").document("page.html.br", "as if brotli");
    site.document("page.html.gz", "as if gzip");
    Server server(site);
    HttpClient client(server.port());
    const auto brotli = client.get("/page.html", {{"Accept-Encoding", "gzip, deflate, br"}});
    CHECK(brotli.body == "as if brotli");
    CHECK(brotli.field("Content-Encoding") == "br");
    CHECK(brotli.field("Content-Type") == "text/html; charset=utf-8");
    CHECK(client.get("/page.html", kGzip).body == "as if gzip");
    CHECK(client.get("/page.html").body == "original");
    const auto part = client.get("/page.html", {{"Accept-Encoding", "br"}, {"Range", "bytes=6-"}});
    CHECK(part.status == 206);
    CHECK(part.body == "brotli");
}

TEST_CASE("composed pages and islands are compressed, and each write arrives at once") {
    Site site;
    Mailbox words(site.beside("words"));
    site.document("page.shtml", prose(3000) + "<!--#include virtual=\"/part.txt\"-->end");
    site.document("part.txt", "the part ");
    site.island("events.sh",
                "#!/bin/sh\nprintf 'Content-Type: text/event-stream\\n\\n'\nwhile read word < " +
                    words.path() +
                    "\ndo\n  echo \"data: $word\"\n  test \"$word\" = end && exit\ndone\n");
    Server server(site);
    const auto page = HttpClient(server.port()).get("/page.shtml", kGzip);
    CHECK(page.field("Content-Encoding") == "gzip");
    CHECK((through({"gzip", "-dc"}, page.body) == prose(3000) + "the part end"));

    RawClient client(server.port());
    client.get("/cgi-bin/events.sh", "Accept-Encoding: gzip\r\n");
    CHECK(client.head().field("Content-Encoding") == "gzip");
    std::string received;
    for (const std::string word : {"one", "two", "three", "end"}) {
        words.put(word);
        while (!holds(decodedSoFar(received), "data: " + word + "\n"))
            received += chunkOf(client);
    }
}

TEST_CASE("a file of more than 4 GiB has its length and its ranges") {
    Site site;
    site.document("large.bin", "");
    const auto path = site.documents() / "large.bin";
    {
        const reef::Fd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
        REQUIRE(::ftruncate(file.get(), 5'368'709'120) == 0);
        REQUIRE(::pwrite(file.get(), "0123456789", 10, 4'294'967'291) == 10);
    }
    Server server(site);
    HttpClient client(server.port());
    CHECK(client.head("/large.bin").field("Content-Length") == "5368709120");
    const auto part = client.get("/large.bin", {{"Range", "bytes=4294967291-4294967300"}});
    CHECK(part.status == 206);
    CHECK(part.body == "0123456789");
    const auto parts = client.get("/large.bin", {{"Range", "bytes=0-99999,4294967291-4294967300"}});
    CHECK(parts.status == 206);
    CHECK(parts.field("Content-Length") == std::to_string(parts.body.size()));
    CHECK(holds(parts.body, "/5368709120\r\n\r\n0123456789\r\n--"));
    // Beyond 4 GiB by sendfile, and on: what follows on the connection is in its place.
    const auto tail = client.get("/large.bin", {{"Range", "bytes=4294967291-4295967290"}});
    CHECK(tail.body.size() == 1'000'000);
    CHECK(tail.body.starts_with("0123456789"));
    CHECK(client.head("/large.bin").status == 200);
}

TEST_CASE("directories without an index are listed where the site says so, and nowhere else") {
    Site site;
    site.document("open/b.txt", "12345").document("open/a<b>.txt", "1");
    site.document("open/.hidden", "x").document("open/with/index.html", "the index");
    {
        Server server(site);
        CHECK(HttpClient(server.port()).get("/open/").status == 404);
    }
    site.config("listing = true\n");
    Server server(site);
    HttpClient client(server.port());
    const auto page = client.get("/open/");
    CHECK(page.status == 200);
    CHECK(page.field("Content-Type") == "text/html; charset=utf-8");
    CHECK(page.contains("href=\"./b.txt\""));
    CHECK(page.contains("a&lt;b&gt;.txt"));
    CHECK_FALSE(page.contains("hidden"));
    CHECK(page.body.find("b.txt") > page.body.find("a&lt;b"));
    const auto largest = client.get("/open/?sort=size&order=desc");
    CHECK(largest.body.find("b.txt") < largest.body.find("a&lt;b"));
    const auto json = client.get("/open/", {{"Accept", "application/json"}});
    CHECK(json.field("Content-Type") == "application/json");
    CHECK(json.contains("{\"name\":\"b.txt\",\"type\":\"file\",\"size\":5,"));
    CHECK(holds(json.field("Vary"), "Accept"));
    CHECK(client.get("/open").status == 301);
    CHECK(client.get("/open/with/").body == "the index");
    CHECK(client.get("/none/").status == 404);
    const auto compressed = client.get("/open/", kGzip);
    CHECK(compressed.field("Vary") == "Accept, Accept-Encoding");
    CHECK(through({"gzip", "-dc"}, compressed.body) == page.body);
}
