#pragma once

#include "serve/connection.h"
#include "serve/peer.h"

#include <optional>

namespace reef::test {

inline constexpr std::string_view kGet = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n";

inline Task<http::Handled> sayHello(http::Request& request, http::ResponseSink& sink) {
    http::ResponseHead head(*request.arena);
    head.fields.add("Content-Type", "text/plain");
    if (!co_await http::sendPiece(sink, head, bytesOf("hello")))
        co_return http::failClient(Error::peerClosed);
    co_return http::Handled{};
}

/// A connection that is served on the loop until it ends.
struct ServedConnection {
    ServedConnection() : peer(loop, std::move(pair.one)) { answers.answer = sayHello; }
    ~ServedConnection() { loop.tasks().dropAll(); }

    void serve() {
        context.emplace(loop, settings, answers, records);
        loop.tasks().start(run());
    }

    Task<void> run() {
        const auto local = io::Address::parse("127.0.0.1:80").value();
        const auto client = io::Address::parse(clientAddress).value();
        serve::Connection connection(*context, std::move(pair.two), client, local, options);
        open = &connection;
        co_await connection.run();
        open = nullptr;
    }

    bool ended() const { return open == nullptr; }

    io::Loop loop;
    SocketPair pair;
    Peer peer;
    serve::Settings settings;
    serve::ListenerOptions options;
    std::string clientAddress = "192.0.2.7:4711";
    Answers answers;
    Records records;
    std::optional<serve::ConnectionContext> context;
    serve::Connection* open = nullptr;
};

} // namespace reef::test
