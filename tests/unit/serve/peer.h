#pragma once

#include "io/sockets.h"
#include "serve/connection.h"

#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace reef::test {

/// The client's end of a connection, driven by hand beside the loop.
class Peer {
public:
    Peer(io::Loop& loop, Fd socket) : loop_(loop), socket_(std::move(socket)) {}

    void send(std::string_view bytes) {
        while (!bytes.empty()) {
            const auto put = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (put > 0) {
                bytes.remove_prefix(static_cast<std::size_t>(put));
            } else {
                REQUIRE(errno == EAGAIN);
                loop_.post([] {});
                loop_.turn();
            }
        }
    }

    /// Reads until what was received holds `text`, and returns all of it up to that.
    std::string readUntil(std::string_view text) {
        runUntil(loop_, [&] {
            receive();
            return received_.find(text) != std::string::npos || ended_;
        });
        const auto found = received_.find(text);
        INFO(received_);
        REQUIRE(found != std::string::npos);
        std::string taken = received_.substr(0, found + text.size());
        received_.erase(0, taken.size());
        return taken;
    }

    /// Everything until the other end closes.
    std::string readToEnd() {
        runUntil(loop_, [&] {
            receive();
            return ended_;
        });
        return std::exchange(received_, {});
    }

    /// Sends, unless the other end is gone.
    void trySend(std::string_view bytes) {
        static_cast<void>(::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL));
    }

    /// Takes this much at most of what has arrived, and forgets it.
    void take(std::size_t bytes) {
        std::string room(bytes, '\0');
        static_cast<void>(::recv(socket_.get(), room.data(), room.size(), 0));
    }

    void endWriting() { ::shutdown(socket_.get(), SHUT_WR); }
    void close() { socket_ = Fd(); }

private:
    void receive() {
        char bytes[65536];
        for (;;) {
            const auto got = ::recv(socket_.get(), bytes, sizeof bytes, 0);
            if (got > 0) {
                received_.append(bytes, static_cast<std::size_t>(got));
                continue;
            }
            ended_ = ended_ || got == 0 || errno != EAGAIN;
            return;
        }
    }

    io::Loop& loop_;
    Fd socket_;
    std::string received_;
    bool ended_ = false;
};

/// Answers by the path of the request: whatever the test has put there.
class Answers final : public http::Handler {
public:
    using Answer = std::function<Task<http::Handled>(http::Request&, http::ResponseSink&)>;

    Task<http::Handled> handle(http::Request& request, http::ResponseSink& sink) override {
        handled.emplace_back(request.path);
        return answer(request, sink);
    }

    Answer answer;
    std::vector<std::string> handled;
};

/// What was told of each request.
class Records final : public serve::RequestLog {
public:
    void record(const serve::RequestRecord& record) noexcept override {
        lines.push_back(std::string(record.request->methodName) + " " +
                        std::string(record.request->target) + " " + std::to_string(record.status) +
                        (record.complete ? "" : " cut") + (record.clientLeft ? " left" : ""));
        details.emplace_back(record.detail);
        types.emplace_back(record.contentType);
        sent.push_back(record.sent);
        content.push_back(record.content);
        received.push_back(record.received);
        heads.emplace_back(textOf(record.head));
    }

    std::vector<std::string> lines;
    std::vector<std::string> details;
    std::vector<std::string> types;
    std::vector<ByteCount> sent;
    std::vector<ByteCount> content;
    std::vector<ByteCount> received;
    std::vector<std::string> heads;
};

} // namespace reef::test
