#include "serve/loop_server.h"

#include "base/log.h"
#include "base/text.h"
#include "coro/race.h"
#include "io/sleep.h"

#include <sys/socket.h>

#include <new>

namespace reef::serve {

namespace {

constexpr io::Timeout kPause = std::chrono::milliseconds(50);

/// A client that has kept us waiting for so long makes room for another, when there is none.
constexpr io::Timeout kPatience = std::chrono::seconds(1);
constexpr std::size_t kEndedAtOnce = 32; // in each pause

constexpr io::Timeout kTimeForHead = std::chrono::seconds(1); // while the server drains

Task<void> waitForEnd(coro::Event& ended) {
    co_await ended.wait();
}

Task<void> pause(io::Loop& loop) {
    co_await io::Sleep(loop, kPause);
}

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

void LoopServer::useSettings(std::shared_ptr<const Settings> settings) {
    // A copy for this loop: no other thread touches its counter.
    context_.settings = std::make_shared<const Settings>(*settings);
    slackened_.pulse(); // there may be room for more
}

void LoopServer::addListener(Fd socket, const io::Address& local, ListenerOptions options) {
    Gate& gate = gates_.emplace_back(context_.loop, std::move(socket), local, options);
    gate.accepting.start(keepAccepting(gate));
}

bool LoopServer::removeListener(const io::Address& local) {
    return gates_.remove_if([&](Gate& gate) {
        if (gate.local.describe() != local.describe()) return false;
        takeQueue(gate);
        return true;
    }) != 0;
}

void LoopServer::beginDraining() {
    context_.draining = true;
    for (Connection* connection : open_)
        connection->endIfIdle();
    for (Gate& gate : gates_)
        takeQueue(gate);
    gates_.clear();
    ending_.start(endLateHeads());
}

/// Half a head is no request yet.
Task<void> LoopServer::endLateHeads() {
    co_await io::Sleep(context_.loop, kTimeForHead);
    for (Connection* connection : open_)
        connection->endIfWaitingFor(kTimeForHead);
}

/// The kernel resets what is in the queue of a listener that is closed, and those clients have been
/// told that they are connected.
void LoopServer::takeQueue(Gate& gate) {
    while (open_.size() < context_.settings->maxConnections) {
        auto accepted = gate.listener.acceptNow();
        if (!accepted) return;
        admit(gate, std::move(*accepted));
    }
}

void LoopServer::admit(Gate& gate, io::Accepted accepted) {
    const io::Address local = localEnd(accepted.socket.get(), gate.local);
    connections_.start(serve(std::move(accepted.socket), accepted.peer, local, gate.options));
}

/// Whatever happens to one client, the next is accepted: a moment without memory ends no listener.
Task<void> LoopServer::keepAccepting(Gate& gate) {
    for (;;) {
        try {
            co_await acceptAll(gate);
        } catch (const std::bad_alloc&) {
            log::warning("serve", "out of memory: clients wait");
        }
        co_await io::Sleep(context_.loop, kPause);
    }
}

Task<void> LoopServer::acceptAll(Gate& gate) {
    bool saidSo = false;
    for (;;) {
        co_await waitForRoom();
        auto accepted = co_await gate.listener.accept();
        bool short_ = !accepted;
        if (accepted) {
            short_ = reserve_.holds(accepted->socket.get());
            admit(gate, std::move(*accepted));
        }
        if (!short_) {
            saidSo = false;
            continue;
        }
        if (!std::exchange(saidSo, true))
            log::warning("serve", text::concat("clients wait, since descriptors are short (raise "
                                               "the limit of open files): ",
                                               accepted ? Error(Error::unavailable).describe()
                                                        : accepted.error().describe()));
        co_await waitForDescriptors();
    }
}

/// Waits while there are as many connections as may be.
Task<void> LoopServer::waitForRoom() {
    while (open_.size() >= context_.settings->maxConnections) {
        makeRoom();
        co_await coro::race(waitForEnd(slackened_), pause(context_.loop));
    }
}

/// Waits until the reserve is whole again. Islands and files give descriptors back too, and tell
/// nobody: hence the pause.
Task<void> LoopServer::waitForDescriptors() {
    do {
        makeRoom();
        co_await io::Sleep(context_.loop, kPause);
    } while (reserve_.isTouched());
}

/// Ends some connections that have nothing to do. The others find room when they are gone.
void LoopServer::makeRoom() noexcept {
    std::size_t ended = 0;
    for (Connection* connection : open_) {
        if (connection->endIfWaitingFor(kPatience) && ++ended == kEndedAtOnce) break;
    }
}

Task<void> LoopServer::serve(Fd socket, io::Address peer, io::Address local,
                             ListenerOptions options) {
    Connection connection(context_, std::move(socket), peer, local, options);
    const Listed listed(*this, connection);
    co_await connection.run();
}

} // namespace reef::serve
