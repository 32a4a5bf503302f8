#pragma once

#include "base/fd.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

// The bare loop behind both limit servers: one thread, edge-triggered epoll, one `recv` and one
// `send` for each request. It parses nothing: whatever one `recv` brings counts as one request,
// which holds for a load generator that does not pipeline. Anything unexpected closes the
// connection, so the load generator reports it as an error. For measuring only; it never ends by
// itself.
namespace reef::bench {

/// Prints `what` with errno's text and ends the program.
[[noreturn]] inline void die(const char* what) {
    std::perror(what);
    std::exit(1);
}

/// Listens on 127.0.0.1:`port`, non-blocking, with the backlog the peers get.
inline Fd listenOnLoopback(std::uint16_t port) {
    Fd listener(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    const int on = 1;
    ::setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        die("bind");
    if (::listen(listener.get(), 4096) != 0) die("listen");
    return listener;
}

/// Serves every connection of `listener`. `Answer` is called as `std::string_view answer()` once
/// for each request and returns the complete response, valid until the next call.
template<class Answer>
class BareLoop {
public:
    BareLoop(Fd listener, Answer answer)
        : listener_(std::move(listener)), answer_(std::move(answer)),
          epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
        watch(listener_.get(), EPOLLIN);
    }

    [[noreturn]] void run() {
        std::array<epoll_event, 256> events{};
        for (;;) {
            const int ready = ::epoll_wait(epoll_.get(), events.data(), events.size(), -1);
            for (int i = 0; i < ready; ++i) {
                const int descriptor = events[static_cast<std::size_t>(i)].data.fd;
                if (descriptor == listener_.get())
                    acceptAll();
                else
                    answerOne(descriptor);
            }
        }
    }

private:
    void watch(int descriptor, std::uint32_t interest) {
        epoll_event event{};
        event.events = interest;
        event.data.fd = descriptor;
        if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &event) != 0) die("epoll_ctl");
    }

    void acceptAll() {
        for (;;) {
            Fd client(::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
            if (!client) return;
            const int on = 1;
            ::setsockopt(client.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            const auto slot = static_cast<std::size_t>(client.get());
            if (slot >= clients_.size()) clients_.resize(slot + 1);
            watch(client.get(), EPOLLIN | EPOLLET);
            clients_[slot] = std::move(client);
        }
    }

    void answerOne(int client) {
        std::array<char, 4096> request;
        const auto received = ::recv(client, request.data(), request.size(), 0);
        if (received <= 0) return clients_[static_cast<std::size_t>(client)].reset();
        const std::string_view response = answer_();
        const auto sent = ::send(client, response.data(), response.size(), MSG_NOSIGNAL);
        if (sent != static_cast<ssize_t>(response.size()))
            clients_[static_cast<std::size_t>(client)].reset();
    }

    Fd listener_;
    Answer answer_;
    Fd epoll_;
    std::vector<Fd> clients_; // indexed by descriptor
};

/// The port in `text`, or the end of the program.
inline std::uint16_t portFrom(const char* text) {
    const long port = std::strtol(text, nullptr, 10);
    if (port < 1 || port > 65535) {
        std::fprintf(stderr, "not a port: %s\n", text);
        std::exit(2);
    }
    return static_cast<std::uint16_t>(port);
}

} // namespace reef::bench
