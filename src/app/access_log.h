#pragma once

#include "app/access_log_file.h"
#include "app/access_log_format.h"
#include "base/thread.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace reef::app {

/// The access log of a server: each loop writes lines into a buffer of its own, and one thread
/// takes them to the file, a second later at most or when 64 KiB have gathered. While the file
/// cannot be written, a bounded number of lines waits (about 1 MiB a loop and 4 MiB in all); the
/// rest is counted and dropped. A process that is killed loses its last second.
///
///     auto log = AccessLog::start(options);
///     serve::RequestLog& forLoop = (*log)->addLoop();   // one per loop, used on that loop
///     (*log)->stop();                                   // when no loop serves any more
class AccessLog {
public:
    /// Starts the thread. A file that cannot be opened is told to the error log, and tried again.
    static std::expected<std::unique_ptr<AccessLog>, AccessLogFormatError>
    start(AccessLogOptions options);

    AccessLog(const AccessLog&) = delete;
    AccessLog& operator=(const AccessLog&) = delete;
    ~AccessLog(); ///< stops

    /// A log for one loop. It belongs to the access log. Any thread.
    serve::RequestLog& addLoop();

    /// Closes the file and opens its name again: it was moved away (SIGUSR1, logrotate, reload).
    /// Lines recorded before may still go to the old file. Any thread; returns at once.
    void reopen() noexcept;

    /// Writes all that was recorded, and ends the thread; gives up after `patience` when the file
    /// cannot be written, and says how much was lost. Idempotent; not from two threads at once.
    void stop(std::chrono::milliseconds patience = std::chrono::seconds(3)) noexcept;

    std::uint64_t dropped() const noexcept { return dropped_; } ///< lines; any thread

private:
    class LoopLog;

    AccessLog(AccessLogOptions options, AccessLogFormat format);

    void ring(bool hurry) noexcept;
    void run();
    bool waitForLines();
    void takeLines();
    void writeLines();
    void report(bool failing);
    void giveUp();

    const AccessLogFormat format_;
    const std::string fileName_;

    std::mutex loopsMutex_;
    std::vector<std::unique_ptr<LoopLog>>
        loops_; // the list is guarded by loopsMutex_, each log by its own

    std::mutex mutex_; // guards the next five
    std::condition_variable bell_;
    bool haveLines_ = false;
    bool hurry_ = false;
    bool reopen_ = false;
    bool stopping_ = false;
    std::chrono::steady_clock::time_point stopBy_;

    std::atomic<std::uint64_t> dropped_ = 0;

    // The thread's own.
    AccessLogFile file_;
    std::string pending_;
    bool failing_ = false;
    std::uint64_t droppedBefore_ = 0;

    Thread thread_; // last: it uses all of the above
};

} // namespace reef::app
