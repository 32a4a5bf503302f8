// Who a connection speaks for: PROXY headers, trusted proxies, and the limit for each client.
// clang-format off: the header that this is a part of comes first
#include "serve/connection.h"
// clang-format on

#include "base/log.h"
#include "base/text.h"
#include "http/authority.h"
#include "http/proxy_protocol.h"
#include "serve/client_address.h"

#include <algorithm>
#include <new>

namespace reef::serve {

/// Reads what the proxy says before the client's first byte. False: it said nothing that we know.
Task<bool> Connection::readProxyHeader() {
    slot_ = context_.slots.take();
    beginWait(Waits::forHead);
    const auto began = context_.loop.now();
    http::ProxyHeaderParser parser;
    http::Verdict verdict = http::Verdict::incomplete;
    while (verdict == http::Verdict::incomplete) {
        const auto left = timeLeft(began, settings_->headTimeout);
        if (left.count() <= 0) break;
        const auto got = co_await stream_.read(slot_->room(), left);
        if (!got || *got == 0) break;
        slot_->used += *got;
        verdict = parser.parse(slot_->received());
    }
    waits_ = Waits::no;
    if (verdict != http::Verdict::complete) {
        // One that connects and says nothing is a check of health.
        if (slot_->used != 0)
            log::warning("serve",
                         text::concat("a connection from ", remoteAddress_, " was closed: ",
                                      verdict == http::Verdict::rejected
                                          ? parser.reason()
                                          : "its PROXY header never ended"));
        co_return false;
    }
    slot_->restartWith(slot_->received().subspan(parser.length()));
    const http::ProxyHeader& header = parser.header();
    if (header.family == http::ProxyHeader::Family::none) co_return true;
    overUnix_ = header.family == http::ProxyHeader::Family::unixSocket;
    peer_ = io::parseHost(header.sourceAddress);
    remoteAddress_ = header.sourceAddress;
    endpoints_.remoteAddress = remoteAddress_;
    endpoints_.remotePort = header.sourcePort;
    if (overUnix_) co_return true;
    localAddress_ = header.destinationAddress;
    endpoints_.localAddress = localAddress_;
    endpoints_.localPort = header.destinationPort;
    co_return true;
}

bool Connection::isTrustedPeer() const noexcept {
    if (overUnix_) return settings_->trustUnixSockets;
    if (settings_->trustedProxies.empty()) return false;
    return peer_ && io::anyContains(settings_->trustedProxies, *peer_);
}

/// Counts this connection for its client. False: the client has enough of them.
bool Connection::takePlace() {
    const std::size_t most = settings_->maxConnectionsPerAddress;
    if (most == 0 || !peer_ || isTrustedPeer()) return true;
    auto place = context_.addresses->enter(*peer_, most);
    if (!place) return false;
    place_ = std::move(*place);
    return true;
}

/// A trusted proxy speaks for its client: what it says replaces what we see. False: it contradicts
/// itself.
bool Connection::believeProxy(http::Request& request) {
    Arena& memory = *request.arena;
    const auto client = forwardedClient(request.fields, settings_->trustedProxies, memory);
    if (client.contradictory) return false;
    auto* ends = new (memory.allocate(sizeof(http::Endpoints), alignof(http::Endpoints)))
        http::Endpoints(endpoints_);
    if (!client.address.empty()) {
        ends->remoteAddress = client.address;
        ends->remotePort = client.port;
    }
    ends->secure = client.secure.value_or(endpoints_.secure);
    request.endpoints = ends;
    if (!client.host) return true;
    const auto host = http::hostOf(*client.host, memory);
    if (!host) return true;
    request.host = *host;
    request.authority = *client.host;
    return true;
}

} // namespace reef::serve
