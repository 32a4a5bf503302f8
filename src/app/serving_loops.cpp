#include "app/serving_loops.h"

#include "coro/event.h"

namespace reef::app {

ServingLoops::ServingLoops(std::size_t count,
                           const std::function<LoopParts(std::size_t index)>& parts)
    : first_(parts(0)) {
    for (std::size_t i = 1; i < count; ++i)
        others_.push_back(std::make_unique<LoopThread>(parts(i)));
}

void ServingLoops::onEach(const std::function<void(ServingLoop&)>& change) {
    change(first_);
    for (const auto& other : others_) {
        ServingLoop& serving = other->serving();
        serving.loop().post([&serving, change] { change(serving); });
    }
}

void ServingLoops::use(const LoopConfig& config) {
    onEach([config](ServingLoop& serving) { serving.use(config); });
}

void ServingLoops::listen(std::vector<Fd> sockets, const io::Address& address,
                          serve::ListenerOptions options) {
    for (std::size_t i = 1; i < sockets.size() && i <= others_.size(); ++i) {
        ServingLoop& serving = others_[i - 1]->serving();
        serving.loop().post([&serving, socket = std::move(sockets[i]), address, options]() mutable {
            serving.listen({std::move(socket), address, options});
        });
    }
    if (!sockets.empty()) first_.listen({std::move(sockets.front()), address, options});
}

void ServingLoops::stopListening(const io::Address& address) {
    onEach([address](ServingLoop& serving) { serving.stopListening(address); });
}

Task<void> ServingLoops::drain() {
    struct Progress {
        explicit Progress(std::size_t loops) : left(loops) {}
        std::size_t left; // touched on the first loop alone
        coro::Event drained;
    };
    // Shared: whoever waits may give up before the last loop has reported.
    const auto progress = std::make_shared<Progress>(size());
    io::Loop& loop = first_.loop();
    const auto oneDrained = [&loop, progress] {
        loop.post([progress] {
            if (--progress->left == 0) progress->drained.set();
        });
    };
    first_.drain(oneDrained);
    for (const auto& other : others_)
        other->serving().drain(oneDrained);
    co_await progress->drained.wait();
}

} // namespace reef::app
