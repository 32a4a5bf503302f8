#include "app/access_log.h"

#include "base/log.h"
#include "base/text.h"

#include <algorithm>

namespace reef::app {

namespace {

constexpr std::size_t kHandOverBytes = 64 * 1024;
constexpr std::size_t kMaxLoopBytes = 1024 * 1024;
constexpr std::size_t kMaxPendingBytes = 4 * 1024 * 1024;
constexpr auto kGatherTime = std::chrono::seconds(1);
constexpr auto kRetryTime = std::chrono::milliseconds(100); // while stopping

} // namespace

/// The lines of one loop that nobody has taken yet.
class AccessLog::LoopLog final : public serve::RequestLog {
public:
    explicit LoopLog(AccessLog& owner) : owner_(owner) { lines_.reserve(2 * kHandOverBytes); }

    void record(const serve::RequestRecord& record) noexcept override {
        bool first = false;
        bool many = false;
        try {
            const auto now = std::chrono::system_clock::now();
            const std::lock_guard lock(mutex_);
            const std::size_t before = lines_.size();
            if (before >= kMaxLoopBytes) {
                ++owner_.dropped_;
                return;
            }
            owner_.format_.append(lines_, record, now, clock_);
            first = before == 0;
            many = before < kHandOverBytes && lines_.size() >= kHandOverBytes;
        } catch (...) { // no memory
            ++owner_.dropped_;
        }
        if (first || many) owner_.ring(many);
    }

    /// Moves the lines behind `out`.
    void takeInto(std::string& out) {
        {
            const std::lock_guard lock(mutex_);
            lines_.swap(taken_);
        }
        out += taken_;
        taken_.clear(); // but its memory serves the next lines
    }

private:
    AccessLog& owner_;
    std::mutex mutex_;
    std::string lines_; // guarded by mutex_
    LogClock clock_;    // of the loop
    std::string taken_; // of the thread
};

std::expected<std::unique_ptr<AccessLog>, AccessLogFormatError>
AccessLog::start(AccessLogOptions options) {
    auto format = AccessLogFormat::parse(options.format);
    if (!format) return std::unexpected(std::move(format.error()));
    return std::unique_ptr<AccessLog>(new AccessLog(std::move(options), std::move(*format)));
}

AccessLog::AccessLog(AccessLogOptions options, AccessLogFormat format)
    : format_(std::move(format)), fileName_(options.file), file_(std::move(options)),
      thread_("atoll-access", [this] { run(); }) {}

AccessLog::~AccessLog() {
    stop();
}

serve::RequestLog& AccessLog::addLoop() {
    const std::lock_guard lock(loopsMutex_);
    return *loops_.emplace_back(std::make_unique<LoopLog>(*this));
}

void AccessLog::reopen() noexcept {
    {
        const std::lock_guard lock(mutex_);
        reopen_ = true;
    }
    bell_.notify_one();
}

void AccessLog::stop(std::chrono::milliseconds patience) noexcept {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        stopBy_ = std::chrono::steady_clock::now() + patience;
    }
    bell_.notify_one();
    thread_.join();
}

void AccessLog::ring(bool hurry) noexcept {
    {
        const std::lock_guard lock(mutex_);
        haveLines_ = true;
        hurry_ = hurry_ || hurry;
    }
    bell_.notify_one();
}

void AccessLog::run() {
    bool more = true;
    while (more) {
        more = waitForLines();
        takeLines();
        writeLines();
        const std::lock_guard lock(mutex_);
        if (!pending_.empty()) {
            haveLines_ = true;
            more = more || std::chrono::steady_clock::now() < stopBy_;
        }
    }
    giveUp();
}

/// False: the log is to stop. Sleeps for as long as there is nothing, then lets lines gather.
bool AccessLog::waitForLines() {
    std::unique_lock lock(mutex_);
    const auto called = [this] { return hurry_ || reopen_ || stopping_; };
    if (stopping_ && !pending_.empty()) {
        bell_.wait_for(lock, kRetryTime);
    } else {
        bell_.wait(lock, [&] { return haveLines_ || called(); });
        // While the disk is full, nobody can hurry us.
        if (failing_) {
            bell_.wait_for(lock, kGatherTime, [this] { return reopen_ || stopping_; });
        } else {
            bell_.wait_for(lock, kGatherTime, called);
        }
    }
    haveLines_ = hurry_ = false;
    if (std::exchange(reopen_, false)) {
        lock.unlock();
        takeLines();
        writeLines(); // to where they belong
        file_.close();
        lock.lock();
    }
    return !stopping_;
}

void AccessLog::takeLines() {
    const std::lock_guard lock(loopsMutex_);
    for (const auto& loop : loops_) {
        if (pending_.size() >= kMaxPendingBytes) return; // the others wait in their loops' buffers
        loop->takeInto(pending_);
    }
}

void AccessLog::writeLines() {
    if (pending_.empty()) return;
    pending_.erase(0, file_.write(bytesOf(pending_)));
    report(!pending_.empty());
}

/// Trouble is told once, and its end with what it has cost.
void AccessLog::report(bool failing) {
    if (std::exchange(failing_, failing) == failing) return;
    if (failing) {
        droppedBefore_ = dropped_;
        log::error("access-log", text::concat("cannot write ", fileName_, ": ",
                                              file_.trouble().describe(), "; lines wait"));
    } else {
        log::warning("access-log", text::concat(fileName_, " is written again; lines lost: ",
                                                dropped_ - droppedBefore_));
    }
}

void AccessLog::giveUp() {
    takeLines();
    if (pending_.empty()) return;
    const auto lost = static_cast<std::uint64_t>(std::ranges::count(pending_, '\n'));
    dropped_ += lost;
    log::error("access-log", text::concat("lines lost at the end: ", lost));
}

} // namespace reef::app
