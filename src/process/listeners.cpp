#include "process/listeners.h"

#include "io/listener.h"
#include "io/packet.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace reef::process {

namespace {

bool same(const io::Address& a, const io::Address& b) {
    return a.describe() == b.describe();
}

Result<io::Address> boundAddress(int socket) {
    sockaddr_storage storage{};
    socklen_t length = sizeof storage;
    auto* address = reinterpret_cast<sockaddr*>(&storage);
    if (::getsockname(socket, address, &length) != 0) return fail(Error::fromErrno());
    return io::Address(address, length);
}

/// Binding with SO_REUSEPORT succeeds beside another program of the same user that does so too, and
/// the two would share the visitors. A bind without it does not.
Status requireSoleUse(const io::Address& address) {
    const Fd probe(::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!probe) return fail(Error::fromErrno());
    const int yes = 1;
    ::setsockopt(probe.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (::bind(probe.get(), address.data(), address.size()) == 0 || errno != EADDRINUSE) return {};
    return fail(Error::fromErrno()); // other failures are those of the real bind, which says them
}

/// Who may come in by a unix socket is said by the rights of its directory: a proxy has a user of
/// its own. The socket is made with its rights: in a directory of somebody else's its name may mean
/// another file a moment later, and root would open that to everybody.
class OpenToAll {
public:
    OpenToAll() noexcept : before_(::umask(0111)) {} // the keeper has one thread
    ~OpenToAll() { ::umask(before_); }
    OpenToAll(const OpenToAll&) = delete;
    OpenToAll& operator=(const OpenToAll&) = delete;

private:
    mode_t before_;
};

Result<Listeners::Entry> bound(const io::Address& address, unsigned copies) {
    const auto spread = copies > 1 ? io::Spread::yes : io::Spread::no;
    if (copies > 1 && !address.isUnix()) {
        if (const Status sole = requireSoleUse(address); !sole) return fail(sole.error());
    }
    Listeners::Entry entry{address, {}};
    while (entry.sockets.size() < copies) {
        const OpenToAll rights;
        auto socket = io::listenAt(entry.address, spread);
        if (!socket) return fail(socket.error());
        if (address.port() == 0 && !address.isUnix()) {
            const auto chosen = boundAddress(socket->get());
            if (!chosen) return fail(chosen.error());
            entry.address = *chosen;
        }
        entry.sockets.push_back(std::move(*socket));
    }
    return entry;
}

} // namespace

Result<const Listeners::Entry*> Listeners::add(const io::Address& address, unsigned copies) {
    const std::size_t most = address.isUnix() ? 1 : io::kMaxPacketFds; // they travel in one packet
    if (copies == 0 || copies > most) return fail(Error::unsupported);
    const auto held = std::ranges::find_if(
        entries_, [&address](const Entry& entry) { return same(entry.address, address); });
    if (held != entries_.end()) {
        if (held->sockets.size() != copies) return fail(Error::unsupported);
        return &*held;
    }
    auto entry = bound(address, copies);
    if (!entry) return fail(entry.error());
    return &entries_.emplace_back(std::move(*entry));
}

Status Listeners::remove(const io::Address& address) {
    const auto removed = std::erase_if(
        entries_, [&address](const Entry& entry) { return same(entry.address, address); });
    if (removed == 0) return fail(Error::notFound);
    if (address.isUnix()) ::unlink(address.host().c_str());
    return {};
}

} // namespace reef::process
