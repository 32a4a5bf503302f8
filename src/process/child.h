#pragma once

#include "base/result.h"
#include "coro/event.h"
#include "process/exit.h"
#include "process/start_failure.h"

#include <sys/types.h>

#include <chrono>
#include <coroutine>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace reef::process {

/// What its owner knows of a process.
struct ChildRecord {
    explicit ChildRecord(std::uint32_t number) noexcept : id(number) {}

    std::uint32_t id;   ///< its index with the owner
    bool free = true;   ///< neither held nor known to who has started it
    bool held = false;  ///< an awaiter or a Child refers to it
    bool ended = false; ///< no more will be heard of it
    pid_t pid = 0;      ///< 0 until it has started
    std::chrono::milliseconds grace{};
    StartResult<void> start;
    Result<Exit> exit = fail(Error::unavailable);
    coro::Event startKnown;
    coro::Event exitKnown;
};

/// Who starts processes, and hears of their end: the keeper's client, a zygote. One thread; must
/// outlive its children and awaiters.
class ChildOwner {
public:
    ChildOwner() = default;
    ChildOwner(const ChildOwner&) = delete;
    ChildOwner& operator=(const ChildOwner&) = delete;

    /// Processes that run, as far as is known here, and starts that were not answered yet.
    std::size_t running() const noexcept { return running_; }

protected:
    ~ChildOwner() = default;

    /// A record that is held, and whose start is not known. `grace` is for when it is dropped.
    ChildRecord& newRecord(std::chrono::milliseconds grace);

    /// The record of a process that may still be heard of, or null.
    ChildRecord* recordOf(std::uint32_t id) noexcept;

    static void noteStart(ChildRecord& record, pid_t pid) noexcept;
    void noteFailure(ChildRecord& record, StartFailure why) noexcept;
    void noteExit(ChildRecord& record, const Result<Exit>& exit) noexcept;

    /// Whether a Child or an awaiter refers to one of the records.
    bool holdsAny() const noexcept;

    /// Every record of a process that may still be heard of.
    template<class Action>
    void forEachRunning(Action action) {
        for (const auto& record : records_)
            if (!record->free && !record->ended) action(*record);
    }

private:
    friend class Child;

    /// TERM to its group, KILL after the grace; of a process that has not ended. `mark` as in
    /// Child::endAll, or empty.
    virtual void terminate(ChildRecord& record, std::chrono::milliseconds grace,
                           std::string_view mark) = 0;

    void letGo(ChildRecord& record) noexcept;
    void noteEnd(ChildRecord& record) noexcept;
    void retire(ChildRecord& record) noexcept;

    std::vector<std::unique_ptr<ChildRecord>> records_; // a record's id is its index
    std::vector<std::uint32_t> free_;
    std::size_t running_ = 0;
};

/// `Result<Exit> exit = co_await child.exited();`
class [[nodiscard]] ExitAwaiter {
public:
    explicit ExitAwaiter(ChildRecord& record) noexcept
        : record_(record), known_(record.exitKnown) {}
    bool await_ready() const noexcept { return known_.await_ready(); }
    void await_suspend(std::coroutine_handle<> waiter) noexcept { known_.await_suspend(waiter); }
    Result<Exit> await_resume() const noexcept { return record_.exit; }

private:
    ChildRecord& record_;
    coro::Event::Awaiter known_;
};

/// A process that was started for us. Movable. Its destructor, when the process still runs, has it
/// ended by its owner (TERM to its group, KILL after the request's grace), and never waits. Must
/// not outlive its owner.
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

    /// As often as wanted; the Child must stay where it is meanwhile. Error: unavailable when its
    /// owner was lost, so that nobody knows.
    ExitAwaiter exited() noexcept;

    /// TERM to its process group, KILL after the grace (at once when 0). Again with a shorter grace
    /// makes it shorter. Nothing when it has ended.
    void terminate(std::chrono::milliseconds grace);

    /// The same; and when it has ended, every descendant that still runs is killed, also one that
    /// has left the group, as far as it has `mark` (a "NAME=value" of the request's environment,
    /// which no other has) in its own environment.
    void endAll(std::chrono::milliseconds grace, std::string_view mark);

private:
    friend class StartAwaiter;
    Child(ChildOwner& owner, ChildRecord& record) noexcept : owner_(&owner), record_(&record) {}
    void letGo() noexcept;

    ChildOwner* owner_ = nullptr;
    ChildRecord* record_ = nullptr;
};

/// `StartResult<Child> child = co_await owner.start…(request);` A dropped awaiter ends what it has
/// started.
class [[nodiscard]] StartAwaiter {
public:
    StartAwaiter(ChildOwner& owner, ChildRecord& record) noexcept
        : child_(owner, record), known_(record.startKnown) {}
    StartAwaiter(const StartAwaiter&) = delete;
    StartAwaiter& operator=(const StartAwaiter&) = delete;

    bool await_ready() const noexcept { return known_.await_ready(); }
    void await_suspend(std::coroutine_handle<> waiter) noexcept { known_.await_suspend(waiter); }
    StartResult<Child> await_resume() noexcept;

private:
    Child child_;
    coro::Event::Awaiter known_;
};

} // namespace reef::process
