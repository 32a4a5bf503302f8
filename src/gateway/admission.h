#pragma once

#include "coro/permit.h"
#include "coro/ready_queue.h"
#include "gateway/admission_queue.h"
#include "io/loop.h"
#include "io/timer_wheel.h"

#include <coroutine>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>

namespace reef::gateway {

class LoopAdmission;

/// The one queue of a server for the right to run islands: a limit counts for the whole machine,
/// whatever loop a request came to. Any thread. Outlives its loops' parts.
class Admission final : private AdmissionQueue::Listener {
public:
    explicit Admission(const AdmissionLimits& limits) : queue_(limits, *this) {}

    /// Other limits from now on; who runs or waits goes on.
    void use(const AdmissionLimits& limits);

    struct Counts {
        std::size_t running = 0; ///< of both shares
        std::size_t waiting = 0;
        std::uint64_t waited = 0;  ///< since the start: had to wait for their turn
        std::uint64_t refused = 0; ///< since the start
    };
    Counts counts() const;

private:
    friend class LoopAdmission;
    struct Place;

    void settled(AdmissionQueue::Entry& entry) noexcept override;

    mutable std::mutex mutex_;
    AdmissionQueue queue_; // guarded by mutex_, as all below
    std::uint64_t waited_ = 0;
    std::uint64_t refused_ = 0;
};

/// What one loop knows of it. Outlives its awaiters and permits; the loop outlives it, and makes no
/// turn after it has gone.
class LoopAdmission final : private coro::PermitOwner {
public:
    class Awaiter;

    LoopAdmission(io::Loop& loop, Admission& shared) noexcept : loop_(loop), shared_(shared) {}
    LoopAdmission(const LoopAdmission&) = delete;
    LoopAdmission& operator=(const LoopAdmission&) = delete;

    /// `auto permit = co_await admission.enter(Share::client, address, groups);`
    ///
    /// Waits for the client's turn; the permit counts against all `groups`, which outlive it. An
    /// awaiter that is dropped gives its place up.
    Awaiter enter(Share share, const std::optional<io::HostBits>& client,
                  std::span<IslandGroup* const> groups);

private:
    friend class Admission;
    void takeBack(void* token) noexcept override;
    void deliver();

    io::Loop& loop_;
    Admission& shared_;
    Admission::Place* settled_ = nullptr; ///< to be told; guarded by the queue's mutex
};

class [[nodiscard]] LoopAdmission::Awaiter final : private coro::ReadyNode, private io::Timer {
public:
    Awaiter(LoopAdmission& owner, std::unique_ptr<Admission::Place> place) noexcept;
    ~Awaiter();
    Awaiter(const Awaiter&) = delete;
    Awaiter& operator=(const Awaiter&) = delete;

    bool await_ready();
    void await_suspend(std::coroutine_handle<> waiter);
    std::expected<coro::Permit, Refusal> await_resume();

private:
    friend class LoopAdmission;
    void run() override { waiter_.resume(); }
    void expired() override;

    LoopAdmission& owner_;
    std::unique_ptr<Admission::Place> place_;
    std::chrono::milliseconds patience_{};
    Refusal refusal_ = Refusal::full;
    std::coroutine_handle<> waiter_;
};

/// For the log.
std::string_view describe(Refusal refusal) noexcept;

} // namespace reef::gateway
