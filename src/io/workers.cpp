#include "io/workers.h"

namespace reef::io {

Workers::Workers(unsigned threads) {
    for (unsigned i = 0; i < threads; ++i)
        threads_.emplace_back("atoll-worker", [this] { serve(); });
}

void Workers::stop() noexcept {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        queue_.clear();
    }
    arrived_.notify_all();
    threads_.clear();
}

void Workers::submit(std::move_only_function<void()> work) {
    {
        const std::lock_guard lock(mutex_);
        queue_.push_back(std::move(work));
    }
    arrived_.notify_one();
}

void Workers::serve() {
    for (;;) {
        std::move_only_function<void()> work;
        {
            std::unique_lock lock(mutex_);
            arrived_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
            if (stopping_) return;
            work = std::move(queue_.front());
            queue_.pop_front();
        }
        work();
    }
}

} // namespace reef::io
