#include "harness/raw_client.h"
#include "harness/server.h"

#include <catch2/catch.hpp>

using namespace reef::e2e;

namespace {

constexpr const char* kHead = "printf 'Content-Type: text/plain\\n\\n'\n";

pid_t numberIn(const std::string& line) {
    return static_cast<pid_t>(std::stol(line));
}

} // namespace

TEST_CASE(
    "an island that takes too long is ended, with all of its group, and answered for by 504") {
    Site site;
    site.config("island_timeout = \"500ms\"\n");
    Mailbox pids(site.beside("pids"));
    site.island("hangs.sh", "#!/bin/sh\nsleep 100 &\necho $! > " + pids.path() + "\necho $$ > " +
                                pids.path() + "\nwait\n");
    Server server(site);
    RawClient client(server.port());
    const Stopwatch watch;
    client.get("/cgi-bin/hangs.sh");
    const auto helper = numberIn(pids.line());
    const auto leader = numberIn(pids.line());
    CHECK(client.response().status == 504);
    CHECK(watch.elapsed() >= 500ms);
    CHECK(awaitGone(leader));
    CHECK(awaitGone(helper));
    CHECK(server.awaitLog("took longer than 500 ms"));
}

TEST_CASE("the time is the whole run's: dripping does not extend it") {
    Site site;
    site.config("island_timeout = \"700ms\"\n");
    site.island("drips.sh",
                std::string("#!/bin/sh\n") + kHead + "while :; do echo drip; sleep 0.1; done\n");
    Server server(site);
    RawClient client(server.port());
    client.get("/cgi-bin/drips.sh");
    const auto answer = client.response();
    CHECK(answer.status == 200);
    CHECK_FALSE(answer.complete);
    CHECK(eventually([&] { return server.islands().empty(); }));
}

TEST_CASE("an answer ends with its island, though a helper holds its output open") {
    Site site;
    Mailbox pids(site.beside("pids"));
    site.island("daemon.sh",
                "#!/bin/sh\nsleep 100 &\necho $! > " + pids.path() + "\n" + kHead + "echo done\n");
    Server server(site);
    const Stopwatch watch;
    const auto answer = fetch(server.port(), "/cgi-bin/daemon.sh");
    CHECK(answer.complete);
    CHECK(answer.body == "done\n");
    CHECK(watch.elapsed() < 4s * kSlack);
    CHECK(awaitGone(numberIn(pids.line())));
}

TEST_CASE("a helper that left its group ends with the server at the latest") {
    Site site;
    Mailbox pids(site.beside("pids"));
    Mailbox up(site.beside("up"));
    site.island("escapes.sh", "#!/bin/sh\nsetsid sh -c 'echo $$ > " + pids.path() + "; echo up > " +
                                  up.path() +
                                  "; exec sleep 100' > /dev/null 2>&1 < /dev/null &\nread word < " +
                                  up.path() + "\n" + kHead + "echo done\n");
    Server server(site);
    CHECK(fetch(server.port(), "/cgi-bin/escapes.sh").body == "done\n");
    const auto helper = numberIn(pids.line());
    server.stop();
    CHECK_FALSE(exists(helper));
}

TEST_CASE("an island that closed its output and goes on does not hold up the answer") {
    Site site;
    site.island("closes.sh",
                std::string("#!/bin/sh\n") + kHead + "echo done\nexec >&- 2>&-\nsleep 100\n");
    Server server(site);
    const auto answer = fetch(server.port(), "/cgi-bin/closes.sh");
    CHECK(answer.body == "done\n");
    CHECK(eventually([&] { return server.islands().empty(); }));
}

TEST_CASE("islands beyond the limit wait for their turn, and all get it") {
    Site site;
    site.config("max_islands = 2\n");
    Mailbox log(site.beside("log"));
    site.island("one.sh", "#!/bin/sh\necho + > " + log.path() + "\nsleep 0.05\necho - > " +
                              log.path() + "\n" + kHead + "echo done\n");
    Server server(site);
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int i = 0; i < 20; ++i) {
        clients.push_back(std::make_unique<RawClient>(server.port()));
        clients.back()->get("/cgi-bin/one.sh");
    }
    for (const auto& client : clients)
        CHECK(client->response().body == "done\n");
    const unsigned loops = std::max(std::thread::hardware_concurrency(), 1U);
    unsigned running = 0;
    unsigned most = 0;
    for (int i = 0; i < 40; ++i) {
        running += log.line() == "+" ? 1U : ~0U;
        most = std::max(most, running);
    }
    CHECK(running == 0);
    CHECK(most <= 2 * loops);
}
