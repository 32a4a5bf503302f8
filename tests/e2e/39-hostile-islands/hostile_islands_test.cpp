#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

using namespace reef::e2e;

namespace {

const bool isRoot = ::geteuid() == 0;

/// A user that nothing else on this machine has: limits of processes count all of a user's.
constexpr const char* kUser = "61984";

/// Small limits, and always one of processes, so that no script harms the machine of the test.
std::string limits(const std::string& more, const std::string& timeout) {
    const std::string user = isRoot ? std::string("user = \"") + kUser + "\"\n" : "";
    return user + "island_timeout = \"" + timeout + "\"\nmax_islands = 4\n[island_limits]\n" +
           (isRoot ? "processes = 40\n" : "") + more;
}

/// Asks for a static page again and again, on connections of its own.
class Visitor {
public:
    explicit Visitor(std::uint16_t port) : port_(port), thread_([this] { visit(); }) {}
    ~Visitor() { stop(); }

    /// The time that 99 of 100 pages took at most. Throws when one was not answered.
    Duration slowest99() {
        stop();
        REQUIRE(wrong_ == 0);
        REQUIRE_FALSE(times_.empty());
        std::ranges::sort(times_);
        return times_[times_.size() * 99 / 100];
    }

private:
    void stop() {
        stopping_ = true;
        if (thread_.joinable()) thread_.join();
    }

    void visit() {
        while (!stopping_) {
            try {
                const Stopwatch watch;
                if (fetch(port_, "/page.txt").body != "a page") ++wrong_;
                times_.push_back(watch.elapsed());
            } catch (const std::exception&) {
                ++wrong_;
            }
            std::this_thread::sleep_for(5ms);
        }
    }

    std::uint16_t port_;
    std::atomic<bool> stopping_ = false;
    std::atomic<int> wrong_ = 0;
    std::vector<Duration> times_;
    std::thread thread_;
};

/// A site with one hostile island, served, and visited meanwhile.
struct Attack {
    /// Limits that shall end it leave it time, however busy the machine is.
    Attack(const std::string& script, const std::string& moreLimits = {}) {
        site.document("page.txt", "a page").island("hostile", script);
        site.config(limits(moreLimits, moreLimits.empty() ? "3s" : "60s"));
        server.emplace(site);
        visitor.emplace(server->port());
    }

    Response strike() { return fetch(server->port(), "/cgi-bin/hostile"); }

    bool allIsGone() {
        return eventually([&] { return server->islands().empty(); });
    }

    /// At any time pages are answered, and nothing of the island is left.
    void checkOutlived() {
        CHECK(allIsGone());
        CHECK(visitor->slowest99() < 1000ms * kSlack);
        CHECK(fetch(server->port(), "/page.txt").body == "a page");
    }

    Site site;
    std::optional<Server> server;
    std::optional<Visitor> visitor;
};

} // namespace

TEST_CASE("a fork bomb is ended, all of it") {
    if (!isRoot) return; // its limit would count what else this user runs
    Attack attack("#!/usr/bin/perl\n$SIG{TERM} = 'IGNORE';\nwhile (1) { fork; select undef, undef, "
                  "undef, 0.01; }\n");
    CHECK(attack.strike().status == 504);
    CHECK(attack.server->awaitLog("took longer than 3000 ms"));
    attack.checkOutlived();
    CHECK(attack.server->awaitLog("did not end when it was told to (TERM), and was killed"));
}

TEST_CASE("a fork bomb whose processes flee into sessions of their own is hunted down") {
    if (!isRoot) return;
    Attack attack("#!/usr/bin/perl\nuse POSIX;\nclose STDOUT; close STDERR;\nwhile (1) { my $p = "
                  "fork; if (defined $p && !$p) { setsid(); $SIG{TERM} = 'IGNORE'; } select undef, "
                  "undef, undef, 0.01; }\n");
    CHECK(attack.strike().status >= 500);
    attack.checkOutlived();
}

TEST_CASE("processes that an island leaves in sessions of their own end with it when it took too "
          "long") {
    Attack attack("#!/bin/sh\nsetsid sh -c 'trap \"\" TERM; while :; do sleep 1; done' > /dev/null "
                  "2>&1 &\nsleep 100\n");
    CHECK(attack.strike().status == 504);
    attack.checkOutlived();
    CHECK(attack.server->awaitLog("that outlived their island"));
}

TEST_CASE("an island that takes memory without end is ended by its limit, and the log says so") {
    Attack attack("#!/usr/bin/perl\nmy @hoard;\nwhile (1) { push @hoard, 'x' x 1000000; }\n",
                  "memory = \"64MB\"\n");
    CHECK(attack.strike().status == 502);
    attack.checkOutlived();
    CHECK(attack.server->awaitLog("`memory` of island_limits"));
}

TEST_CASE("an island that computes without end is ended by its limit, and the log says so") {
    Attack attack("#!/bin/sh\nwhile :; do :; done\n", "cpu = \"1s\"\n");
    CHECK(attack.strike().status == 502);
    attack.checkOutlived();
    CHECK(attack.server->awaitLog("killed by signal 24 (XCPU)"));
    CHECK(attack.server->awaitLog("`cpu` of island_limits, 1 s"));
}

TEST_CASE("a processor's worth of islands that compute does not keep pages from being served") {
    Attack attack("#!/bin/sh\nwhile :; do :; done\n");
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int i = 0; i != 4; ++i) {
        clients.push_back(std::make_unique<RawClient>(attack.server->port()));
        clients.back()->get("/cgi-bin/hostile");
    }
    for (const auto& client : clients)
        CHECK(client->response().status == 504);
    attack.checkOutlived();
}

TEST_CASE("an island that opens files without end meets its limit") {
    Attack attack("#!/usr/bin/perl\nmy @hoard;\nwhile (1) { open(my $f, '<', '/dev/null') or die "
                  "\"open: $!\"; push @hoard, $f; }\n",
                  "files = 32\n");
    CHECK(attack.strike().status == 502);
    attack.checkOutlived();
    CHECK(attack.server->awaitLog("Too many open files"));
}

TEST_CASE("an island that writes a file without end meets its limit, and the log says so") {
    Attack attack("#!/bin/sh\ntrap - XFSZ\nf=$(mktemp)\nexec dd if=/dev/zero of=$f bs=4096\n",
                  "file_size = \"64KB\"\n");
    CHECK(attack.strike().status == 502);
    attack.checkOutlived();
    CHECK(attack.server->awaitLog("`file_size` of island_limits"));
}

TEST_CASE("an island that does not want to end is killed, whatever its client does") {
    Attack attack("#!/bin/sh\ntrap '' TERM HUP INT\nprintf 'Content-Type: text/plain\\n\\nx'\n"
                  "while :; do sleep 1; done\n");
    {
        RawClient client(attack.server->port());
        client.get("/cgi-bin/hostile");
        client.readUntil("x");
    }
    attack.checkOutlived();
    CHECK(attack.server->awaitLog("did not end when it was told to (TERM), and was killed"));
}

TEST_CASE("an island that is silent for too long is ended, one that says something now and then "
          "is not") {
    Site site;
    site.config("island_idle_timeout = \"700ms\"\n");
    const std::string head = "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\n";
    site.island("silent.sh", "#!/bin/sh\nsleep 100\n");
    site.island("talks.sh", head + "for i in 1 2 3 4 5 6; do echo $i; sleep 0.3; done\n");
    site.island("stops.sh", head + "echo begin\nsleep 100\n");
    Server server(site);
    CHECK(fetch(server.port(), "/cgi-bin/talks.sh").body == "1\n2\n3\n4\n5\n6\n");
    const Stopwatch watch;
    CHECK(fetch(server.port(), "/cgi-bin/silent.sh").status == 504);
    CHECK(watch.elapsed() >= 700ms);
    CHECK_FALSE(fetch(server.port(), "/cgi-bin/stops.sh").complete);
    CHECK(server.awaitLog("wrote nothing for 700 ms"));
    CHECK(eventually([&] { return server.islands().empty(); }));
}

TEST_CASE("a site's and a route's limits stand over the file's") {
    Site site;
    site.config("[island_limits]\nfiles = 100\nnice = 3\n[[route]]\npath = \"/cgi-bin/b.sh\"\n"
                "island_limits = { files = 50, core = \"unlimited\" }\n");
    const std::string script = "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\necho $(ulimit "
                               "-n) $(nice)\n";
    site.island("a.sh", script).island("b.sh", script);
    Server server(site);
    CHECK(fetch(server.port(), "/cgi-bin/a.sh").body == "100 3\n");
    CHECK(fetch(server.port(), "/cgi-bin/b.sh").body == "50 3\n");
}

TEST_CASE("an island with a user of its own can read neither the data nor write its own program") {
    if (!isRoot) return;
    Site site;
    site.config(std::string("user = \"") + kUser + "\"\n[[route]]\npath = \"/cgi-bin/other.sh\"\n" +
                "user = \"61985\"\ngroup = \"61986\"\n");
    const std::string head = "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\n";
    site.island("who.sh", head + "id -u; id -g\n").island("other.sh", head + "id -u; id -g\n");
    site.island("pries.sh",
                head + "for f in " + site.data().string() + "/* " + site.data().string() +
                    "/atoll.sock; do cat $f && echo READ; done\nls " + site.data().string() +
                    " && echo LISTED\necho x >> $0 && echo WROTE\n");
    site.island("streams.sh", head + "echo to-error > /dev/stderr; cat /dev/stdin > /dev/stdout\n");
    Server server(site, Panel::on);
    CHECK(fetch(server.port(), "/cgi-bin/who.sh").body == "61984\n61984\n");
    CHECK(fetch(server.port(), "/cgi-bin/other.sh").body == "61985\n61986\n");
    CHECK(fetch(server.port(), "/cgi-bin/pries.sh").body.empty());
    CHECK(server.awaitLog("Permission denied"));
    RawClient client(server.port());
    client.request("POST /cgi-bin/streams.sh HTTP/1.1", "Content-Length: 5\r\n", "hello");
    CHECK(client.response().body == "hello");
    CHECK(server.awaitLog("to-error"));
}

TEST_CASE("without a user of their own, islands of root's site are not the server's user either") {
    if (!isRoot) return;
    Site site;
    site.island("pries.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\nls " +
                                site.data().string() + " && echo LISTED\necho done\n");
    Server server(site);
    CHECK(fetch(server.port(), "/cgi-bin/pries.sh").body == "done\n");
}

TEST_CASE("a data directory that was open to all is closed before islands run") {
    if (!isRoot) return;
    Site site;
    std::filesystem::create_directory(site.data());
    std::filesystem::permissions(site.data(), std::filesystem::perms(0755));
    Server server(site);
    CHECK(server.awaitLog("it is closed now"));
    CHECK(std::filesystem::status(site.data()).permissions() == std::filesystem::perms(0700));
}

TEST_CASE("a user that is new in the file takes a restart, and the old file stays in force") {
    if (!isRoot) return;
    Site site;
    site.document("x.txt", "x");
    Server server(site);
    site.config(std::string("user = \"") + kUser +
                "\"\n[[route]]\npath = \"/x.txt\"\nstatus = 410\n");
    const auto outcome = runAtoll({"reload", site.directory()});
    CHECK_FALSE(outcome.clean());
    CHECK(outcome.err.find("takes a restart") != std::string::npos);
    CHECK(fetch(server.port(), "/x.txt").status == 200);
}

TEST_CASE("what cannot be had is told at the start and by check, not found out later") {
    Site site;
    const auto check = [&](const std::string& config, const std::string& expected) {
        site.config(config);
        CAPTURE(config);
        const auto checked = runAtoll({"check", site.directory()});
        CHECK_FALSE(checked.clean());
        CHECK(checked.err.find(expected) != std::string::npos);
        const auto served =
            runAtoll({"serve", site.directory(), "--listen", "127.0.0.1:0", "--panel", "off"});
        CHECK_FALSE(served.clean());
        CHECK(served.err.find(expected) != std::string::npos);
    };
    check("user = \"no-such-user-here\"\n", "this machine has none such");
    if (!isRoot) check("user = \"root\"\n", "only root can start them as another user");
    const auto hard = shell("ulimit -Hn").out;
    const bool mayRaise = shell("grep CapEff /proc/self/status | cut -f2").out.find("1ff") !=
                          std::string::npos; // all capabilities
    if (hard != "unlimited\n" && !mayRaise && std::stoul(hard) < 1'000'000)
        check("[island_limits]\nfiles = 1000000\n", "above the hard limit");
}

TEST_CASE("root starts nobody's islands as root, or as the server, by a file of theirs") {
    if (!isRoot) return;
    Site site;
    const auto refuses = [&](const std::string& user, const std::string& expected) {
        site.config("user = \"" + user + "\"\n");
        REQUIRE(::chown((site.directory() / "atoll.toml").c_str(), 61984, 61984) == 0);
        CAPTURE(user);
        const std::vector<std::string> serve{"serve",       site.directory(), "--listen",
                                             "127.0.0.1:0", "--panel",        "off"};
        for (const auto& command : {serve, {"check", site.directory()}}) {
            const auto outcome = runAtoll(command);
            CHECK_FALSE(outcome.clean());
            CHECK(holds(outcome.err, expected));
        }
    };
    refuses("root", "atoll.toml belongs to user 61984. Expected user 61984");
    refuses("nobody", "who the server itself runs as");
    site.config("user = \"61984\"\n");
    REQUIRE(::chown((site.directory() / "atoll.toml").c_str(), 61984, 61984) == 0);
    site.island("who.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\nid -u\n");
    Server server(site);
    CHECK(fetch(server.port(), "/cgi-bin/who.sh").body == "61984\n");
}

TEST_CASE("a file that has become somebody else's since the start is refused by a reload") {
    if (!isRoot) return;
    Site site;
    site.document("x.txt", "x");
    site.config(std::string("user = \"") + kUser + "\"\n");
    Server server(site);
    site.config(std::string("user = \"") + kUser +
                "\"\n[[route]]\npath = \"/x.txt\"\nstatus = 410\n");
    REQUIRE(::chown((site.directory() / "atoll.toml").c_str(), 61985, 61985) == 0);
    const auto outcome = runAtoll({"reload", site.directory()});
    CHECK_FALSE(outcome.clean());
    CHECK(holds(outcome.err, "atoll.toml belongs to user 61985"));
    CHECK(fetch(server.port(), "/x.txt").status == 200);
}

TEST_CASE("a link in place of the data gives nothing away") {
    if (!isRoot) return;
    Site site;
    const auto elsewhere = site.beside("etc");
    std::filesystem::create_directory(elsewhere);
    std::filesystem::permissions(elsewhere, std::filesystem::perms(0755));
    std::filesystem::create_directory_symlink(elsewhere, site.data());
    REQUIRE(::chown(site.directory().c_str(), 61984, 61984) == 0);
    const auto outcome =
        runAtoll({"serve", site.directory(), "--listen", "127.0.0.1:0", "--panel", "off"});
    CHECK_FALSE(outcome.clean());
    CHECK(holds(outcome.err, "is a symbolic link, and root does not follow it"));
    CHECK(shell("stat -c '%u %a' " + elsewhere.string()).out == "0 755\n");
}

TEST_CASE("check finds islands that their own user could change") {
    if (!isRoot) return;
    Site site;
    site.document("index.html", "x");
    site.config(std::string("user = \"") + kUser + "\"\n");
    site.island("own.sh", "#!/bin/sh\n");
    CHECK(runAtoll({"check", site.directory()}).clean());
    REQUIRE(::chown((site.islands() / "own.sh").c_str(), 61984, 61984) == 0);
    const auto checked = runAtoll({"check", site.directory()});
    CHECK(checked.err.find("can be changed by 61984, who runs islands") != std::string::npos);
}

TEST_CASE("the server keeps numbers of each island") {
    Site site;
    const std::string head = "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\n";
    site.island("good.sh", head + "echo hello\necho a word for the log >&2\n");
    site.island("bad.sh", "#!/bin/sh\nkill -SEGV $$\n");
    Server server(site);
    for (int i = 0; i != 5; ++i)
        fetch(server.port(), "/cgi-bin/good.sh");
    fetch(server.port(), "/cgi-bin/bad.sh");
    const auto status = runAtoll({"status", "--json", site.directory()}).out;
    CAPTURE(status);
    CHECK(status.find("\"name\":\"/cgi-bin/good.sh\"") != std::string::npos);
    CHECK(status.find("\"runs\":5,\"failures\":0") != std::string::npos);
    CHECK(status.find("\"runs\":1,\"failures\":1") != std::string::npos);
    CHECK(status.find("a word for the log") != std::string::npos);
    const auto text = runAtoll({"status", site.directory()}).out;
    CHECK(text.find("/cgi-bin/good.sh  5 runs, 0 failed") != std::string::npos);
}

TEST_CASE("ten thousand runs leave no process and no descriptor behind") {
    Site site;
    site.island("quick.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\nx'\n");
    Server server(site);
    constexpr int kClients = 4;
    const int runs = kSlack == 1 ? 10'000 : 1'000;
    const auto descriptors = [](pid_t pid) {
        return std::distance(
            std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fd"), {});
    };
    const auto run = [&](int count) {
        std::vector<std::thread> clients;
        std::atomic<int> wrong = 0;
        for (int c = 0; c != kClients; ++c)
            clients.emplace_back([&] {
                RawClient client(server.port());
                for (int i = 0; i != count; ++i) {
                    client.get("/cgi-bin/quick.sh");
                    if (client.response().body != "x") ++wrong;
                }
            });
        for (auto& client : clients)
            client.join();
        return wrong.load();
    };
    CHECK(run(20) == 0);
    CHECK(eventually([&] { return server.islands().empty(); }));
    const auto servers = descriptors(server.serverPid());
    const auto keepers = descriptors(server.keeper());
    CHECK(run(runs / kClients) == 0);
    CHECK(eventually([&] { return server.islands().empty(); })); // zombies are entries, too
    CHECK(eventually([&] { return descriptors(server.serverPid()) <= servers + 2; }));
    CHECK(descriptors(server.keeper()) == keepers);
}
