#include "serve/loop_server.h"

#include "base/log.h"
#include "base/text.h"
#include "io/sleep.h"

#include <sys/socket.h>

namespace reef::serve {

namespace {

constexpr io::Timeout kPauseWithoutDescriptors = std::chrono::milliseconds(50);

/// A listener for all addresses is reached at one of them: CGI wants to know which.
io::Address localEnd(int socket, const io::Address& listening) {
    if (listening.isUnix()) return listening;
    sockaddr_storage storage{};
    socklen_t length = sizeof storage;
    if (::getsockname(socket, reinterpret_cast<sockaddr*>(&storage), &length) != 0)
        return listening;
    return {reinterpret_cast<sockaddr*>(&storage), length};
}

} // namespace

/// Keeps a connection on the list of open ones for as long as its frame lives.
struct LoopServer::Listed {
    Listed(LoopServer& owner, Connection& connection)
        : server(owner), place(owner.open_.insert(owner.open_.end(), &connection)) {}
    ~Listed() {
        server.open_.erase(place);
        server.slackened_.pulse();
    }
    Listed(const Listed&) = delete;
    Listed& operator=(const Listed&) = delete;
    LoopServer& server;
    std::list<Connection*>::iterator place;
};

void LoopServer::addListener(Fd socket, const io::Address& local) {
    Gate& gate = gates_.emplace_back(context_.loop, std::move(socket), local);
    accepting_.start(acceptAll(gate));
}

void LoopServer::beginDraining() {
    context_.draining = true;
    accepting_.dropAll();
    gates_.clear();
    for (Connection* connection : open_)
        connection->endIfIdle();
}

Task<void> LoopServer::acceptAll(Gate& gate) {
    bool saidSo = false;
    for (;;) {
        while (open_.size() >= context_.settings.maxConnections)
            co_await slackened_.wait();
        auto accepted = co_await gate.listener.accept();
        if (accepted) {
            saidSo = false;
            const io::Address local = localEnd(accepted->socket.get(), gate.local);
            connections_.start(serve(std::move(accepted->socket), accepted->peer, local));
            continue;
        }
        // Out of descriptors or memory: serve those we have, and come back (the backlog keeps the
        // rest).
        if (!std::exchange(saidSo, true))
            log::warning("serve", text::concat("cannot accept: ", accepted.error().describe()));
        co_await io::Sleep(context_.loop, kPauseWithoutDescriptors);
    }
}

Task<void> LoopServer::serve(Fd socket, io::Address peer, io::Address local) {
    Connection connection(context_, std::move(socket), peer, local);
    const Listed listed(*this, connection);
    co_await connection.run();
}

} // namespace reef::serve
