#include "app/config.h"
#include "scratch.h"

#include <catch2/catch.hpp>

using namespace reef::app;

namespace {

std::string errorsOf(const std::string& text) {
    const auto config = parseConfig(text, "atoll.toml", "/srv/site");
    if (config) return "(right)";
    std::string all;
    for (const ConfigError& error : config.error())
        all += error.describe() + "\n";
    return all;
}

Config parsed(const std::string& text) {
    return parseConfig(text, "atoll.toml", "/srv/site").value();
}

} // namespace

TEST_CASE("without a file the conventions hold") {
    const auto config = parsed("");
    CHECK(config.listen.empty());
    REQUIRE(config.panel);
    CHECK(config.panel->describe() == "127.0.0.1:8081");
    CHECK(config.pageviews);
    CHECK(config.islands.admission.running == 64);
    CHECK(config.islands.admission.perClient == 32);
    CHECK(config.islands.rules.timeout == std::chrono::seconds(60));
    CHECK_FALSE(config.accessLog);
    REQUIRE(config.sites.size() == 1);
    CHECK(config.sites[0].hosts.empty());
    CHECK(config.sites[0].documents == "/srv/site/www");
    CHECK(config.sites[0].islands == "/srv/site/cgi-bin");
    CHECK(config.pageviewFile() == "/srv/site/data/pageviews.db");
}

TEST_CASE("settings are taken as they are written") {
    const auto config = parsed("listen = [\"127.0.0.1:1\", \"[::1]:2\", \":3\", \"unix:/run/x\"]\n"
                               "panel = \"127.0.0.1:9\"\nssi = false\npageviews = false\n"
                               "max_islands = 7\nisland_timeout = \"1500ms\"\n");
    REQUIRE(config.listen.size() == 4);
    CHECK(config.listen[0].address.describe() == "127.0.0.1:1");
    CHECK(config.listen[1].address.describe() == "[::1]:2");
    CHECK(config.listen[3].address.isUnix());
    CHECK(config.panel->port() == 9);
    CHECK(config.sites[0].conduct.ssi == false);
    CHECK_FALSE(config.pageviews);
    CHECK(config.islands.admission.running == 7);
    CHECK(config.islands.rules.timeout == std::chrono::milliseconds(1500));
}

TEST_CASE("limits of islands hold for the machine, for a client, for a site and for a route") {
    const auto config = parsed("max_islands = 7\nisland_queue = 0\nisland_queue_timeout = \"2s\"\n"
                               "[[route]]\npath = \"/cgi-bin/slow.pl\"\nmax_islands = 1\n"
                               "[[site]]\nhosts = \"a\"\nislands = \"/tmp\"\nmax_islands = 3\n");
    CHECK(config.islands.admission.running == 7);
    CHECK(config.islands.admission.perClient == 4); // one client leaves others their part
    CHECK(config.islands.admission.waiting == 0);
    CHECK(config.islands.admission.patience == std::chrono::seconds(2));
    REQUIRE(config.sites.size() == 2);
    CHECK(config.sites[0].conduct.islands == nullptr);
    CHECK(config.sites[0].routes[0].conduct.islands->most == 1);
    CHECK(config.sites[1].conduct.islands->most == 3);
    CHECK(parsed("max_islands_per_client = 0\n").islands.admission.perClient == 0);
    CHECK(errorsOf("[[route]]\nmax_islands = 0\n").find("from 1 to 10000") != std::string::npos);
}

TEST_CASE("one address needs no list, and the panel may be off") {
    CHECK(parsed("listen = \":80\"\n").listen.size() == 1);
    CHECK_FALSE(parsed("panel = false\n").panel);
    CHECK_FALSE(parsed("panel = \"off\"\n").panel);
    const auto proxied = parsed("listen = [{ address = \":81\", proxy_protocol = true }]\n");
    REQUIRE(proxied.listen.size() == 1);
    CHECK(proxied.listen[0].proxyProtocol);
}

TEST_CASE("errors name place, and what was expected, all at once and in order") {
    CHECK(errorsOf("ssi = 1\n") == "atoll.toml:1:7: `ssi`: expected true or false\n");
    const auto several = errorsOf("\nlisten = \"x\"\nmax_islands = 0\n");
    CHECK(several.starts_with("atoll.toml:2:10: `listen`: expected an address"));
    CHECK(several.find("atoll.toml:3:15: `max_islands`: expected a number from 1 to 10000") !=
          std::string::npos);
    CHECK(errorsOf("ssi = \n").starts_with("atoll.toml:1:"));
}

TEST_CASE("an unknown key gives the one that was meant, or all there are") {
    CHECK(errorsOf("lisen = \":80\"\n") ==
          "atoll.toml:1:1: unknown key `lisen`; did you mean `listen`?\n");
    const auto unknown = errorsOf("wombat = 1\n");
    CHECK(unknown.find("unknown key `wombat`; expected one of listen, panel") != std::string::npos);
    CHECK(errorsOf("[limits]\nhaed = \"1KB\"\n") ==
          "atoll.toml:2:1: unknown key `haed` in [limits]; did you mean `head`?\n");
}

TEST_CASE("limits and times reach the server's settings") {
    const auto config =
        parsed("trusted_proxies = [\"10.0.0.0/8\", \"unix\"]\nrequest_id = true\n"
               "[limits]\nhead = \"16KB\"\nbody = \"1GB\"\nconnections = 9\n"
               "connections_per_client = 3\nreceive_rate = \"1KB\"\nsend_rate = \"0\"\n"
               "[timeouts]\nhead = \"1s\"\nbody = \"2s\"\nsend = \"3s\"\nidle = \"4s\"\n"
               "request = \"5m\"\n");
    const auto& serve = config.serve;
    CHECK(serve.trustedProxies.size() == 1);
    CHECK(serve.trustUnixSockets);
    CHECK(serve.requestIdField);
    CHECK(serve.head.head == 16'384);
    CHECK(serve.maxBody == 1ULL << 30U);
    CHECK(serve.maxConnections == 9);
    CHECK(serve.maxConnectionsPerAddress == 3);
    CHECK(serve.receiveRate.bytesPerSecond == 1024);
    CHECK(serve.sendRate.bytesPerSecond == 0);
    CHECK(serve.headTimeout == std::chrono::seconds(1));
    CHECK(serve.bodyTimeout == std::chrono::seconds(2));
    CHECK(serve.sendTimeout == std::chrono::seconds(3));
    CHECK(serve.idleTimeout == std::chrono::seconds(4));
    CHECK(serve.totalTimeout == std::chrono::minutes(5));
}

TEST_CASE("an access log is a name, or a table; its format is checked") {
    CHECK(parsed("access_log = \"log/a\"\n").accessLog->file == "/srv/site/log/a");
    CHECK(parsed("access_log = true\n").accessLog->file == "/srv/site/data/access.log");
    CHECK_FALSE(parsed("access_log = false\n").accessLog);
    const auto whole = parsed("access_log = { file = \"/var/log/a\", format = \"json\", max_size = "
                              "\"10MB\", keep = 3 }\n");
    CHECK(whole.accessLog->file == "/var/log/a");
    CHECK(whole.accessLog->format == "json");
    CHECK(whole.accessLog->maxBytes == 10U << 20U);
    CHECK(whole.accessLog->keep == 3);
    CHECK(errorsOf("access_log = { format = \"%h %Z\" }\n").find("`format`") != std::string::npos);
}

TEST_CASE("a missing file is no error, an unreadable directory is") {
    reef::test::Scratch scratch;
    CHECK(readConfig(scratch.path().string()));
    CHECK(readConfig(scratch.path().string() + "/.")->directory ==
          std::filesystem::canonical(scratch.path()).string());
    const auto missing = readConfig("/no/such/directory");
    REQUIRE_FALSE(missing);
    CHECK(missing.error().front().describe().find("/no/such/directory") != std::string::npos);
    std::filesystem::create_directory(scratch.path() / "atoll.toml");
    CHECK_FALSE(readConfig(scratch.path().string()));
}

TEST_CASE("how pages are read is set for a site and for a route") {
    const auto config = parsed("ssi_dialect = \"nginx\"\nxbithack = \"full\"\n[[route]]\n"
                               "path = \"/a\"\nssi_dialect = \"apache-legacy\"\nssi_exec = true\n");
    const auto& first = config.sites[0];
    CHECK(first.conduct.ssiDialect == reef::compose::Dialect::nginx);
    CHECK(first.conduct.xBitHack == reef::site::XBitHack::full);
    CHECK_FALSE(first.conduct.ssiExec);
    CHECK(first.routes[0].conduct.ssiDialect == reef::compose::Dialect::apacheLegacy);
    CHECK(first.routes[0].conduct.ssiExec == true);
    CHECK_FALSE(first.routes[0].conduct.xBitHack);
}
