#include "harness/command.h"
#include "harness/http_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <Poco/JSON/Object.h>
#include <Poco/JSON/Parser.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

using namespace reef::e2e;

namespace {

std::string contentOf(const std::string& file) {
    const std::ifstream stream(file);
    std::ostringstream content;
    content << stream.rdbuf();
    return content.str();
}

std::vector<std::string> linesOf(const std::string& file) {
    std::istringstream stream(contentOf(file));
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

std::string inData(const Site& site, const std::string& name) {
    return (site.data() / name).string();
}

std::string logAs(const std::string& file, const std::string& more = {}) {
    return "access_log = { file = \"data/" + file + "\"" + more + " }\n";
}

} // namespace

TEST_CASE("each request is a line of Apache's combined format") {
    Site site;
    site.document("x.txt", "four");
    site.config(logAs("access.log"));
    Server server(site);
    const auto url = "http://127.0.0.1:" + std::to_string(server.port());
    REQUIRE(run({"curl", "-sS", "-A", "a \"b\" \xc3\xa9", "-e", "http://from/", url + "/x.txt?q=1"})
                .clean());
    REQUIRE(run({"curl", "-sS", "-I", url + "/none"}).clean());
    server.stop();
    auto lines = linesOf(inData(site, "access.log"));
    REQUIRE(lines.size() == 2); // of a second: those of one loop, then those of the next
    if (!holds(lines[0], "GET")) std::swap(lines[0], lines[1]);
    INFO(lines[0]);
    CHECK(lines[0].starts_with("127.0.0.1 - - ["));
    CHECK(lines[0].ends_with("\"GET /x.txt?q=1 HTTP/1.1\" 200 4 \"http://from/\" "
                             "\"a \\\"b\\\" \\xc3\\xa9\""));
    CHECK(holds(lines[1], "\"HEAD /none HTTP/1.1\" 404 - \"-\""));
}

TEST_CASE("a JSON line, the answer and the island tell the same request id") {
    Site site;
    site.island("id.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n%s' \"$REQUEST_ID\"\n");
    site.config("request_id = true\n" + logAs("access.log", ", format = \"json\""));
    Server server(site);
    const auto answer = HttpClient(server.port()).get("/cgi-bin/id.sh");
    REQUIRE(answer.status == 200);
    CHECK(answer.field("X-Request-Id") == answer.body);
    server.stop();
    const auto lines = linesOf(inData(site, "access.log"));
    REQUIRE(lines.size() == 1);
    Poco::JSON::Parser parser;
    const auto object = parser.parse(lines[0]).extract<Poco::JSON::Object::Ptr>();
    CHECK(object->getValue<int>("status") == 200);
    CHECK(holds(lines[0], '"' + answer.body + '"'));
}

TEST_CASE("of requests that were answered before a stop no line is lost, in files of any size") {
    Site site;
    site.document("x.txt", "x");
    site.config(logAs("access.log", ", format = \"%U%q\", max_size = \"4KB\", keep = 1000"));
    Server server(site);
    constexpr int kClients = 8;
    constexpr int kRequests = 250;
    for (int client = 0; client != kClients; ++client) {
        HttpClient http(server.port());
        for (int i = 0; i != kRequests; ++i)
            http.get("/x.txt?" + std::to_string(client) + "." + std::to_string(i));
    }
    server.stop();
    std::set<std::string> lines;
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(site.data())) {
        if (!entry.path().filename().string().starts_with("access.log")) continue;
        ++files;
        CHECK(entry.file_size() <= 4096);
        for (const auto& line : linesOf(entry.path()))
            lines.insert(line);
    }
    CHECK(files > 5);
    CHECK(lines.size() == kClients * kRequests);
}

TEST_CASE("a reload opens a file that was moved away, changes to another one, and ends the log") {
    Site site;
    site.document("x.txt", "x");
    const auto file = [&](const char* name) { return inData(site, name); };
    const auto reload = [&] { REQUIRE(runAtoll({"reload", site.directory().string()}).clean()); };
    site.config(logAs("one.log", ", format = \"%U\""));
    Server server(site);
    HttpClient client(server.port());
    client.get("/x.txt");
    REQUIRE(eventually([&] { return contentOf(file("one.log")) == "/x.txt\n"; }));

    std::filesystem::rename(file("one.log"), file("one.log.old"));
    reload();
    client.get("/x.txt");
    CHECK(eventually([&] { return contentOf(file("one.log")) == "/x.txt\n"; }));
    CHECK(contentOf(file("one.log.old")) == "/x.txt\n");

    site.config(logAs("two.log", ", format = \"two %U\""));
    client.get("/x.txt");
    reload();
    client.get("/x.txt");
    CHECK(eventually([&] { return contentOf(file("two.log")) == "two /x.txt\n"; }));
    CHECK(eventually([&] { return contentOf(file("one.log")) == "/x.txt\n/x.txt\n"; }));

    site.config("");
    reload();
    client.get("/x.txt");
    site.config(logAs("three.log", ", format = \"three %U\""));
    reload();
    client.get("/x.txt");
    server.stop();
    CHECK(contentOf(file("two.log")) == "two /x.txt\n");
    CHECK(contentOf(file("three.log")) == "three /x.txt\n");
}

TEST_CASE("a log that cannot be written loses lines and nothing else, and says so") {
    Site site;
    site.document("x.txt", "x");
    site.config(logAs("missing/access.log", ", format = \"%U\""));
    Server server(site);
    HttpClient client(server.port());
    CHECK(client.get("/x.txt").body == "x");
    CHECK(server.awaitLog("cannot write " + inData(site, "missing/access.log")));
    std::filesystem::create_directory(inData(site, "missing"));
    std::filesystem::permissions(inData(site, "missing"), std::filesystem::perms::all);
    CHECK(client.get("/x.txt").body == "x");
    CHECK(server.awaitLog("is written again"));
    CHECK(eventually(
        [&] { return contentOf(inData(site, "missing/access.log")) == "/x.txt\n/x.txt\n"; }));
}
