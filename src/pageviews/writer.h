#pragma once

#include "pageviews/intake.h"
#include "pageviews/store.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace reef::pageviews {

/// How the writer goes about its work.
struct WriterOptions {
    std::string file; ///< the database; its directory must exist
    StoreOptions store;
    /// From the first view to its being written, when traffic is thin: views come together in one
    /// transaction.
    std::chrono::milliseconds gather{250};
    /// How long the last views may try to reach a locked or full disk before they are given up.
    std::chrono::milliseconds patience{5'000};
};

/// Moves events from the intake into the store, in its own thread.
///
/// A batch stays in the queues until its transaction is committed, so whatever goes wrong (a full
/// disk, a lock held by another program, a broken or vanished file), it is kept and tried again,
/// after 0.1 s, then twice as long each time up to 10 s. Meanwhile the queues fill, and then drop
/// and count: memory stays bounded. The error log gets one line for each kind of trouble, when it
/// begins, and one when all is well again.
class Writer {
public:
    Writer(Intake& intake, WriterOptions options);

    /// The thread's whole life: writes until the intake is closed, then what is left.
    void run() noexcept;

    /// Views written so far. Any thread.
    std::uint64_t written() const noexcept { return written_.load(std::memory_order_relaxed); }
    /// False while views cannot be written. Any thread.
    bool isHealthy() const noexcept { return healthy_.load(std::memory_order_relaxed); }

private:
    /// Writes what waits, once; says in the log when the outcome differs from the last.
    bool flush();
    Status tryFlush();
    Status openStore();
    Status writeBatch(std::vector<EventRing::Reader>& readers, std::uint64_t& views);
    void drain();
    std::uint64_t countWaiting();
    void settle(Error error);
    void complain(Error error, const std::string& details);
    void rejoice();

    Intake& intake_;
    WriterOptions options_;
    std::unique_ptr<Store> store_;
    std::vector<Error> troubles_;   ///< met since the last success; each is logged once
    std::uint64_t lossesNoted_ = 0; ///< of intake_.dropped(), how many the database knows
    std::atomic<std::uint64_t> written_{0};
    std::atomic<bool> healthy_{true};
};

} // namespace reef::pageviews
