#include "pageviews/captured_log.h"
#include "serve/served_connection.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace std::chrono_literals;
using namespace std::string_literals;
using pageviews::test::CapturedLog;
using test::kGet;

namespace {

/// Answers who speaks to whom.
Task<http::Handled> tellEnds(http::Request& request, http::ResponseSink& sink) {
    const http::Endpoints& ends = *request.endpoints;
    const auto text = std::string(ends.secure ? "https " : "http ") +
                      std::string(ends.remoteAddress) + " " + std::to_string(ends.remotePort) +
                      " to " + std::string(ends.localAddress) + " " +
                      std::to_string(ends.localPort) + " at " + std::string(request.host) + "!";
    const http::ResponseHead head(*request.arena);
    const auto kept = request.arena->copy(text);
    if (!co_await http::sendPiece(sink, head, bytesOf(kept)))
        co_return http::failClient(Error::peerClosed);
    co_return http::Handled{};
}

struct Fixture : test::ServedConnection {
    Fixture() { answers.answer = tellEnds; }

    /// The answer to a request with these fields.
    std::string ask(const std::string& fields = {}) {
        peer.send("GET /a HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n");
        const auto answer = peer.readUntil("!");
        return answer.substr(answer.find("\r\n\r\n") + 4);
    }

    void trust(const char* network) {
        settings.trustedProxies = {io::Network::parse(network).value()};
    }
};

const std::string kForwarded = "X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Proto: https\r\n";

} // namespace

TEST_CASE_METHOD(Fixture, "a PROXY header names the ends of the connection") {
    options.proxyProtocol = serve::ProxyProtocol::required;
    serve();
    SECTION("version 1, with the first request behind it") {
        peer.send("PROXY TCP4 203.0.113.9 198.51.100.1 4711 443\r\n" + std::string(kGet));
        CHECK(peer.readUntil("!").ends_with("http 203.0.113.9 4711 to 198.51.100.1 443 at h!"));
        CHECK(ask() == "http 203.0.113.9 4711 to 198.51.100.1 443 at h!"); // and the second
    }
    SECTION("version 2, in pieces") {
        const std::string bytes = "\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c"s +
                                  "\xcb\x00\x71\x09\xc6\x33\x64\x01\x12\x67\x00\x50"s;
        for (const char byte : bytes) {
            peer.send({&byte, 1});
            loop.post([] {});
            loop.turn();
        }
        CHECK(ask() == "http 203.0.113.9 4711 to 198.51.100.1 80 at h!");
    }
    SECTION("UNKNOWN: the connection's own") {
        peer.send("PROXY UNKNOWN\r\n");
        CHECK(ask() == "http 192.0.2.7 4711 to 127.0.0.1 80 at h!");
    }
}

TEST_CASE_METHOD(Fixture, "without the PROXY header that is required, a connection is closed") {
    const CapturedLog log;
    options.proxyProtocol = serve::ProxyProtocol::required;
    settings.headTimeout = 30ms;
    serve();
    SECTION("a request instead") {
        peer.send(kGet);
        CHECK(peer.readToEnd().empty());
        CHECK(log.count("192.0.2.7 was closed: no PROXY header") == 1);
    }
    SECTION("half of it") {
        peer.send("PROXY TCP4 203.0.113.9 ");
        CHECK(peer.readToEnd().empty());
        CHECK(log.count("its PROXY header never ended") == 1);
    }
    SECTION("nothing, as a check of health does") {
        peer.endWriting();
        CHECK(peer.readToEnd().empty());
        CHECK(log.text().empty());
    }
    CHECK(answers.handled.empty());
}

TEST_CASE_METHOD(Fixture, "where nobody asked for it, a PROXY header is a bad request") {
    serve();
    peer.send("PROXY TCP4 203.0.113.9 198.51.100.1 4711 443\r\n" + std::string(kGet));
    CHECK(peer.readToEnd().starts_with("HTTP/1.1 400 "));
}

TEST_CASE_METHOD(Fixture, "a trusted proxy speaks for its client, request by request") {
    trust("192.0.2.0/24");
    serve();
    CHECK(ask(kForwarded) == "https 203.0.113.9 0 to 127.0.0.1 80 at h!");
    CHECK(ask() == "http 192.0.2.7 4711 to 127.0.0.1 80 at h!");
    CHECK(ask("Forwarded: for=203.0.113.10;host=\"Example.ORG:8080\"\r\n") ==
          "http 203.0.113.10 0 to 127.0.0.1 80 at example.org!");
    CHECK(ask("Forwarded: for=203.0.113.10;host=\"a/b\"\r\n").ends_with(" at h!"));
}

TEST_CASE_METHOD(Fixture, "nobody else does") {
    SECTION("with other proxies trusted") {
        trust("10.0.0.0/8");
    }
    SECTION("with none trusted") {}
    SECTION("with unix sockets trusted, which this is not") {
        settings.trustUnixSockets = true;
    }
    serve();
    CHECK(ask(kForwarded) == "http 192.0.2.7 4711 to 127.0.0.1 80 at h!");
}

TEST_CASE_METHOD(Fixture, "over a unix socket a proxy is believed when the settings say so") {
    clientAddress = "unix:/run/proxy.sock";
    SECTION("they do") {
        settings.trustUnixSockets = true;
        serve();
        CHECK(ask(kForwarded) == "https 203.0.113.9 0 to 127.0.0.1 80 at h!");
        CHECK(ask() == "http  0 to 127.0.0.1 80 at h!");
    }
    SECTION("they do not") {
        serve();
        CHECK(ask(kForwarded) == "http  0 to 127.0.0.1 80 at h!");
    }
}

TEST_CASE_METHOD(Fixture, "behind a PROXY header it is the address in it that must be trusted") {
    options.proxyProtocol = serve::ProxyProtocol::required;
    SECTION("it is") {
        trust("10.0.0.0/8");
        serve();
        peer.send("PROXY TCP4 10.0.0.5 198.51.100.1 4711 443\r\n");
        CHECK(ask(kForwarded) == "https 203.0.113.9 0 to 198.51.100.1 443 at h!");
    }
    SECTION("the connection's own is not enough") {
        trust("192.0.2.0/24");
        serve();
        peer.send("PROXY TCP4 10.0.0.5 198.51.100.1 4711 443\r\n");
        CHECK(ask(kForwarded) == "http 10.0.0.5 4711 to 198.51.100.1 443 at h!");
    }
}

TEST_CASE_METHOD(Fixture, "trust is taken from the settings of the moment") {
    serve();
    CHECK(ask(kForwarded) == "http 192.0.2.7 4711 to 127.0.0.1 80 at h!");
    trust("192.0.2.0/24");
    context->settings = std::make_shared<const serve::Settings>(settings);
    CHECK(ask(kForwarded) == "https 203.0.113.9 0 to 127.0.0.1 80 at h!");
}
