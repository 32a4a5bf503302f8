#include "harness/command.h"
#include "harness/http_client.h"
#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <thread>

using namespace reef::e2e;

namespace {

/// Memory that a sanitizer sets aside says nothing about the server's own need.
constexpr bool kMemoryTells = kSlack == 1;

} // namespace

TEST_CASE("an island that writes 300 KB before it reads 300 KB is no deadlock") {
    Site site;
    site.island("talker.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\n"
                             "head -c 300000 /dev/zero | tr '\\0' x\nwc -c\n");
    Server server(site);
    HttpClient client(server.port());
    for (const bool chunked : {false, true}) {
        const auto answer = client.send("POST", "/cgi-bin/talker.sh", {}, noise(300'000), chunked);
        CHECK(answer.status == 200);
        REQUIRE(answer.body.size() > 300'000);
        CHECK(std::stol(answer.body.substr(300'000)) == 300'000);
    }
}

TEST_CASE("an island may answer without reading, and with its input closed") {
    Site site;
    site.island("deaf.sh", "#!/bin/sh\nexec <&-\nprintf 'Content-Type: text/plain\\n\\ndeaf'\n");
    Server server(site);
    for (int i = 0; i < 5; ++i) {
        RawClient client(server.port());
        client.request("POST /cgi-bin/deaf.sh HTTP/1.1", "Content-Length: 1000000\r\n");
        client.sendUntilRefused(noise(1'000'000), kPatience);
        const auto answer = client.response();
        CHECK(answer.status == 200);
        CHECK(answer.body == "deaf");
    }
}

TEST_CASE("an island that echoes as it reads is as fast as its pipe") {
    Site site;
    site.island("echo.sh", "#!/bin/sh\nprintf 'Content-Type: application/x\\n\\n'\nexec cat\n");
    Server server(site);
    const auto content = noise(5'000'000);
    // The client sends everything before it reads, as many do; curl does both at once.
    const auto file = site.beside("upload");
    writeFile(file, content);
    const auto got = site.beside("got");
    const auto outcome =
        shell("curl -sS --max-time 60 --data-binary @" + file.string() + " -o " + got.string() +
              " http://127.0.0.1:" + std::to_string(server.port()) + "/cgi-bin/echo.sh");
    INFO(outcome.err);
    CHECK(outcome.clean());
    CHECK((readFile(got) == content));
}

TEST_CASE("a flood on standard error does not block the answer") {
    Site site;
    site.island("noisy.sh", "#!/bin/sh\nhead -c 1000000 /dev/zero | tr '\\0' '\\n' >&2\n"
                            "printf 'Content-Type: text/plain\\n\\nanswer'\n"
                            "head -c 1000000 /dev/zero | tr '\\0' '\\n' >&2\n");
    Server server(site);
    CHECK(fetch(server.port(), "/cgi-bin/noisy.sh").body == "answer");
}

TEST_CASE("256 MB of output pass through in constant memory") {
    Site site;
    site.island("large.sh", "#!/bin/sh\nprintf 'Content-Type: application/x\\n\\n'\n"
                            "exec head -c 256000000 /dev/zero\n");
    Server server(site);
    RawClient client(server.port());
    client.send("GET /cgi-bin/large.sh HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    client.head();
    const auto pid = server.serverPid();
    const auto before = residentBytes(pid);
    std::size_t most = 0;
    std::size_t total = 0;
    for (std::string bytes = client.readSome(); !bytes.empty(); bytes = client.readSome()) {
        total += bytes.size();
        most = std::max(most, residentBytes(pid));
    }
    CHECK(total > 256'000'000); // with the chunks' own lines
    if (kMemoryTells) CHECK(most < before + 4'000'000);
}

TEST_CASE("a reader that stops holds its island back, not the server's memory") {
    Site site;
    Mailbox pids(site.beside("pids"));
    site.island("endless.sh",
                "#!/bin/sh\necho $$ > " + pids.path() +
                    "\nprintf 'Content-Type: application/x\\n\\n'\nexec cat /dev/zero\n");
    site.document("ok.txt", "ok");
    Server server(site);
    RawClient client(server.port());
    client.shrinkReceiveBuffer(4096);
    client.get("/cgi-bin/endless.sh");
    const auto island = static_cast<pid_t>(std::stol(pids.line()));
    client.head();
    // The island has stopped when its time does no longer grow.
    Duration used = cpuTime(island);
    CHECK(eventually([&] {
        std::this_thread::sleep_for(200ms);
        return used == std::exchange(used, cpuTime(island));
    }));
    if (kMemoryTells) CHECK(residentBytes(server.serverPid()) < 40'000'000);
    CHECK(fetch(server.port(), "/ok.txt").body == "ok");
    client.close();
    CHECK(awaitGone(island));
}

TEST_CASE("an upload of 60 MB passes through in constant memory") {
    Site site;
    site.island("size.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\nwc -c\n");
    Server server(site);
    HttpClient(server.port()).get("/");
    const auto before = residentBytes(server.serverPid());
    const std::string content(60'000'000, 'x');
    for (const bool chunked : {false, true}) {
        const auto answer =
            HttpClient(server.port()).send("POST", "/cgi-bin/size.sh", {}, content, chunked);
        CHECK(answer.status == 200);
        CHECK(std::stol(answer.body) == 60'000'000);
    }
    if (kMemoryTells) CHECK(residentBytes(server.serverPid()) < before + 8'000'000);
}

TEST_CASE("standard input ends at the length, though the next request is there already") {
    Site site;
    site.island("size.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\nwc -c\n");
    Server server(site);
    for (const std::size_t size : {std::size_t{1}, std::size_t{70'000}, std::size_t{300'000}}) {
        INFO(size);
        RawClient client(server.port());
        const auto request =
            "POST /cgi-bin/size.sh HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(size) +
            "\r\n\r\n" + noise(size);
        client.send(request + request + request);
        for (int i = 0; i < 3; ++i)
            CHECK(client.response().body == std::to_string(size) + "\n");
    }
}

TEST_CASE("a full disk fails the upload that needed it, says so, and harms nobody else") {
    // A file system of 2 MB in place of the data directory, for this server alone.
    const bool root = ::geteuid() == 0;
    const std::vector<std::string> apart = root ? std::vector<std::string>{"unshare", "-m"}
                                                : std::vector<std::string>{"unshare", "-rm"};
    auto trial = apart;
    trial.insert(trial.end(), {"mount", "-t", "tmpfs", "none", "/mnt"});
    if (!run(trial).clean()) {
        WARN("no mount namespace is to be had here: a full disk is not tested");
        return;
    }
    Site site;
    site.island("size.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\nwc -c\n");
    std::filesystem::create_directory(site.data());
    Under wrapper{apart};
    wrapper.command.insert(wrapper.command.end(), {"sh", "-c",
                                                   "mount -t tmpfs -o size=2m,mode=0777 none " +
                                                       site.data().string() + " && exec \"$@\"",
                                                   "sh"});
    Server server(site, wrapper);
    const auto put = [&](std::size_t size) {
        return HttpClient(server.port()).send("POST", "/cgi-bin/size.sh", {}, noise(size), true);
    };
    CHECK(put(500'000).body == "500000\n");
    RawClient client(server.port());
    client.request("POST /cgi-bin/size.sh HTTP/1.1", "Transfer-Encoding: chunked\r\n");
    std::string chunk = "10000\r\n" + noise(65536) + "\r\n";
    std::string content;
    for (int i = 0; i < 60; ++i)
        content += chunk;
    client.sendUntilRefused(content + "0\r\n\r\n", kPatience);
    CHECK(client.response().status == 507);
    CHECK(server.awaitLog("No space left on device"));
    CHECK(put(500'000).body == "500000\n"); // the room is free again
    CHECK(eventually([&] { return server.islands().empty(); }));
}

TEST_CASE("an island that reads slowly slows its client, and the server holds none of it") {
    Site site;
    site.config("[limits]\nbody = \"1GB\"\n");
    Mailbox started(site.beside("started"));
    site.island("slow.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\necho on > " +
                               started.path() +
                               "\nwhile head -c 65536 | grep -q .; do sleep 0.05; done\n");
    Server server(site);
    RawClient client(server.port());
    client.request("POST /cgi-bin/slow.sh HTTP/1.1", "Content-Length: 900000000\r\n");
    CHECK(started.line() == "on");
    const auto before = residentBytes(server.serverPid());
    const std::string piece(400'000'000, 'x');
    const auto taken = client.sendUntilRefused(piece, 3s);
    CHECK(taken > 65536);
    CHECK(taken < 100'000'000); // what stands in pipes and sockets on the way, and what was read
    if (kMemoryTells) CHECK(residentBytes(server.serverPid()) < before + 2'000'000);
    client.close();
    CHECK(eventually([&] { return server.islands().empty(); }));
}

TEST_CASE("an answer of 1 GB to a client that takes 1 MB a second is held by nobody") {
    Site site;
    site.island("large.sh", "#!/bin/sh\nprintf 'Content-Type: application/x\\n\\n'\n"
                            "exec head -c 1000000000 /dev/zero\n");
    Server server(site);
    RawClient client(server.port());
    client.shrinkReceiveBuffer(65536);
    client.get("/cgi-bin/large.sh");
    client.head();
    const auto before = residentBytes(server.serverPid());
    std::size_t most = 0;
    std::size_t total = 0;
    for (int i = 0; i < 30; ++i) { // 3 s
        const auto until = total + 100'000;
        while (total < until)
            total += client.readSome().size();
        most = std::max(most, residentBytes(server.serverPid()));
        std::this_thread::sleep_for(100ms);
    }
    if (kMemoryTells) CHECK(most < before + 2'000'000);
    client.close();
    CHECK(eventually([&] { return server.islands().empty(); }));
}

TEST_CASE("a server without work uses no processor time") {
    Site site;
    site.island("sleepy.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\nsleep 100\n");
    Server server(site);
    RawClient waiting(server.port());
    waiting.get("/cgi-bin/sleepy.sh");
    waiting.head();
    RawClient idle(server.port());
    idle.get("/");
    idle.response();
    RawClient half(server.port());
    half.get("/");
    half.response();
    half.endWriting(); // a client that went away halfway must not make the loop spin
    const auto before = cpuTime(server.serverPid()) + cpuTime(server.keeper());
    std::this_thread::sleep_for(1s);
    const auto after = cpuTime(server.serverPid()) + cpuTime(server.keeper());
    CHECK(after - before <= 50ms);
}
