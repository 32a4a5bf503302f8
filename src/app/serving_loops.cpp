#include "app/serving_loops.h"

#include "coro/event.h"

namespace reef::app {

/// Counts the loops that have done what they were told to. Shared: whoever waits may give up before
/// the last one has.
class ServingLoops::Progress : public std::enable_shared_from_this<Progress> {
public:
    Progress(io::Loop& first, std::size_t loops) : first_(first), left_(loops) {}

    /// Any thread.
    void oneIsDone() {
        first_.post([self = shared_from_this()] {
            if (--self->left_ == 0) self->done_.set();
        });
    }
    coro::Event& done() noexcept { return done_; }

private:
    io::Loop& first_;
    std::size_t left_; // touched on the first loop alone, like the event
    coro::Event done_;
};

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

Task<void> ServingLoops::use(LoopConfig config) {
    const auto progress = std::make_shared<Progress>(first_.loop(), size());
    onEach([config = std::move(config), progress](ServingLoop& serving) {
        serving.use(config);
        progress->oneIsDone();
    });
    co_await progress->done().wait();
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
    const auto progress = std::make_shared<Progress>(first_.loop(), size());
    const auto oneDrained = [progress] { progress->oneIsDone(); };
    first_.drain(oneDrained);
    for (const auto& other : others_)
        other->serving().drain(oneDrained);
    co_await progress->done().wait();
}

} // namespace reef::app
