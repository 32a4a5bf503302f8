#pragma once

#include "base/fd.h"
#include "base/result.h"
#include "io/address.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reef::process {

/// The listening sockets of a site. The keeper holds them for as long as it runs, so that a
/// connection made while the server restarts waits in the kernel and is not refused.
class Listeners {
public:
    struct Entry {
        io::Address address; ///< as bound: port 0 has become a number
        std::vector<Fd> sockets;
    };

    /// Binds `copies` sockets at `address`, one for each event loop (SO_REUSEPORT when more than
    /// one), or finds those that are bound there already. A number of copies other than theirs, or
    /// more than 32, or more than one for a unix socket, is `unsupported`. The entry stays where it
    /// is until the next change. Errors: system with EADDRINUSE (also when another program shares
    /// the port with SO_REUSEPORT), EACCES, EADDRNOTAVAIL…
    Result<const Entry*> add(const io::Address& address, unsigned copies = 1);

    /// Closes the sockets of `address`. Error: notFound.
    Status remove(const io::Address& address);

    /// Closes all: from now on a connect is refused.
    void closeAll() noexcept { entries_.clear(); }

    std::span<const Entry> entries() const noexcept { return entries_; }

private:
    std::vector<Entry> entries_;
};

} // namespace reef::process
