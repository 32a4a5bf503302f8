#include "serve/listening_loop.h"

#include <catch2/catch.hpp>

using namespace reef;

namespace {

constexpr std::string_view kGet = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n";

struct Fixture : test::ListeningLoop {
    Fixture() { answers.answer = tellPort; }

    static Task<http::Handled> tellPort(http::Request& request, http::ResponseSink& sink) {
        http::ResponseHead head(*request.arena);
        const auto text = std::string(request.endpoints->remoteAddress) + " to " +
                          std::string(request.endpoints->localAddress) + ":" +
                          std::to_string(request.endpoints->localPort) + "!";
        const auto kept = request.arena->copy(text);
        if (!co_await http::sendPiece(sink, head, bytesOf(kept)))
            co_return http::failClient(Error::peerClosed);
        co_return http::Handled{};
    }

    Task<void> drain() {
        server->beginDraining();
        co_await server->drained();
        drained = true;
    }

    bool drained = false;
};

} // namespace

TEST_CASE_METHOD(Fixture, "clients are accepted, and told apart by their ends") {
    listen();
    test::Peer one(loop, connect());
    test::Peer two(loop, connect());
    for (test::Peer* peer : {&one, &two}) {
        peer->send(kGet);
        CHECK(peer->readUntil("!").ends_with(
            "127.0.0.1 to 127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "!"));
    }
    CHECK(server->connections() == 2);
    one.close();
    test::runUntil(loop, [&] { return server->connections() == 1; });
}

TEST_CASE_METHOD(Fixture, "beyond the limit clients wait until another has gone") {
    settings.maxConnections = 1;
    listen();
    test::Peer one(loop, connect());
    one.send(kGet);
    one.readUntil("!");
    test::Peer two(loop, connect());
    two.send(kGet);
    for (int i = 0; i < 5; ++i) {
        loop.post([] {});
        loop.turn();
    }
    CHECK(server->connections() == 1);
    one.close();
    two.readUntil("!");
}

TEST_CASE_METHOD(Fixture, "draining takes no client more, ends idle ones, and waits for the rest") {
    coro::Event go;
    const auto waits = [&](http::Request& request,
                           http::ResponseSink& sink) -> Task<http::Handled> {
        if (request.path == "/slow") co_await go.wait();
        co_return co_await tellPort(request, sink);
    };
    answers.answer = waits;
    listen();
    test::Peer idle(loop, connect());
    idle.send(kGet);
    idle.readUntil("!");
    test::Peer busy(loop, connect());
    busy.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n");
    test::runUntil(loop, [&] { return answers.handled.size() == 2; });

    loop.tasks().start(drain());
    CHECK(idle.readToEnd().empty());
    CHECK_FALSE(drained);
    CHECK_FALSE(connect());
    go.set();
    CHECK(busy.readToEnd().ends_with("!"));
    test::runUntil(loop, [&] { return drained; });
    CHECK(server->connections() == 0);
}

TEST_CASE_METHOD(Fixture, "who waits in the queue is served when the server drains") {
    listen();
    test::Peer quick(loop, connect());
    quick.send(kGet);
    test::Peer late(loop, connect());
    test::Peer silent(loop, connect());
    loop.tasks().start(drain());
    late.send(kGet);
    CHECK(quick.readToEnd().ends_with("!"));
    CHECK(late.readToEnd().ends_with("!"));
    CHECK_FALSE(drained);
    CHECK(silent.readToEnd().empty());
    test::runUntil(loop, [&] { return drained; });
}

TEST_CASE_METHOD(Fixture, "destroyed with clients at work, it drops them") {
    coro::Event never;
    const auto waits = [&](http::Request&, http::ResponseSink&) -> Task<http::Handled> {
        co_await never.wait();
        co_return http::Handled{};
    };
    answers.answer = waits;
    listen();
    test::Peer peer(loop, connect());
    peer.send(kGet);
    test::runUntil(loop, [&] { return answers.handled.size() == 1; });
    server.reset();
    CHECK(peer.readToEnd().empty());
}

TEST_CASE_METHOD(Fixture, "a listener can be taken away while its connections stay") {
    listen();
    test::Peer one(loop, connect());
    one.send(kGet);
    one.readUntil("!");
    CHECK_FALSE(server->removeListener(io::Address::parse("127.0.0.1:1").value()));
    CHECK(server->removeListener(local()));
    CHECK_FALSE(server->removeListener(local()));
    CHECK_FALSE(connect());
    one.send(kGet);
    one.readUntil("!");
    CHECK(server->connections() == 1);
}

TEST_CASE_METHOD(Fixture, "who waits in the queue of a listener that is taken away is served") {
    listen();
    test::Peer one(loop, connect());
    one.send(kGet);
    CHECK(server->removeListener(local()));
    one.readUntil("!");
    one.send(kGet);
    one.readUntil("!");
}

TEST_CASE_METHOD(Fixture, "a client with more connections than it may have is turned away") {
    settings.maxConnectionsPerAddress = 2;
    SECTION("as a client") {
        listen();
        test::Peer one(loop, connect());
        test::Peer two(loop, connect());
        for (test::Peer* peer : {&one, &two}) {
            peer->send(kGet);
            peer->readUntil("!");
        }
        test::Peer three(loop, connect());
        CHECK(three.readToEnd().empty());
        one.close();
        test::runUntil(loop, [&] { return server->connections() == 1; });
        test::Peer four(loop, connect());
        four.send(kGet);
        four.readUntil("!");
    }
    SECTION("but not as a trusted proxy") {
        settings.trustedProxies = {io::Network::parse("127.0.0.0/8").value()};
        listen();
        std::list<test::Peer> peers;
        for (int i = 0; i < 5; ++i) {
            test::Peer& peer = peers.emplace_back(loop, connect());
            peer.send(kGet);
            peer.readUntil("!");
        }
        CHECK(server->connections() == 5);
    }
}

TEST_CASE_METHOD(Fixture, "the limit of connections can be raised while clients wait") {
    settings.maxConnections = 1;
    listen();
    test::Peer one(loop, connect());
    one.send(kGet);
    one.readUntil("!");
    test::Peer two(loop, connect());
    two.send(kGet);
    settings.maxConnections = 2;
    server->useSettings(std::make_shared<const serve::Settings>(settings));
    two.readUntil("!");
    CHECK(server->connections() == 2);
}

TEST_CASE_METHOD(Fixture, "at the limit, the connection that idles longest makes room") {
    settings.maxConnections = 2;
    listen();
    test::Peer idle(loop, connect());
    idle.send(kGet);
    idle.readUntil("!");
    test::Peer half(loop, connect());
    half.send("GET /a HT");
    test::Peer third(loop, connect());
    third.send(kGet);
    third.readUntil("!"); // after a second, not after the timeouts
    CHECK(idle.readToEnd().empty());
}

TEST_CASE_METHOD(Fixture, "two hundred clients that send their heads byte by byte harm nobody") {
    settings.headTimeout = std::chrono::milliseconds(400);
    listen();
    std::list<test::Peer> slow;
    for (int i = 0; i < 200; ++i)
        slow.emplace_back(loop, connect()).send("GET /a HTTP/1.1\r\nX-");
    test::Peer normal(loop, connect());
    for (int i = 0; i < 20; ++i) {
        for (test::Peer& peer : slow)
            peer.trySend("a");
        normal.send(kGet);
        normal.readUntil("!");
    }
    test::runUntil(loop, [&] {
        for (test::Peer& peer : slow)
            peer.trySend("b");
        return records.lines.size() == 220; // each was told that it was too slow
    });
    CHECK(slow.front().readToEnd().starts_with("HTTP/1.1 408 "));
    normal.send(kGet);
    normal.readUntil("!");
}
