#pragma once

#include "base/arena.h"
#include "http/header_list.h"
#include "io/network.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace reef::serve {

/// What a trusted proxy says about the client that it speaks for. Views live in the request's
/// fields or its arena. An empty `address` and nothing in `secure` and `host`: it does not say.
struct ForwardedClient {
    std::string_view address;   ///< as inet_ntop writes it
    std::uint16_t port = 0;     ///< 0: not told
    bool contradictory = false; ///< two fields name different clients: refuse the request
    std::optional<bool> secure;
    std::optional<std::string_view> host; ///< with its port, not checked
};

/// Reads X-Forwarded-For and X-Forwarded-Proto, or Forwarded (RFC 7239). Only for requests of a
/// trusted peer: anybody can send these fields.
///
/// Each proxy adds an entry for its own peer at the right. So the entries are read from the right;
/// those of trusted proxies are passed over, the first other address is the client, and what stands
/// left of it is hearsay. When all are trusted it is the leftmost. An entry that is no address
/// (`unknown`, `_hidden`, garbage) ends the search: the client is then the proxy that wrote it.
///
/// When both X-Forwarded-For and Forwarded stand there and name different clients, one of them was
/// not written by the proxy but by the client: nobody can say which, and the proxy's own address
/// would open what is open to it, so that the request is to be refused. The host is taken out of
/// the client's Forwarded entry alone: proxies pass a client's X-Forwarded-Host on.
ForwardedClient forwardedClient(const http::HeaderList& fields, const io::Networks& trusted,
                                Arena& memory);

} // namespace reef::serve
