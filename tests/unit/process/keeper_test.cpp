#include "helper.h"
#include "io/address.h"
#include "process/keeper.h"

#include <sys/socket.h>

#include <catch2/catch.hpp>
#include <set>
#include <sstream>

using namespace reef;
using namespace reef::test;

namespace {

/// A keeper with its server, in processes of their own, and a client that speaks to the server.
class Site {
public:
    explicit Site(std::vector<std::string> options = {}, const char* program = PROCESS_HELPER,
                  const process::Identity* identity = nullptr)
        : Site(Pipe(), std::move(options), program, identity) {}

    /// Sends a line to the server and returns its answer; empty when it closed the connection.
    std::string ask(const std::string& line) const { return answerOn(connectTo(port_), line); }

    Fd connectTo(const std::string& port) const {
        const auto address = *io::Address::parse("127.0.0.1:" + port);
        Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        if (::connect(socket.get(), address.data(), address.size()) != 0) return {};
        return socket;
    }

    static std::string answerOn(const Fd& socket, const std::string& line) {
        if (!socket) return "refused";
        const auto text = line + "\n";
        if (::send(socket.get(), text.data(), text.size(), MSG_NOSIGNAL) < 0) return {};
        auto answer = readAll(socket.get());
        if (!answer.empty() && answer.back() == '\n') answer.pop_back();
        return answer;
    }

    pid_t serverPid() const { return static_cast<pid_t>(std::stol(ask("pid"))); }

    void signal(int number) const { ::kill(keeper.pid(), number); }

    const std::string& port() const noexcept { return port_; }

    OwnChild keeper;

private:
    Site(Pipe pipe, std::vector<std::string> options, const char* program,
         const process::Identity* identity)
        : keeper(startKeeper(pipe, options, program, identity)) {
        pipe.write.reset();
        char byte = 0;
        while (::read(pipe.read.get(), &byte, 1) == 1 && byte != '\n')
            port_.push_back(byte);
    }

    static pid_t startKeeper(const Pipe& pipe, std::vector<std::string>& options,
                             const char* program, const process::Identity* identity) {
        options.insert(options.begin(), "keeper");
        return startHelper(options, pipe.write.get(), -1, program, identity);
    }

    std::string port_;
};

} // namespace

TEST_CASE("the keeper starts a server with listeners, links and control") {
    const Site site({"links=3"});
    CHECK(site.ask("generation") == "1");
    CHECK(site.ask("links") == "3");
    const auto pid = site.serverPid();
    CHECK(childrenOf(site.keeper.pid()) == std::vector<pid_t>{pid});
    std::istringstream status(site.ask("status"));
    pid_t keeper = 0;
    int restarts = -1;
    int running = -1;
    status >> keeper >> restarts >> running;
    CHECK(keeper == site.keeper.pid());
    CHECK(restarts == 0);
    CHECK(running == 0);
}

TEST_CASE("the server has no descriptor of the keeper's beyond what it is given") {
    const Site site;
    const auto pid = std::to_string(site.serverPid());
    for (const auto& entry : std::filesystem::directory_iterator("/proc/" + pid + "/fd")) {
        std::error_code gone;
        const auto target = std::filesystem::read_symlink(entry.path(), gone).string();
        CHECK(target.find("signalfd") == std::string::npos);
    }
}

TEST_CASE("a server that dies is started again at once, and connections wait in the listener") {
    const Site site;
    const auto first = site.serverPid();
    ::kill(first, SIGSTOP); // so that the connection waits in the backlog
    const Fd waiting = site.connectTo(site.port());
    REQUIRE(waiting);
    const auto before = std::chrono::steady_clock::now();
    ::kill(first, SIGKILL);
    CHECK(Site::answerOn(waiting, "generation") == "2");
    const auto took = std::chrono::steady_clock::now() - before;
    CHECK(took < 5s); // sanitizers are slow; 100 ms is checked where it counts, in the e2e tests
    CHECK(site.serverPid() != first);
    CHECK(site.ask("status").find(" 1 0 ") != std::string::npos);
}

TEST_CASE("no connection is refused while the server dies again and again") {
    const Site site;
    for (int death = 0; death < 4; ++death) {
        CHECK(site.ask("crash").empty());
        CHECK(site.ask("generation") == std::to_string(death + 2));
    }
}

TEST_CASE("after five quick deaths the next start waits a second") {
    const Site site;
    for (int death = 0; death < 4; ++death)
        CHECK(site.ask("crash").empty());
    CHECK(site.ask("generation") == "5");
    const auto before = std::chrono::steady_clock::now();
    CHECK(site.ask("crash").empty());
    CHECK(site.ask("generation") == "6");
    CHECK(std::chrono::steady_clock::now() - before >= 900ms);
}

TEST_CASE("the islands of a server that dies are killed") {
    const Site site;
    const auto island = static_cast<pid_t>(
        std::stol(site.ask("sh trap '' TERM; sleep 100 & while :; do sleep 0.01; done")));
    REQUIRE(alive(island));
    CHECK(site.ask("crash").empty());
    CHECK(eventually([&] { return !alive(island); }));
    CHECK(eventually([&] { return childrenOf(site.keeper.pid()).size() == 1; }));
    CHECK(site.ask("status").find(" 1 0 ") != std::string::npos);
}

TEST_CASE("SIGTERM lets the server finish what it has begun, and the keeper exits with 0") {
    Site site;
    const auto server = site.serverPid();
    const Fd slow = site.connectTo(site.port());
    REQUIRE(::send(slow.get(), "sleep 3000\n", 11, 0) == 11);
    site.ask("pid"); // the one before has been read
    site.signal(SIGTERM);
    CHECK(eventually([&] { return !site.connectTo(site.port()); }));
    pollfd answered{slow.get(), POLLIN, 0};
    CHECK(::poll(&answered, 1, 0) == 0); // nobody new comes in while the old ones are served
    CHECK(readAll(slow.get()) == "slept\n");
    CHECK(site.keeper.exitCode() == 0);
    CHECK_FALSE(alive(server));
}

TEST_CASE("nothing is left after a stop: groups, sessions of their own, orphans") {
    Site site;
    std::vector<pid_t> pids{site.serverPid()};
    for (const char* script :
         {"sh exec sleep 100", "sh trap '' TERM; while :; do sleep 0.01; done"})
        pids.push_back(static_cast<pid_t>(std::stol(site.ask(script))));
    const Scratch scratch;
    const auto note = scratch / "pid";
    site.ask("sh setsid sh -c 'echo $$ > " + note + "; exec sleep 100' & sleep 0.1");
    pid_t escaped = 0;
    REQUIRE(eventually([&] { return bool(std::ifstream(note) >> escaped); }));
    pids.push_back(escaped);
    for (const auto pid : pids)
        CHECK(alive(pid));
    site.signal(SIGTERM);
    CHECK(site.keeper.exitCode() == 0);
    for (const auto pid : pids)
        CHECK_FALSE(alive(pid));
}

TEST_CASE("a server that does not stop is killed when the grace is over") {
    Site site({"behave=deaf", "drain=300"});
    const auto server = site.serverPid();
    const auto before = std::chrono::steady_clock::now();
    site.signal(SIGTERM);
    CHECK(site.keeper.exitCode() == 1);
    CHECK(std::chrono::steady_clock::now() - before >= 300ms);
    CHECK_FALSE(alive(server));
}

TEST_CASE("a second SIGINT does not wait") {
    Site site({"behave=deaf", "drain=600000"});
    site.signal(SIGINT);
    std::this_thread::sleep_for(50ms);
    CHECK(alive(site.keeper.pid()));
    site.signal(SIGINT);
    CHECK(site.keeper.exitCode() == 1);
}

TEST_CASE("SIGHUP reaches the server as a wish to reload") {
    const Site site;
    CHECK(site.ask("reloads") == "0");
    site.signal(SIGHUP);
    CHECK(eventually([&] { return site.ask("reloads") == "1"; }));
    CHECK(site.ask("generation") == "1");
}

TEST_CASE("the server may ask for the end of everything") {
    Site site;
    CHECK(site.ask("quit") == "ok");
    CHECK(site.keeper.exitCode() == 0);
}

TEST_CASE(
    "a server that exits before it was ready is not started again: its code is the keeper's") {
    Site refused({"refuse=78"});
    CHECK(refused.keeper.exitCode() == 78);
    CHECK(refused.port().empty());
}

TEST_CASE("a server that is killed before it was ready is started again") {
    OwnChild keeper(startHelper({"keeper", "behave=die"}, 1, -1));
    std::set<pid_t> servers;
    CHECK(eventually([&] {
        for (const pid_t server : childrenOf(keeper.pid()))
            servers.insert(server);
        return servers.size() >= 2;
    }));
    ::kill(keeper.pid(), SIGTERM);
    CHECK(keeper.wait() != -1); // 0, or 1 when it met a server on its way down
}

TEST_CASE("the server gets more listeners from the keeper, and they survive it") {
    const Site site;
    const auto address = site.ask("listen 127.0.0.1:0");
    REQUIRE(address.starts_with("127.0.0.1:"));
    const auto port = address.substr(address.rfind(':') + 1);
    CHECK(Site::answerOn(site.connectTo(port), "generation") == "1");
    CHECK(site.ask("crash").empty());
    CHECK(Site::answerOn(site.connectTo(port), "generation") == "2");
    CHECK(site.ask("listen 127.0.0.1:" + site.port()).starts_with("127.0.0.1:")); // has it already
    const auto noSuchAddress = std::generic_category().message(EADDRNOTAVAIL);
    CHECK(site.ask("listen 192.0.2.1:1") == noSuchAddress);
    if (::geteuid() == 0) CHECK(site.ask("listen unix:/tmp/atoll-never") == "not supported");
}

TEST_CASE("kill -9 of the keeper takes everything with it") {
    Site site;
    const auto server = site.serverPid();
    const auto island =
        static_cast<pid_t>(std::stol(site.ask("sh trap '' TERM; sleep 100; sleep 100")));
    const Scratch scratch;
    const auto note = scratch / "pid";
    site.ask("sh sleep 100 & echo $! > " + note + "; wait");
    pid_t grandchild = 0;
    REQUIRE(eventually([&] { return bool(std::ifstream(note) >> grandchild); }));
    site.signal(SIGKILL);
    site.keeper.wait();
    CHECK(eventually([&] { return !alive(server) && !alive(island) && !alive(grandchild); }));
}

TEST_CASE("a keeper that is not root does all of this but changing users") {
    if (!process::maySwitchIdentity()) return; // then every other test here has shown it
    const Scratch scratch;
    const auto program = scratch / "helper";
    std::filesystem::copy_file(PROCESS_HELPER, program);
    const process::Identity nobody{65534, 65534, {65534}, "nobody"};
    Site site({}, program.c_str(), &nobody);
    const auto island = static_cast<pid_t>(std::stol(site.ask("sh exec sleep 100")));
    CHECK(alive(island));
    CHECK(site.ask("crash").empty());
    CHECK(site.ask("generation") == "2");
    CHECK(eventually([&] { return !alive(island); }));
    site.signal(SIGTERM);
    CHECK(site.keeper.exitCode() == 0);
}
