#include "app/loop_thread.h"

namespace reef::app {

LoopThread::LoopThread(LoopParts parts) {
    auto shared =
        std::make_shared<LoopParts>(std::move(parts)); // std::function wants to be copyable
    thread_ = Thread("atoll-loop", [this, shared] { body(std::move(*shared)); });
    std::unique_lock lock(mutex_);
    known_.wait(lock, [this] { return serving_ != nullptr; });
}

LoopThread::~LoopThread() {
    serving_->loop().stop();
    thread_.join();
}

void LoopThread::body(LoopParts parts) {
    ServingLoop serving(std::move(parts));
    {
        const std::lock_guard lock(mutex_);
        serving_ = &serving;
    }
    known_.notify_one();
    serving.run();
}

} // namespace reef::app
