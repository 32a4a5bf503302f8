#include "harness/command.h"
#include "harness/http_client.h"
#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <thread>

using namespace reef::e2e;

namespace {

std::uint16_t freePort() {
    const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    REQUIRE(::bind(probe, reinterpret_cast<sockaddr*>(&address), length) == 0);
    REQUIRE(::getsockname(probe, reinterpret_cast<sockaddr*>(&address), &length) == 0);
    ::close(probe);
    return ntohs(address.sin_port);
}

std::string listenAt(const std::vector<std::uint16_t>& ports) {
    std::string list;
    for (const auto port : ports)
        list += (list.empty() ? "\"127.0.0.1:" : ", \"127.0.0.1:") + std::to_string(port) + "\"";
    return "panel = false\nlisten = [" + list + "]\n";
}

bool refuses(std::uint16_t port) {
    const auto outcome =
        run({"curl", "-sS", "--max-time", "5", "http://127.0.0.1:" + std::to_string(port) + "/"});
    return outcome.ending.code == 7;
}

} // namespace

TEST_CASE("a changed file is in force for the next request of an open connection") {
    Site site;
    site.document("x.txt", "x");
    Server server(site);
    RawClient client(server.port());
    client.get("/x.txt");
    CHECK(client.response().field("X-New").empty());
    site.config("[headers]\nX-New = \"yes\"\n");
    const auto outcome = runAtoll({"reload", site.directory()});
    INFO(outcome.err);
    CHECK(outcome.clean());
    client.get("/x.txt");
    CHECK(client.response().field("X-New") == "yes");
    site.config("");
    server.signal(SIGHUP);
    for (int i = 0; i != 100; ++i) {
        client.get("/x.txt");
        if (client.response().field("X-New").empty()) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    FAIL("SIGHUP has not put the file into force");
}

TEST_CASE("a request that runs goes on by the old file") {
    Site site;
    Mailbox box(site.beside("box"));
    site.island("slow.sh",
                "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\nbegin '\nread word < " +
                    box.path() + "\nprintf end\n");
    Server server(site);
    RawClient client(server.port());
    client.get("/cgi-bin/slow.sh");
    client.readUntil("begin ");
    site.config("[[route]]\npath = \"/cgi-bin/*\"\nstatus = 410\n");
    CHECK(runAtoll({"reload", site.directory()}).clean());
    CHECK(fetch(server.port(), "/cgi-bin/slow.sh").status == 410);
    box.put("go on");
    client.readUntil("end");
}

TEST_CASE("a file with an error changes nothing, and says where it is") {
    Site site;
    site.document("x.txt", "x");
    site.config("[headers]\nX-Old = \"yes\"\n");
    Server server(site);
    site.config("[headers]\nX-New = \"yes\"\n[[route]]\npath = \"/x\"\nredirect = \"nowhere\"\n");
    const auto outcome = runAtoll({"reload", site.directory()});
    CHECK(outcome.ending.code == 1);
    CHECK(holds(outcome.err, "atoll.toml:5:12: `redirect` in [[route]]"));
    CHECK(holds(outcome.err, "nothing has changed"));
    CHECK(HttpClient(server.port()).get("/x.txt").field("X-Old") == "yes");

    // A server that dies now is started by the last file that was right, as often as it takes.
    for (int death = 0; death != 2; ++death) {
        ::kill(server.serverPid(), SIGKILL);
        CHECK(fetch(server.port(), "/x.txt").field("X-Old") == "yes");
    }
    CHECK(server.awaitLog("the last atoll.toml that was right"));
    // What needs no settings works with a broken file, too.
    CHECK(runAtoll({"status", site.directory()}).clean());
}

TEST_CASE("addresses come and go, and connections at an old one stay") {
    Site site;
    site.document("index.html", "home");
    const auto first = freePort();
    site.config(listenAt({first}));
    Server server(site, FromFile());
    RawClient old(first);
    old.get("/");
    CHECK(old.response().body == "home");

    const auto second = freePort();
    site.config(listenAt({second}));
    REQUIRE(runAtoll({"reload", site.directory()}).clean());
    CHECK(fetch(second, "/").body == "home");
    CHECK(eventually([&] { return refuses(first); })); // the other loops hear of it a moment later
    old.get("/");
    CHECK(old.response().body == "home");

    // An address that cannot be had: all stays.
    const auto third = freePort();
    site.config("panel = false\nlisten = [\"127.0.0.1:" + std::to_string(third) +
                "\", \"192.0.2.1:1\"]\n");
    const auto outcome = runAtoll({"reload", site.directory()});
    CHECK(outcome.ending.code == 1);
    CHECK(holds(outcome.err, "cannot listen at 192.0.2.1:1"));
    CHECK(refuses(third));
    CHECK(fetch(second, "/").body == "home");

    // And a server that dies listens where the file says.
    site.config(listenAt({second}));
    ::kill(server.serverPid(), SIGKILL);
    CHECK(fetch(second, "/").body == "home");
}

TEST_CASE("nobody to reload is an error") {
    const Site site;
    const auto outcome = runAtoll({"reload", site.directory()});
    CHECK(outcome.ending.code == 1);
    CHECK(holds(outcome.err, "no server runs for"));
}

TEST_CASE("a file that would break the parser, or keep it waiting, changes nothing") {
    Site site;
    site.document("x.txt", "x");
    site.config("[headers]\nX-Old = \"yes\"\n");
    Server server(site);
    const auto before = server.serverPid();
    const auto file = site.directory() / "atoll.toml";
    std::string deep = "a";
    for (int i = 0; i != 100'000; ++i)
        deep += ".a";
    const auto refused = [&](std::string_view why) {
        for (const char* command : {"reload", "check"}) {
            const auto outcome = runAtoll({command, site.directory()});
            INFO(command << ": " << outcome.err);
            CHECK(outcome.ending.code == 1);
            CHECK(holds(outcome.err, why));
        }
        CHECK(fetch(server.port(), "/x.txt").field("X-Old") == "yes");
        CHECK(server.serverPid() == before);
    };
    for (const std::string& text : {deep + " = 1\n", "[" + deep + "]\n"}) {
        site.config(text);
        refused("parts");
    }
    site.config(std::string((1U << 20U) + 1, '\n'));
    refused("larger than");
    std::filesystem::remove(file);
    REQUIRE(::mkfifo(file.c_str(), 0644) == 0);
    refused("no regular file");
    std::filesystem::remove(file);
    std::filesystem::create_symlink("/dev/zero", file);
    refused("no regular file");
    std::filesystem::remove(file);
}

TEST_CASE("a server that has died over the file is followed by one that goes by the last text") {
    Site site;
    site.document("x.txt", "x");
    site.config("[headers]\nX-Old = \"yes\"\n");
    Server server(site);
    const auto trial = site.data() / "atoll.toml.trial";
    CHECK(fetch(server.port(), "/x.txt").status == 200);
    CHECK_FALSE(std::filesystem::exists(trial)); // it is ready: the trial has ended
    site.config("[headers]\nX-New = \"yes\"\n");
    writeFile(trial, ""); // what a server leaves that dies while it reads
    ::kill(server.serverPid(), SIGKILL);
    CHECK(fetch(server.port(), "/x.txt").field("X-Old") == "yes");
    CHECK(server.awaitLog("the server died over it"));
    CHECK_FALSE(std::filesystem::exists(trial));
    // The next one tries the file again, and by a reload it comes into force in any case.
    CHECK(runAtoll({"reload", site.directory()}).clean());
    CHECK(fetch(server.port(), "/x.txt").field("X-New") == "yes");
    ::kill(server.serverPid(), SIGKILL);
    CHECK(fetch(server.port(), "/x.txt").field("X-New") == "yes");
}

TEST_CASE("a file that is gone changes nothing, and does not open the site after a crash") {
    Site site;
    site.document("secret.txt", "secret");
    site.config("[[route]]\npath = \"/secret.txt\"\ndeny = [\"127.0.0.0/8\"]\n");
    {
        Server server(site);
        CHECK(fetch(server.port(), "/secret.txt").status == 403);
        std::filesystem::remove(site.directory() / "atoll.toml");
        const auto outcome = runAtoll({"reload", site.directory()});
        CHECK_FALSE(outcome.clean());
        CHECK(holds(outcome.err, "the file is gone; put it back, or an empty one"));
        CHECK(fetch(server.port(), "/secret.txt").status == 403);
        for (int crash = 0; crash < 2; ++crash) {
            ::kill(server.serverPid(), SIGKILL);
            CHECK(fetch(server.port(), "/secret.txt").status == 403);
            CHECK_FALSE(runAtoll({"reload", site.directory()}).clean());
        }
        CHECK(server.awaitLog("goes on with the last atoll.toml that was right"));
    }
    Server fresh(site); // a person has started it, and the file is meant to be away
    CHECK(fetch(fresh.port(), "/secret.txt").status == 200);
    CHECK(fresh.awaitLog("the settings of last time are not in force"));
    ::kill(fresh.serverPid(), SIGKILL);
    CHECK(fetch(fresh.port(), "/secret.txt").status == 200);
    CHECK(runAtoll({"reload", site.directory()}).clean());
    site.config(""); // an empty file is one
    CHECK(runAtoll({"reload", site.directory()}).clean());
}

TEST_CASE("who reloads is told what holds from the next start on") {
    Site site;
    site.config("");
    Server server(site);
    const auto first = runAtoll({"reload", site.directory()});
    CHECK(first.clean());
    CHECK_FALSE(holds(first.out, "next start"));
    site.config("pageviews = false\n");
    const auto outcome = runAtoll({"reload", site.directory()});
    CHECK(outcome.clean());
    CHECK(holds(outcome.out, "but `pageviews` has changed: it holds from the next start"));
    CHECK(server.awaitLog("`pageviews` has changed"));
}
