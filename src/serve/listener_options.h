#pragma once

#include <cstdint>

namespace reef::serve {

/// `required`: each connection begins with a PROXY header (http/proxy_protocol.h) that names its
/// client, and is closed without one. For listeners that only the proxy can reach.
enum class ProxyProtocol : std::uint8_t { none, required };

struct ListenerOptions {
    ProxyProtocol proxyProtocol = ProxyProtocol::none;
};

} // namespace reef::serve
