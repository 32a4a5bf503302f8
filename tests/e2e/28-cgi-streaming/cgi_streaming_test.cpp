#include "harness/raw_client.h"
#include "harness/server.h"

#include <catch2/catch.hpp>

using namespace reef::e2e;

namespace {

/// Writes one line for each word it is sent; "end" ends it.
std::string linesOnDemand(const Mailbox& words) {
    return "#!/bin/sh\nprintf 'Content-Type: text/event-stream\\n\\n'\n"
           "while read word < " +
           words.path() + "\ndo\n  echo \"data: $word\"\n  test \"$word\" = end && exit\ndone\n";
}

} // namespace

TEST_CASE("what an island writes leaves at once") {
    Site site;
    Mailbox words(site.beside("words"));
    site.island("events.sh", linesOnDemand(words));
    Server server(site);
    for (const std::string version : {"1.1", "1.0"}) {
        INFO(version);
        RawClient client(server.port());
        client.request("GET /cgi-bin/events.sh HTTP/" + version);
        // The head comes before there is any content.
        CHECK(client.head().field("Content-Type") == "text/event-stream");
        for (const std::string word : {"one", "two", "three"}) {
            words.put(word);
            client.readUntil("data: " + word + "\n");
        }
        words.put("end");
        client.readUntil("data: end\n");
        if (version == "1.1") client.readUntil("0\r\n\r\n");
    }
}

TEST_CASE("a status page keeps its status while its content comes late") {
    Site site;
    Mailbox words(site.beside("words"));
    site.island("late.sh", "#!/bin/sh\nprintf 'Status: 404\\nContent-Type: text/plain\\n\\n'\n"
                           "read word < " +
                               words.path() + "\necho $word\n");
    Server server(site);
    RawClient client(server.port());
    client.get("/cgi-bin/late.sh");
    const auto head = client.head();
    CHECK(head.status == 404);
    CHECK(head.field("Transfer-Encoding") == "chunked");
    words.put("late");
    client.readUntil("late\n");
    client.readUntil("0\r\n\r\n");
    client.get("/cgi-bin/late.sh");
    words.put("again");
    CHECK(client.response().body == "again\n");
}

TEST_CASE("many streams are open at once, and none waits for another") {
    Site site;
    constexpr std::size_t kStreams = 20;
    std::vector<std::unique_ptr<Mailbox>> words;
    for (std::size_t i = 0; i < kStreams; ++i) {
        words.push_back(std::make_unique<Mailbox>(site.beside("words-" + std::to_string(i))));
        site.island("events-" + std::to_string(i) + ".sh", linesOnDemand(*words.back()));
    }
    Server server(site);
    std::vector<std::unique_ptr<RawClient>> clients;
    for (std::size_t i = 0; i < kStreams; ++i) {
        clients.push_back(std::make_unique<RawClient>(server.port()));
        clients.back()->get("/cgi-bin/events-" + std::to_string(i) + ".sh");
        clients.back()->head();
    }
    for (std::size_t i = kStreams; i-- > 0;) {
        words[i]->put("x");
        clients[i]->readUntil("data: x\n");
    }
    for (std::size_t i = 0; i < kStreams; ++i) {
        words[i]->put("end");
        clients[i]->readUntil("0\r\n\r\n");
    }
}

TEST_CASE("conditions hold against what an island answers, ranges are its own business") {
    Site site;
    site.island("tagged.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\nETag: \"v1\"\\n"
                             "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\\nX-Own: y\\n\\n'\n"
                             "echo content; echo \"range ${HTTP_RANGE-none}\"\n");
    site.island("page.sh", "#!/bin/sh\nprintf 'Content-Type: text/html\\nETag: \"v1\"\\n\\n"
                           "<!--#echo var=\"QUERY_STRING\" -->'\n");
    site.island("part.sh", "#!/bin/sh\nprintf 'Status: 206\\nContent-Type: text/plain\\n"
                           "Content-Range: bytes 0-1/9\\n\\nco'\n");
    Server server(site);
    RawClient client(server.port());
    struct Case {
        const char* fields;
        int status;
    };
    for (const Case& c :
         {Case{"If-None-Match: \"v1\"\r\n", 304}, Case{"If-None-Match: \"v2\"\r\n", 200},
          Case{"If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\n", 304},
          Case{"If-Modified-Since: Sun, 06 Nov 1993 08:49:37 GMT\r\n", 200},
          Case{"If-Match: \"v2\"\r\n", 412}, Case{"If-Match: \"v1\"\r\n", 200}}) {
        INFO(c.fields);
        client.get("/cgi-bin/tagged.sh", c.fields);
        const auto answer = client.response();
        CHECK(answer.status == c.status);
        CHECK(answer.body.empty() == (c.status != 200));
        if (c.status == 304) CHECK(answer.field("ETag") == "\"v1\"");
        client.request(std::string("HEAD /cgi-bin/tagged.sh HTTP/1.1"), c.fields);
        CHECK(client.response(true).status == c.status);
    }
    client.get("/cgi-bin/tagged.sh", "Range: bytes=0-1\r\n");
    const auto whole = client.response();
    CHECK(whole.status == 200);
    CHECK(whole.body == "content\nrange bytes=0-1\n");
    CHECK_FALSE(whole.has("Accept-Ranges"));
    client.get("/cgi-bin/part.sh");
    CHECK(client.response().status == 206);
    // A page is more than the island that made it: its tag is not the page's.
    client.get("/cgi-bin/page.sh?a", "If-None-Match: \"v1\"\r\n");
    const auto page = client.response();
    CHECK(page.status == 200);
    CHECK(page.body == "a");
}
