#include "app/serving_loop.h"

namespace reef::app {

ServingLoop::ServingLoop(LoopParts parts)
    : keeper_(loop_, std::move(parts.keeperLink)), pageviews_(parts.producer), logs_(pageviews_),
      services_(loop_, keeper_, *parts.workers, *parts.islands, *parts.pages, *parts.cache),
      sites_(services_, std::move(parts.config.sites)),
      server_(loop_, *parts.config.settings, sites_, logs_, std::move(parts.addresses)) {
    useAccessLog(std::move(parts.config.accessLog));
    for (ListeningSocket& listener : parts.listeners)
        listen(std::move(listener));
}

void ServingLoop::use(LoopConfig config) {
    sites_.use(std::move(config.sites));
    server_.useSettings(std::move(config.settings));
    useAccessLog(std::move(config.accessLog));
}

void ServingLoop::useAccessLog(std::shared_ptr<AccessLog> log) {
    if (log == accessLog_) return;
    logs_.setAccessLog(log ? &log->addLoop() : nullptr);
    accessLog_ = std::move(log);
}

void ServingLoop::listen(ListeningSocket listener) {
    server_.addListener(std::move(listener.socket), listener.address, listener.options);
}

void ServingLoop::stopListening(const io::Address& address) {
    server_.removeListener(address);
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
