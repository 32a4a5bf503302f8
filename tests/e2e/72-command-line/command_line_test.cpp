#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <Poco/JSON/Object.h>
#include <Poco/JSON/Parser.h>

#include <catch2/catch.hpp>
#include <regex>
#include <set>

using namespace reef::e2e;

namespace {

/// Commands that a text tells its reader to run: "./atoll serve site", "atoll stats".
std::set<std::string> commandsIn(const std::string& text) {
    static const std::regex kCommand("(?:\\./|`)atoll ([a-z]+)\\b");
    std::set<std::string> commands;
    for (std::sregex_iterator it(text.begin(), text.end(), kCommand), end; it != end; ++it)
        commands.insert((*it)[1]);
    return commands;
}

} // namespace

TEST_CASE("help names every command and option") {
    for (const auto& outcome : {runAtoll({"help"}), runAtoll({"--help"}), runAtoll({"-h"})}) {
        CHECK(outcome.clean());
        for (const char* word :
             {"serve", "init", "check", "status", "stop", "stats", "user", "passwd", "version",
              "--listen", "--panel", "--json", "Exit status", "the same as `atoll serve`"}) {
            INFO(word);
            CHECK(holds(outcome.out, word));
        }
        CHECK(outcome.err.empty());
    }
}

TEST_CASE("help of one command names its options") {
    for (const auto& outcome : {runAtoll({"help", "serve"}), runAtoll({"serve", "--help"})}) {
        CHECK(outcome.clean());
        CHECK(outcome.out.starts_with("Usage: atoll serve [DIR]"));
        CHECK(holds(outcome.out, "--listen ADDRESS"));
        CHECK_FALSE(holds(outcome.out, "--json"));
    }
}

TEST_CASE("version names the build and what is linked in") {
    for (const auto& outcome : {runAtoll({"version"}), runAtoll({"--version"}), runAtoll({"-v"})}) {
        CHECK(outcome.clean());
        CHECK(outcome.out.starts_with("Atoll "));
        for (const char* word : {"commit", "build", "POCO", "SQLite", "toml++"}) {
            INFO(word << " in\n" << outcome.out);
            CHECK(holds(outcome.out, word));
        }
    }
}

TEST_CASE("a command line that is not understood ends with 64 and a hint") {
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"dance"},
                                               {"--nonsense"},
                                               {"serve", "--daemon"},
                                               {"serve", "--pidfile=/tmp/x"},
                                               {"serve", "--umask=0"},
                                               {"serve", "--listen"},
                                               {"status", "--listen", ":80"},
                                               {"stop", "--json"},
                                               {"help", "dance"},
                                               {"user", "add"},
                                               {"init", "a", "b"}}) {
        INFO(arguments.front() << " ...");
        const auto outcome = runAtoll(arguments);
        INFO(outcome.out << outcome.err);
        CHECK(outcome.ending.code == 64);
        CHECK(outcome.err.starts_with("atoll: "));
        CHECK((holds(outcome.err, "atoll help") || holds(outcome.err, "usage: atoll")));
        CHECK(outcome.out.empty());
    }
    CHECK(holds(runAtoll({"statsu"}).err, "Did you mean `atoll status`?"));
}

TEST_CASE("what is typed wrong is answered with what would be right") {
    Site site;
    struct Case {
        std::vector<std::string> arguments;
        const char* said;
    };
    const Case cases[] = {
        {{"dance"}, "there is no command `dance`"},
        {{"serve", "a", "b"}, "usage: atoll serve"},
        {{"user"}, "usage: atoll user add NAME"},
        {{"user", "drop", "x"}, "atoll user add NAME"},
        {{"version", "x"}, "usage: atoll version"},
        {{"serve", "/no/such/directory"}, "/no/such/directory"},
        {{"serve", site.directory(), "--listen", "nonsense"}, "expected an address such as"},
        {{"serve", site.directory(), "--panel", "nonsense"}, "expected an address such as"},
        {{"serve", "--nonsense"}, "nonsense"},
        {{"status", site.directory()}, "no server runs"},
        {{"stop", site.directory()}, "no server runs"},
        {{"stats", site.directory()}, "no views were recorded yet"},
        {{"check", "/no/such/directory"}, "/no/such/directory"},
        {{"serve", "/etc/passwd"}, "/etc/passwd is no directory"},
        {{"passwd", "ghost", site.directory()}, "there is no account ghost"},
        {{"user", "add", "ada", site.directory()}, "the input ended before a password"},
        {{std::string("\x1b[2J")}, "there is no command"},
    };
    for (const Case& c : cases) {
        INFO(c.arguments.front());
        const auto outcome = runAtoll(c.arguments);
        INFO(outcome.out << outcome.err);
        CHECK_FALSE(outcome.clean());
        CHECK(outcome.ending.signal == 0);
        CHECK(holds(outcome.err, c.said));
        CHECK_FALSE(holds(outcome.err, "\x1b"));
        CHECK_FALSE(holds(outcome.err, "exception"));
    }
}

TEST_CASE("a port that is taken is named, with what to do") {
    Site site;
    Site other;
    Server server(site);
    const auto outcome = runAtoll({"serve", other.directory(), "--listen",
                                   "127.0.0.1:" + std::to_string(server.port()), "--panel", "off"});
    CHECK(outcome.ending.code == 1);
    CHECK(holds(outcome.err, "127.0.0.1:" + std::to_string(server.port())));
    CHECK(holds(outcome.err, "Another program has it"));
    CHECK(fetch(server.port(), "/").status == 200);
}

TEST_CASE("a site that is served already is not served twice") {
    Site site;
    site.document("index.html", "home");
    Server server(site);
    const auto outcome =
        runAtoll({"serve", site.directory(), "--listen", "127.0.0.1:0", "--panel", "off"});
    CHECK(outcome.ending.code == 1);
    CHECK(holds(outcome.err, "is served already"));
    CHECK(fetch(server.port(), "/").body == "home");
    CHECK(runAtoll({"status", site.directory()}).clean());
}

TEST_CASE("status tells how the running server fares") {
    Site site;
    Server server(site, Panel::on);
    const auto outcome = runAtoll({"status", "--json", site.directory()});
    INFO(outcome.out << outcome.err);
    REQUIRE(outcome.clean());
    const auto status = Poco::JSON::Parser().parse(outcome.out).extract<Poco::JSON::Object::Ptr>();
    CHECK(status->getValue<int>("pid") == server.serverPid());
    CHECK(status->getValue<int>("serverStarts") == 1);
    CHECK(status->getArray("sites")->getElement<std::string>(0) ==
          "http://127.0.0.1:" + std::to_string(server.port()) + "/");
    CHECK(status->getValue<std::string>("panel") ==
          "http://127.0.0.1:" + std::to_string(server.panelPort()) + "/");
    const auto text = runAtoll({"status", site.directory()});
    CHECK(text.clean());
    CHECK(holds(text.out, std::to_string(server.port())));
}

TEST_CASE("the control socket is closed to other users") {
    Site site;
    Server server(site);
    const auto mode = std::filesystem::status(site.data() / "atoll.sock").permissions();
    CHECK((mode & std::filesystem::perms(0077)) == std::filesystem::perms::none);
    const auto data = std::filesystem::status(site.data()).permissions();
    CHECK((data & std::filesystem::perms(0077)) == std::filesystem::perms::none);
}

TEST_CASE("check says which islands would be refused, and by which command that is mended") {
    Site site;
    site.island("closed.sh", "#!/bin/sh\n", 0644).island("open.sh", "#!/bin/sh\n", 0777);
    site.island("fine.sh", "#!/bin/sh\n").island("windows.sh", "#!/bin/sh\r\n");
    site.document("page.shtml", "<!--#include virtual=\"/cgi-bin/lost.sh\" -->\n<!--#dance -->");
    const auto outcome = runAtoll({"check", site.directory()});
    CHECK(outcome.ending.code == 2);
    CHECK(holds(outcome.err, "closed.sh is not executable: chmod +x"));
    CHECK(holds(outcome.err, "open.sh can be changed by others"));
    CHECK(holds(outcome.err, "windows.sh: its #! line ends in CR"));
    CHECK(holds(outcome.err, "page.shtml:1: include virtual"));
    CHECK(holds(outcome.err, "page.shtml:2: dance: unknown directive"));
    CHECK(holds(outcome.out, "faults: 5"));
    CHECK_FALSE(holds(outcome.err, "fine.sh"));
}

TEST_CASE("an account made before the first start is the server's to read") {
    Site site;
    const auto outcome = runAtoll({"user", "add", "ada", site.directory()}, "correct horse\n");
    INFO(outcome.err);
    REQUIRE(outcome.clean());
    const auto data = std::filesystem::status(site.data()).permissions();
    CHECK((data & std::filesystem::perms(0077)) == std::filesystem::perms::none);
    Server server(site, Panel::on);
    CHECK(server.setupTarget().empty()); // it has an account, and was able to see that
    CHECK_FALSE(holds(server.log(), "accounts.json"));
}

TEST_CASE("init hesitates before a directory that holds files") {
    Site site;
    site.document("mine.html", "mine");
    const auto refused = runAtoll({"init", site.directory()});
    CHECK(refused.ending.code == 1);
    CHECK(holds(refused.err, "--force"));
    CHECK_FALSE(std::filesystem::exists(site.directory() / "atoll.toml"));
    CHECK(runAtoll({"init", "--force", site.directory()}).clean());
    CHECK(readFile(site.documents() / "mine.html") == "mine");
}

TEST_CASE("several addresses are served, a unix socket among them") {
    Site site;
    site.document("index.html", "home");
    const auto socket = site.beside("site.sock").string();
    Server server(site, Panel::off, {"--listen", "unix:" + socket});
    CHECK(fetch(server.port(), "/").body == "home");
    const auto outcome =
        shell("curl -sS --max-time 20 --unix-socket " + socket + " http://localhost/");
    INFO(outcome.err);
    CHECK(outcome.out == "home");
}

TEST_CASE("every command that the README names exists") {
    const auto commands = commandsIn(readFile(std::string(ATOLL_SOURCE_DIR) + "/README.md"));
    CHECK(commands.size() >= 3);
    const auto help = runAtoll({"help"}).out;
    for (const std::string& command : commands) {
        INFO(command);
        CHECK((command == "help" || holds(help, "  atoll " + command)));
    }
}
