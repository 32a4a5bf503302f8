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
