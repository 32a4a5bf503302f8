#pragma once

#include "base/thread.h"
#include "coro/event.h"
#include "coro/task.h"
#include "io/loop.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <vector>

namespace reef::io {

/// A few threads for work that blocks: SQL for the panel, DNS, password hashing. Never on the
/// request path. Must be stopped or destroyed before the loops it serves.
class Workers {
public:
    explicit Workers(unsigned threads);
    ~Workers() { stop(); }
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    /// Waits for running work and discards what is queued; who waits for that waits till dropped.
    void stop() noexcept;

    /// `auto value = co_await workers.run(loop, work)`: `work()` on a worker thread, its value back
    /// on `loop`. An exception it throws comes out here. When the waiting task is dropped, work
    /// that has begun goes on, and its value is thrown away: `work` must own what it uses.
    template<class Work>
    Task<std::invoke_result_t<Work&>> run(Loop& loop, Work work) {
        using Value = std::invoke_result_t<Work&>;
        auto job = std::make_shared<Job<Value>>();
        submit([job, &loop, work = std::move(work)]() mutable {
            try {
                job->value.emplace(work());
            } catch (...) {
                job->exception = std::current_exception();
            }
            loop.post([job] { job->finished.set(); });
        });
        co_await job->finished.wait();
        if (job->exception) std::rethrow_exception(job->exception);
        co_return std::move(*job->value);
    }

private:
    template<class Value>
    struct Job {
        coro::Event finished; // touched on the loop's thread alone
        std::optional<Value> value;
        std::exception_ptr exception;
    };

    void submit(std::move_only_function<void()> work);
    void serve();

    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<std::move_only_function<void()>> queue_; // guarded by mutex_
    bool stopping_ = false;                             // guarded by mutex_
    std::vector<Thread> threads_;
};

} // namespace reef::io
