#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/site.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <thread>

using namespace reef::e2e;

namespace {

/// Visitors that come one after the other, each with a connection of its own.
class Load {
public:
    explicit Load(std::uint16_t port) {
        for (int i = 0; i < 4; ++i)
            visitors_.emplace_back([this, port] { visit(port); });
    }
    ~Load() { stop(); }

    void stop() {
        stop_ = true;
        for (std::thread& visitor : visitors_) {
            if (visitor.joinable()) visitor.join();
        }
    }

    int answered() const { return answered_; }
    int refused() const { return refused_; }
    int lost() const { return lost_; } ///< connected, and cut by the crash

private:
    void visit(std::uint16_t port) {
        while (!stop_) {
            try {
                RawClient client(port);
                try {
                    client.get("/", "Connection: close\r\n");
                    ++(client.response().complete ? answered_ : lost_);
                } catch (const std::exception&) {
                    ++lost_;
                }
            } catch (const std::exception&) {
                ++refused_;
            }
        }
    }

    std::atomic<bool> stop_ = false;
    std::atomic<int> answered_ = 0;
    std::atomic<int> refused_ = 0;
    std::atomic<int> lost_ = 0;
    std::vector<std::thread> visitors_;
};

/// From the kill to the next answer, over a connection opened after it.
Duration timeToAnswerAfterKilling(const Server& server) {
    const auto before = server.serverPid();
    const Stopwatch watch;
    ::kill(before, SIGKILL);
    awaitGone(before);
    CHECK(fetch(server.port(), "/").status == 200);
    return watch.elapsed();
}

} // namespace

TEST_CASE("a server that is killed under load is back at once, and no connection is refused") {
    Site site;
    site.document("index.html", "<p>home</p>");
    Server server(site);
    Load load(server.port());
    CHECK(eventually([&] { return load.answered() > 50; }));
    auto best = Duration(1h);
    for (int i = 0; i < 3; ++i) {
        const int before = load.answered();
        best = std::min(best, timeToAnswerAfterKilling(server));
        CHECK(eventually([&] { return load.answered() > before + 50; }));
    }
    load.stop();
    CHECK(best <= 1000ms * kSlack);
    CHECK(load.refused() == 0);
    CHECK(server.awaitLog("server"));
    server.stop(); // and ends cleanly all the same
}

TEST_CASE("the islands of a server that was killed end with it") {
    Site site;
    Mailbox pids(site.beside("pids"));
    site.document("index.html", "<p>home</p>");
    site.island("hangs.sh", "#!/bin/sh\ntrap '' TERM\nsleep 100 &\necho $$ > " + pids.path() +
                                "\nwhile :; do wait; sleep 1; done\n");
    Server server(site);
    RawClient client(server.port());
    client.get("/cgi-bin/hangs.sh");
    const auto island = static_cast<pid_t>(std::stol(pids.line()));
    ::kill(server.serverPid(), SIGKILL);
    CHECK(client.readToEnd().empty());
    CHECK(awaitGone(island));
    CHECK(fetch(server.port(), "/").status == 200);
    CHECK(eventually([&] { return server.islands().empty(); }));
}

TEST_CASE("a server started again does all that the first one did") {
    Site site;
    site.document("page.shtml", "<!--#include virtual=\"/cgi-bin/x.sh\" -->");
    site.island("x.sh", "#!/bin/sh\nprintf 'Content-Type: text/html\\n\\nx'\n");
    Server server(site, Panel::on);
    const auto before = server.serverPid();
    ::kill(before, SIGKILL);
    REQUIRE(awaitGone(before));
    CHECK(fetch(server.port(), "/page.shtml").body == "x");
    CHECK(server.serverPid() != before);
    // The old link is worth nothing now; a new one is printed.
    CHECK(eventually([&] { return server.output().find("a new link") != std::string::npos; }));
    CHECK(fetch(server.panelPort(), "/login").status == 200);
    const auto status = runAtoll({"status", "--json", site.directory()});
    CHECK(status.clean());
    CHECK(status.out.find("\"serverStarts\":2") != std::string::npos);
}

TEST_CASE("a server that cannot stay up is not started without end") {
    Site site;
    site.document("index.html", "<p>home</p>");
    Server server(site);
    for (int i = 0; i < 6; ++i) {
        const auto pid = server.serverPid();
        REQUIRE(pid != 0);
        ::kill(pid, SIGKILL);
        awaitGone(pid);
    }
    const Stopwatch watch; // the pause of a second, connections waiting meanwhile
    CHECK(fetch(server.port(), "/").status == 200);
    CHECK(watch.elapsed() < 5s * kSlack);
}

TEST_CASE(
    "a limit of file sizes ends writing, not the server, and islands are told of it as ever") {
    Site site;
    site.config("access_log = \"data/access.log\"\n");
    site.document("x.txt", "x");
    site.island("signals.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\n"
                              "grep SigIgn /proc/self/status\n");
    const auto ignoredBy = [](const std::string& status) {
        const auto at = status.find("SigIgn:");
        REQUIRE(at != std::string::npos);
        return std::stoull(status.substr(at + 7), nullptr, 16);
    };
    constexpr unsigned long long kBit = 1ULL << (SIGXFSZ - 1U);
    Server server(site, Under{{"prlimit", "--fsize=20000"}});
    const auto pid = server.serverPid();
    for (const pid_t each : {server.guardian(), server.keeper(), pid}) {
        const auto file = "/proc/" + std::to_string(each) + "/status";
        CHECK((ignoredBy(readFile(file)) & kBit) != 0);
    }
    CHECK((ignoredBy(fetch(server.port(), "/cgi-bin/signals.sh").body) & kBit) == 0);
    RawClient client(server.port());
    for (int i = 0; i < 600; ++i) { // their lines are longer than the limit
        client.get("/x.txt?" + std::string(60, 'x'));
        REQUIRE(client.response().status == 200);
    }
    const auto log = site.data() / "access.log";
    CHECK(eventually([&] { return std::filesystem::file_size(log) >= 19'000; }));
    CHECK(std::filesystem::file_size(log) <= 20'000);
    CHECK(fetch(server.port(), "/x.txt").status == 200);
    CHECK(server.serverPid() == pid);
}
