#pragma once

#include "app/serving_loop.h"
#include "base/thread.h"

#include <condition_variable>
#include <mutex>

namespace reef::app {

/// A ServingLoop on a thread of its own. The constructor returns when it serves; the destructor
/// stops it.
class LoopThread {
public:
    explicit LoopThread(LoopParts parts);
    ~LoopThread();
    LoopThread(const LoopThread&) = delete;
    LoopThread& operator=(const LoopThread&) = delete;

    ServingLoop& serving() noexcept { return *serving_; }

private:
    void body(LoopParts parts);

    std::mutex mutex_;
    std::condition_variable known_;
    ServingLoop* serving_ = nullptr; // guarded by mutex_ until the constructor has ended
    Thread thread_;
};

} // namespace reef::app
