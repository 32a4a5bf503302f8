#include "harness/command.h"
#include "harness/http_client.h"
#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <catch2/catch.hpp>

using namespace reef::e2e;

namespace {

/// A page of a known time, with its tag and date.
struct Page {
    Page() {
        site.document("page.html", "<p>hello</p>\n");
        namespace fs = std::filesystem;
        fs::last_write_time(site.documents() / "page.html",
                            fs::file_time_type::clock::now() - std::chrono::hours(24));
    }
    Site site;
};

constexpr const char* kLongAgo = "Sun, 06 Nov 1994 08:49:37 GMT";
constexpr const char* kFarAhead = "Fri, 06 Nov 2093 08:49:37 GMT";

} // namespace

TEST_CASE("what the client has already is not sent again") {
    Page page;
    Server server(page.site);
    RawClient client(server.port());
    client.get("/page.html");
    const auto first = client.response();
    const std::string tag = first.field("ETag");
    const std::string date = first.field("Last-Modified");

    struct Case {
        std::string fields;
        int status;
    };
    const Case cases[] = {
        {"If-None-Match: " + tag + "\r\n", 304},
        {"If-None-Match: W/" + tag + "\r\n", 304},
        {"If-None-Match: \"other\", " + tag + "\r\n", 304},
        {"If-None-Match: \"other\"\r\nIf-None-Match: " + tag + "\r\n", 304},
        {"If-None-Match: *\r\n", 304},
        {"If-None-Match: \"other\"\r\n", 200},
        {"If-Modified-Since: " + date + "\r\n", 304},
        {std::string("If-Modified-Since: ") + kLongAgo + "\r\n", 200},
        {"If-Modified-Since: yesterday\r\n", 200},
        {"If-None-Match: \"other\"\r\nIf-Modified-Since: " + date + "\r\n", 200},
        {"If-None-Match: " + tag + "\r\nIf-Modified-Since: " + kLongAgo + "\r\n", 304},
        {"If-Match: " + tag + "\r\n", 200},
        {"If-Match: *\r\n", 200},
        {"If-Match: \"other\"\r\n", 412},
        {"If-Match: W/" + tag + "\r\n", 412},
        {std::string("If-Unmodified-Since: ") + kLongAgo + "\r\n", 412},
        {std::string("If-Unmodified-Since: ") + kFarAhead + "\r\n", 200},
        {"If-Match: " + tag + "\r\nIf-None-Match: " + tag + "\r\n", 304},
    };
    for (const Case& c : cases) {
        INFO(c.fields);
        client.get("/page.html", c.fields); // all on one connection: a 304 leaves nothing behind
        const auto answer = client.response();
        CHECK(answer.status == c.status);
        if (c.status == 304) {
            CHECK(answer.field("ETag") == tag);
            CHECK(answer.body.empty());
        }
    }
}

TEST_CASE("a part of a file is sent when it is asked for") {
    Site site;
    const std::string content = noise(100);
    site.document("hundred.bin", content).document("empty.bin", "");
    Server server(site);
    RawClient client(server.port());

    struct Case {
        const char* range;
        int status;
        const char* contentRange;
        std::size_t first;
        std::size_t count;
    };
    const Case cases[] = {
        {"bytes=0-9", 206, "bytes 0-9/100", 0, 10},
        {"bytes=-10", 206, "bytes 90-99/100", 90, 10},
        {"bytes=95-", 206, "bytes 95-99/100", 95, 5},
        {"bytes=0-", 206, "bytes 0-99/100", 0, 100},
        {"bytes=50-1000000", 206, "bytes 50-99/100", 50, 50},
        {"bytes=-1000", 206, "bytes 0-99/100", 0, 100},
        {"bytes=99-99", 206, "bytes 99-99/100", 99, 1},
        {"bytes=100-", 416, "bytes */100", 0, 0},
        {"bytes=-0", 416, "bytes */100", 0, 0},
        {"bytes=99999999999999999999-", 416, "bytes */100", 0, 0},
        {"bytes=5-2", 200, "", 0, 100},
        {"bytes=a-b", 200, "", 0, 100},
        {"bytes=", 200, "", 0, 100},
        {"lines=0-9", 200, "", 0, 100},
    };
    for (const Case& c : cases) {
        INFO(c.range);
        client.get("/hundred.bin", std::string("Range: ") + c.range + "\r\n");
        const auto answer = client.response();
        CHECK(answer.status == c.status);
        CHECK(answer.field("Content-Range") == c.contentRange);
        if (c.status != 416) CHECK((answer.body == content.substr(c.first, c.count)));
    }
}

TEST_CASE("ranges count only for GET, and only while the file is the one the client means") {
    Site site;
    site.document("hundred.bin", noise(100));
    Server server(site);
    HttpClient client(server.port());
    const auto whole = client.get("/hundred.bin");
    const auto tag = whole.field("ETag");

    CHECK(client.head("/hundred.bin", {{"Range", "bytes=0-9"}}).status == 200);
    CHECK(client.get("/hundred.bin", {{"Range", "bytes=0-9"}, {"If-Range", tag}}).status == 206);
    CHECK(client.get("/hundred.bin", {{"Range", "bytes=0-9"}, {"If-Range", "\"x\""}}).status ==
          200);
    CHECK(client.get("/hundred.bin", {{"Range", "bytes=0-9"}, {"If-Range", "W/" + tag}}).status ==
          200);
    CHECK(client.get("/hundred.bin", {{"Range", "bytes=0-9"}, {"If-Range", kLongAgo}}).status ==
          200);
}

TEST_CASE("several ranges at once are answered, by the parts or by the whole") {
    Site site;
    const std::string content = noise(100);
    site.document("hundred.bin", content);
    Server server(site);
    const auto answer =
        HttpClient(server.port()).get("/hundred.bin", {{"Range", "bytes=0-9,90-99"}});
    INFO(answer.describe());
    if (answer.status == 200) {
        CHECK((answer.body == content));
    } else {
        CHECK(answer.status == 206);
        CHECK(holds(answer.field("Content-Type"), "multipart/byteranges"));
    }
}

TEST_CASE("curl resumes a broken download of a large file") {
    Site site;
    const std::string content = noise(2'000'000);
    site.document("large.bin", content);
    Server server(site);
    const auto file = site.beside("partial");
    writeFile(file, content.substr(0, 1'234'567));
    const auto outcome = shell("curl -sS --max-time 30 -C - -o " + file.string() +
                               " http://127.0.0.1:" + std::to_string(server.port()) + "/large.bin");
    INFO(outcome.err);
    CHECK(outcome.clean());
    CHECK((readFile(file) == content));
}
