#pragma once

#include "base/thread.h"
#include "pageviews/intake.h"
#include "pageviews/writer.h"

#include <memory>

namespace reef::pageviews {

struct RecorderOptions {
    WriterOptions writer;
    /// Of one producer's queue. 1 MiB holds some 3,000 to 5,000 views while the database is away.
    std::size_t ringBytes = 1_MiB;
};

/// The pageview recorder of a server: a queue per event loop, and one thread that writes them to
/// the database. Outlives the loops that push; is stopped after them, so that no view is lost.
///
///     auto recorder = Recorder::start(options);   // RecorderOptions with writer.file set
///     Producer& producer = (*recorder)->addProducer();   // one per loop
///     producer.push(event);                              // on that loop
///     (*recorder)->stop();
class Recorder {
public:
    /// Starts the writer thread, in which all signals are blocked. Fails when the process is out of
    /// descriptors or threads; a database that cannot be opened is the thread's business (see
    /// Writer).
    static Result<std::unique_ptr<Recorder>> start(RecorderOptions options);

    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;
    ~Recorder() { stop(); }

    /// A queue for one loop. It belongs to the recorder.
    Producer& addProducer() { return intake_.add(ringBytes_); }

    /// Writes everything that was pushed before, closes the database, and ends the thread. With a
    /// database that cannot be written, gives up after `patience`. What is pushed later is not
    /// written. Idempotent; not from two threads at once.
    void stop() noexcept;

    struct Counts {
        std::uint64_t written; ///< views
        std::uint64_t dropped; ///< for want of room in the queues
        bool healthy;          ///< the last write succeeded
    };
    /// Any thread.
    Counts counts() const { return {writer_.written(), intake_.dropped(), writer_.isHealthy()}; }

private:
    Recorder(Doorbell doorbell, RecorderOptions options);

    std::size_t ringBytes_;
    Intake intake_;
    Writer writer_;
    Thread thread_; ///< last: what it uses outlives it
};

} // namespace reef::pageviews
