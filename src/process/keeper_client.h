#pragma once

#include "base/fd.h"
#include "base/result.h"
#include "coro/event.h"
#include "coro/scope.h"
#include "io/loop.h"
#include "io/packet.h"
#include "process/exit.h"
#include "process/outbox.h"
#include "process/protocol.h"
#include "process/spawn_request.h"
#include "process/start_failure.h"

#include <sys/types.h>

#include <chrono>
#include <coroutine>
#include <memory>
#include <vector>

namespace reef::process {

class Child;

/// Starts processes through the keeper, for one event loop over one link. It must outlive its
/// children and awaiters, and the loop must outlive it. Used on the loop's thread alone.
class KeeperClient {
public:
    class SpawnAwaiter;
    class ExitAwaiter;

    /// `link` is one of Inheritance::links. Throws std::system_error when epoll refuses it.
    KeeperClient(io::Loop& loop, Fd link);
    ~KeeperClient();
    KeeperClient(const KeeperClient&) = delete;
    KeeperClient& operator=(const KeeperClient&) = delete;

    /// `StartResult<Child> child = co_await client.spawn(std::move(request));`
    ///
    /// The request is on its way when this returns, before the await: descriptors it owns are
    /// closed here, those it was lent are used no more. An awaiter that is dropped ends the process
    /// as a dropped Child does. Failures: what the keeper met, by step; `StartStep::request` when
    /// the request cannot be sent (EMFILE, E2BIG); `StartStep::keeper` when the keeper is gone.
    SpawnAwaiter spawn(SpawnRequest request);

    /// Set when the keeper is gone: nothing can be started any more, and what was running has been
    /// killed where this process may do so. The server's part is to exit.
    coro::Event& lost() noexcept { return lost_; }

    /// Processes that run, as far as this loop knows, and starts that were not answered yet.
    std::size_t running() const noexcept { return running_; }

private:
    friend class Child;
    struct Record;

    Record& newRecord();
    void retire(Record& record) noexcept;
    void letGo(Record& record) noexcept;
    void terminate(Record& record, std::chrono::milliseconds grace);
    StartResult<void> sendSpawn(const Record& record, SpawnRequest& request);
    Status send(ByteView bytes, std::span<const int> descriptors);
    Record* recordOf(std::uint32_t id) noexcept;
    Status apply(const LinkReply& reply);
    Status readReplies(ByteView packet);
    Task<void> receive();
    Task<void> drain();
    void lose() noexcept;

    io::PacketSocket socket_;
    Outbox outbox_;
    coro::Event outboxFilled_;
    coro::Event lost_;
    std::vector<std::unique_ptr<Record>> records_; // a record's id is its index
    std::vector<std::uint32_t> free_;
    std::size_t running_ = 0;
    std::string packet_;     // the request being encoded
    std::vector<char> room_; // the reply being read
    coro::Scope tasks_;      // last member: its tasks go first
};

/// A process that was started for us. Movable. Its destructor, when the process still runs, has it
/// ended by the keeper (TERM to its group, KILL after the request's grace), and never waits. Must
/// not outlive its client.
class Child {
public:
    Child() noexcept = default;
    Child(Child&& other) noexcept;
    Child& operator=(Child&& other) noexcept;
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child() { letGo(); }

    explicit operator bool() const noexcept { return record_ != nullptr; }

    /// Its process id, and the id of its process group.
    pid_t pid() const noexcept;

    /// Whether its end has not been reported yet.
    bool running() const noexcept;

    /// `Result<Exit> exit = co_await child.exited();` as often as wanted; the Child must stay where
    /// it is meanwhile. Error: unavailable when the keeper was lost, so that nobody knows.
    KeeperClient::ExitAwaiter exited() noexcept;

    /// TERM to its process group, KILL after the grace (at once when 0). Again with a shorter grace
    /// makes it shorter. Nothing when it has ended.
    void terminate(std::chrono::milliseconds grace);

private:
    friend class KeeperClient::SpawnAwaiter;
    Child(KeeperClient& client, KeeperClient::Record& record) noexcept
        : client_(&client), record_(&record) {}
    void letGo() noexcept;

    KeeperClient* client_ = nullptr;
    KeeperClient::Record* record_ = nullptr;
};

struct KeeperClient::Record {
    explicit Record(std::uint32_t number) noexcept : id(number) {}

    std::uint32_t id;
    bool free = true;   ///< neither held nor known to the keeper
    bool held = false;  ///< an awaiter or a Child refers to it
    bool ended = false; ///< no more will come from the keeper
    pid_t pid = 0;      ///< 0 until it has started
    std::chrono::milliseconds grace{};
    StartResult<void> start;
    Result<Exit> exit = fail(Error::unavailable);
    coro::Event startKnown;
    coro::Event exitKnown;
};

class [[nodiscard]] KeeperClient::SpawnAwaiter {
public:
    SpawnAwaiter(KeeperClient& client, Record& record) noexcept
        : child_(client, record), known_(record.startKnown) {}
    SpawnAwaiter(const SpawnAwaiter&) = delete;
    SpawnAwaiter& operator=(const SpawnAwaiter&) = delete;

    bool await_ready() const noexcept { return known_.await_ready(); }
    void await_suspend(std::coroutine_handle<> waiter) noexcept { known_.await_suspend(waiter); }
    StartResult<Child> await_resume() noexcept;

private:
    Child child_; // a dropped awaiter ends what it has started
    coro::Event::Awaiter known_;
};

class [[nodiscard]] KeeperClient::ExitAwaiter {
public:
    explicit ExitAwaiter(Record& record) noexcept : record_(record), known_(record.exitKnown) {}
    bool await_ready() const noexcept { return known_.await_ready(); }
    void await_suspend(std::coroutine_handle<> waiter) noexcept { known_.await_suspend(waiter); }
    Result<Exit> await_resume() const noexcept { return record_.exit; }

private:
    Record& record_;
    coro::Event::Awaiter known_;
};

} // namespace reef::process
