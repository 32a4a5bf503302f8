#include "app/site_listeners.h"

#include "app/banner.h"
#include "base/log.h"
#include "base/text.h"

#include <algorithm>
#include <cstring>

namespace reef::app {

namespace {

bool holds(const std::vector<ListenAddress>& list, const ListenAddress& listener) {
    return std::ranges::any_of(list, [&](const ListenAddress& each) {
        return each.address.describe() == listener.address.describe() &&
               each.proxyProtocol == listener.proxyProtocol;
    });
}

bool holdsAddress(const std::vector<ListenAddress>& list, const io::Address& address) {
    return std::ranges::any_of(list, [&](const ListenAddress& each) {
        return each.address.describe() == address.describe();
    });
}

std::string describe(const ListenAddress& listener, Error error) {
    const int code = error.systemError();
    const bool unixOfRoot = error == Error::unsupported && listener.address.isUnix();
    return text::concat("cannot listen at ", listener.address.describe(), ": ",
                        code != 0 ? std::string(std::strerror(code))
                        : unixOfRoot
                            ? std::string("a unix socket is only bound at the start: restart")
                            : error.describe());
}

} // namespace

Task<std::expected<std::vector<SiteListeners::Bound>, std::string>>
SiteListeners::bind(const std::vector<ListenAddress>& wanted) {
    std::vector<Bound> fresh;
    for (const ListenAddress& listener : wanted) {
        if (holdsAddress(open_, listener.address)) continue;
        const auto copies = listener.address.isUnix() ? 1 : loops_.size();
        auto sockets =
            co_await control_.listen(listener.address, static_cast<std::uint16_t>(copies));
        if (sockets) {
            fresh.push_back({listener, std::move(*sockets)});
            continue;
        }
        for (const Bound& bound : fresh)
            static_cast<void>(
                control_.unlisten(bound.listener.address)); // gone with the keeper else
        co_return std::unexpected(describe(listener, sockets.error()));
    }
    co_return fresh;
}

void SiteListeners::change(const std::vector<ListenAddress>& wanted, std::vector<Bound> fresh) {
    for (Bound& bound : fresh) {
        serve::ListenerOptions options;
        options.proxyProtocol = bound.listener.proxyProtocol ? serve::ProxyProtocol::required
                                                             : serve::ProxyProtocol::none;
        loops_.listen(std::move(bound.sockets), bound.listener.address, options);
        open_.push_back(bound.listener);
    }
    if (wanted.empty()) return;
    std::erase_if(open_, [&](const ListenAddress& listener) {
        if (holdsAddress(wanted, listener.address)) return false;
        loops_.stopListening(listener.address);
        const auto closed = control_.unlisten(listener.address);
        if (!closed)
            log::warning("server", "the keeper did not hear that a listener is to be closed");
        return true;
    });
    for (const ListenAddress& listener : wanted)
        if (!holds(open_, listener))
            log::warning("server", text::concat("`proxy_protocol` of ", listener.address.describe(),
                                                " changes with the next start"));
}

std::vector<std::string> SiteListeners::urls() const {
    std::vector<std::string> urls;
    for (const ListenAddress& listener : open_)
        urls.push_back(urlOf(listener.address));
    return urls;
}

} // namespace reef::app
