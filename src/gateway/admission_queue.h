#pragma once

#include "io/network.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace reef::gateway {

/// For whom an island runs. Each has limits of its own, of the same size: a page that an island
/// makes waits for its fragments, and must not hold the place that they need.
enum class Share : std::uint8_t { client, fragment };

/// How many islands of some kind may run at once, in each share; shared by all who count against
/// it. Must outlive them. Its counts are the queue's.
class IslandGroup {
public:
    explicit IslandGroup(std::size_t atOnce) noexcept : most(atOnce) {}

    const std::size_t most;

private:
    friend class AdmissionQueue;
    std::array<std::size_t, 2> running_{};
};

/// Limits of the whole machine.
struct AdmissionLimits {
    std::size_t running = 64;   ///< islands at work at once, in each share
    std::size_t perClient = 32; ///< of these for one client; 0: any number
    std::size_t waiting = 1000; ///< for their turn, in each share; further ones are refused
    std::chrono::milliseconds patience = std::chrono::seconds(30); ///< of one that waits
};

/// Why an island may not run.
enum class Refusal : std::uint8_t {
    full,      ///< as many wait as may
    displaced, ///< its client had the most waiting, and another came
    tooLate,   ///< its turn did not come in time
};

/// Who may run an island, and who waits for it. Clients take turns: one of them with a hundred
/// requests delays another's by one place. A client is what `customerOf` says, or everybody who
/// comes over a unix socket, for whom `perClient` does not hold.
///
/// Whoever cannot run because of a group or of its client's own limit holds up nobody behind it.
/// When the queue is full, a client that has more waiting than the newcomer loses its latest.
///
/// Pure: knows no time, no loop and no threads. Entries are the caller's, in one place from `ask`
/// until `leave`, and must have left before the queue goes.
class AdmissionQueue {
    struct Link {
        Link* previous = nullptr;
        Link* next = nullptr;
    };
    struct List : Link {
        List() noexcept { previous = next = this; }
        List(const List&) = delete;
        List& operator=(const List&) = delete;
        bool empty() const noexcept { return next == this; }
    };
    struct Client;

public:
    static constexpr std::size_t kMaxGroups = 4;

    /// One island that is to run.
    class Entry : private Link {
    public:
        enum class State : std::uint8_t { outside, waiting, running, displaced };

        Entry(Share which, const std::optional<io::HostBits>& from) noexcept
            : share_(which), from_(from) {}
        Entry(const Entry&) = delete;
        Entry& operator=(const Entry&) = delete;

        /// Counts against `group` as well. Beyond `kMaxGroups` they are not looked at.
        void join(IslandGroup& group) noexcept {
            if (groupCount_ != kMaxGroups) groups_[groupCount_++] = &group;
        }

        State state() const noexcept { return state_; }

    private:
        friend class AdmissionQueue;
        Share share_;
        State state_ = State::outside;
        std::uint8_t groupCount_ = 0;
        std::optional<io::HostBits> from_;
        std::array<IslandGroup*, kMaxGroups> groups_{};
        Client* client_ = nullptr;
    };

    /// Told of an entry that no longer waits, from inside `ask`, `leave` or `use`: it runs, or was
    /// displaced. It calls nothing here.
    class Listener {
    public:
        virtual void settled(Entry& entry) noexcept = 0;

    protected:
        ~Listener() = default;
    };

    AdmissionQueue(const AdmissionLimits& limits, Listener& listener)
        : limits_(limits), listener_(listener) {}
    AdmissionQueue(const AdmissionQueue&) = delete;
    AdmissionQueue& operator=(const AdmissionQueue&) = delete;

    /// Running, waiting, or outside: the queue is full.
    Entry::State ask(Entry& entry);

    /// It runs no more, or waits no more. One that is outside is ignored.
    void leave(Entry& entry);

    /// Other limits from now on. Nobody who runs or waits is turned away.
    void use(const AdmissionLimits& limits);

    const AdmissionLimits& limits() const noexcept { return limits_; }
    std::size_t running(Share share) const noexcept { return lanes_[at(share)].running; }
    std::size_t waiting(Share share) const noexcept { return lanes_[at(share)].waiting; }

private:
    /// A client's place in the turn of a share, in the ring while somebody of it waits.
    struct Turn : Link {
        Client* client = nullptr;
        List waiters;
        std::size_t waiting = 0;
        std::size_t running = 0;
    };
    struct Client {
        std::optional<io::HostBits> address;
        std::array<Turn, 2> turns;
    };
    struct Lane {
        List ring; ///< of the clients that have somebody waiting: whose turn it is comes first
        std::size_t running = 0;
        std::size_t waiting = 0;
    };

    static constexpr std::size_t at(Share share) noexcept {
        return static_cast<std::size_t>(share);
    }
    static void append(List& list, Link& link) noexcept;
    static void unlink(Link& link) noexcept;

    Turn& turnOf(const Entry& entry) noexcept;
    bool mayRun(const Entry& entry) noexcept;
    bool hasFreePlace(const Client& client, Share share) const noexcept;
    void admit(Entry& entry) noexcept;
    void enqueue(Entry& entry) noexcept;
    void dequeue(Entry& entry) noexcept;
    bool displaceFor(const Entry& newcomer) noexcept;
    void admitWaiters(Share share) noexcept;
    Entry* nextOf(Lane& lane, Share share) noexcept;
    void forgetIfIdle(Client& client) noexcept;

    AdmissionLimits limits_;
    Listener& listener_;
    std::array<Lane, 2> lanes_;
    std::map<std::optional<io::HostBits>, Client> clients_; ///< who runs or waits
};

} // namespace reef::gateway
