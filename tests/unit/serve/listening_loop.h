#pragma once

#include "serve/loop_server.h"
#include "serve/peer.h"

#include <fcntl.h>
#include <netinet/in.h>

#include <catch2/catch.hpp>
#include <optional>

namespace reef::test {

/// A loop that serves a port of 127.0.0.1, turned by hand, and connections to it.
struct ListeningLoop {
    ~ListeningLoop() { loop.tasks().dropAll(); }

    void listen() {
        server.emplace(loop, settings, answers, records);
        auto socket = io::listenAt(io::Address::parse("127.0.0.1:0").value()).value();
        socklen_t length = sizeof address;
        REQUIRE(::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &length) == 0);
        server->addListener(std::move(socket), local());
    }

    io::Address local() const {
        return {reinterpret_cast<const sockaddr*>(&address), sizeof address};
    }

    /// In the queue of the listener when it returns. No descriptor: nobody listens.
    Fd connect() const {
        Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        REQUIRE(socket);
        const auto* peer = reinterpret_cast<const sockaddr*>(&address);
        if (::connect(socket.get(), peer, sizeof address) != 0) return Fd();
        ::fcntl(socket.get(), F_SETFL, O_NONBLOCK);
        return socket;
    }

    io::Loop loop;
    serve::Settings settings;
    Answers answers;
    Records records;
    std::optional<serve::LoopServer> server;
    sockaddr_in address{};
};

} // namespace reef::test
