#include "app/serving_loop.h"

namespace reef::app {

ServingLoop::ServingLoop(LoopParts parts)
    : keeper_(loop_, std::move(parts.keeperLink)), log_(parts.producer),
      site_(std::move(parts.site), loop_, keeper_), server_(loop_, *parts.settings, site_, log_) {
    for (ListeningSocket& listener : parts.listeners)
        server_.addListener(std::move(listener.socket), listener.address);
}

void ServingLoop::drain(std::function<void()> drained) {
    loop_.post([this, drained = std::move(drained)]() mutable {
        draining_.start(drainAll(std::move(drained)));
    });
}

Task<void> ServingLoop::drainAll(std::function<void()> drained) {
    server_.beginDraining();
    co_await server_.drained();
    drained();
}

} // namespace reef::app
