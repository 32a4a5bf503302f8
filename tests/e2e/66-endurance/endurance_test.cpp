#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
#include <random>
#include <thread>

using namespace reef::e2e;

namespace {

std::size_t openDescriptors(pid_t pid) {
    const auto directory = "/proc/" + std::to_string(pid) + "/fd";
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(directory), {}));
}

/// Whether it has no more descriptors than before, soon: closing takes a turn of the loop.
bool settlesAt(pid_t pid, std::size_t descriptors) {
    return eventually([&] { return openDescriptors(pid) <= descriptors; });
}

void islandsOfAllKinds(Site& site) {
    site.document("small.txt", "small").document("large.bin", std::string(400'000, 'x'));
    site.document("page.shtml", "<!--#include virtual=\"/cgi-bin/hello.sh\" -->"
                                "<!--#include virtual=\"/cgi-bin/crash.sh\" -->"
                                "<!--#include virtual=\"/cgi-bin/slow.sh\" -->"
                                "<!--#include file=\"small.txt\" -->");
    const std::string head = "#!/bin/sh\nprintf 'Content-Type: text/html\\n\\n'\n";
    site.island("hello.sh", head + "echo hello\n");
    site.island("slow.sh", head + "sleep 0.03\necho slow\n");
    site.island("crash.sh", head + "echo some\nkill -SEGV $$\n");
    site.island("echo.sh", head + "cat\n");
    site.island("long.sh", head + "head -c 300000 /dev/zero\n");
}

/// One visitor who does one thing after the other, and often leaves in the middle of it.
class Visitor {
public:
    Visitor(std::uint16_t port, unsigned seed) : port_(port), random_(seed) {}

    void act() {
        RawClient client(port_);
        switch (random_() % 8) {
        case 0:
            client.get("/small.txt");
            break;
        case 1:
            client.get("/large.bin");
            break;
        case 2:
        case 3:
            client.get("/page.shtml");
            break;
        case 4:
            client.get("/cgi-bin/crash.sh");
            break;
        case 5:
            client.get("/cgi-bin/long.sh");
            break;
        case 6:
            client.request("POST /cgi-bin/echo.sh HTTP/1.1", "Content-Length: 100000\r\n",
                           std::string(random_() % 2 == 0 ? 100'000 : 50'000, 'y'));
            break;
        default:
            client.send("POST /cgi-bin/echo.sh HTTP/1.1\r\nHost: a\r\nTransfer-Enc");
            break;
        }
        switch (random_() % 4) {
        case 0:
            return client.reset();
        case 1:
            std::this_thread::sleep_for(Duration(random_() % 20));
            return client.close();
        default:
            // What was sent whole is answered; the rest has nobody to answer.
            client.endWriting();
            client.readToEnd();
        }
    }

private:
    std::uint16_t port_;
    std::minstd_rand random_;
};

} // namespace

TEST_CASE(
    "visitors who come, leave and break off at any moment leave nothing open and nothing running") {
    Site site;
    islandsOfAllKinds(site);
    Server server(site);
    for (const char* target : {"/small.txt", "/page.shtml", "/cgi-bin/echo.sh"})
        fetch(server.port(), target);
    const auto pid = server.serverPid();
    CHECK(eventually([&] { return server.islands().empty(); }));
    const auto before = openDescriptors(pid) + 2; // one more file or watch of the cache
    const auto keepersBefore = openDescriptors(server.keeper());

    std::atomic<int> failures = 0;
    std::vector<std::thread> visitors;
    for (unsigned seed = 1; seed <= 8; ++seed) {
        visitors.emplace_back([&failures, seed, port = server.port()] {
            Visitor visitor(port, seed);
            for (int i = 0; i < 40; ++i) {
                try {
                    visitor.act();
                } catch (const std::exception&) {
                    ++failures; // nobody came to the door, or an answer never ended
                }
            }
        });
    }
    for (std::thread& visitor : visitors)
        visitor.join();
    CHECK(failures == 0);
    CHECK(eventually([&] { return server.islands().empty(); }));
    CHECK(settlesAt(pid, before));
    CHECK(settlesAt(server.keeper(), keepersBefore));
    CHECK(server.serverPid() == pid); // it never died meanwhile
    CHECK(fetch(server.port(), "/small.txt").body == "small");
}

TEST_CASE("twenty thousand requests do not make the server grow") {
    Site site;
    islandsOfAllKinds(site);
    Server server(site);
    const auto pid = server.serverPid();
    const auto ask = [&](int times) {
        RawClient client(server.port());
        for (int i = 0; i < times; ++i)
            client.get(i % 50 == 49 ? "/missing" : "/small.txt");
        for (int i = 0; i < times; ++i)
            client.response();
    };
    ask(2000);
    const auto before = residentBytes(pid);
    for (int i = 0; i < 40; ++i)
        ask(500);
    if (kSlack == 1) CHECK(residentBytes(pid) < before + 2'000'000);
}

TEST_CASE("a thousand islands do not make server or keeper grow") {
    Site site;
    islandsOfAllKinds(site);
    Server server(site);
    const auto pid = server.serverPid();
    RawClient client(server.port());
    const auto ask = [&](int times) {
        for (int i = 0; i < times; ++i) {
            client.get("/cgi-bin/hello.sh");
            REQUIRE(client.response().body == "hello\n");
        }
    };
    ask(200);
    const auto before = residentBytes(pid);
    const auto keeperBefore = residentBytes(server.keeper());
    ask(800);
    if (kSlack == 1) {
        CHECK(residentBytes(pid) < before + 1'000'000);
        CHECK(residentBytes(server.keeper()) < keeperBefore + 500'000);
    }
}
