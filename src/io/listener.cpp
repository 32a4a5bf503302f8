#include "io/listener.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace reef::io {

namespace {

constexpr int kBacklog = 4096; // the kernel cuts it to net.core.somaxconn

/// A unix socket's file outlives its server. It is taken away only when nobody answers there.
void removeStaleSocket(const Address& address) {
    struct stat status{};
    const std::string path = address.host();
    if (::lstat(path.c_str(), &status) != 0 || !S_ISSOCK(status.st_mode)) return;
    const Fd probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (::connect(probe.get(), address.data(), address.size()) != 0 && errno == ECONNREFUSED)
        ::unlink(path.c_str());
}

Result<Fd> bound(const Address& address, Spread spread) {
    Fd socket(::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket) return fail(Error::fromErrno());
    const int yes = 1;
    const int no = 0;
    if (!address.isUnix()) {
        ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes,
                     sizeof yes); // accepted sockets inherit it
    }
    if (address.family() == AF_INET6)
        ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
    if (spread == Spread::yes && !address.isUnix() &&
        ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes) != 0)
        return fail(Error::fromErrno());
    if (::bind(socket.get(), address.data(), address.size()) != 0) return fail(Error::fromErrno());
    if (::listen(socket.get(), kBacklog) != 0) return fail(Error::fromErrno());
    return socket;
}

bool isWildcard(const Address& address) {
    return address.family() == AF_INET6 && address.host() == "::";
}

} // namespace

Result<Fd> listenAt(const Address& address, Spread spread) {
    if (address.isUnix()) removeStaleSocket(address);
    auto socket = bound(address, spread);
    const bool noIpv6 = !socket && (socket.error().systemError() == EAFNOSUPPORT ||
                                    socket.error().systemError() == EADDRNOTAVAIL);
    if (noIpv6 && isWildcard(address)) {
        const auto ipv4 = Address::parse("0.0.0.0:" + std::to_string(address.port()));
        if (ipv4) return bound(*ipv4, spread);
    }
    return socket;
}

Result<Accepted> Listener::acceptNow() noexcept {
    for (;;) {
        sockaddr_storage peer{};
        socklen_t length = sizeof peer;
        Fd socket(::accept4(watch_.descriptor(), reinterpret_cast<sockaddr*>(&peer), &length,
                            SOCK_NONBLOCK | SOCK_CLOEXEC));
        if (socket)
            return Accepted{std::move(socket), Address(reinterpret_cast<sockaddr*>(&peer), length)};
        switch (errno) {
        case EAGAIN:
            watch_.readDrained();
            return fail(Error::unavailable);
        case EMFILE:
        case ENFILE:
        case ENOBUFS:
        case ENOMEM:
            return fail(Error::fromErrno());
        default:
            continue; // this connection failed before it was accepted (accept(2)): the next one
        }
    }
}

IoAwaiter::Step Listener::AcceptAwaiter::attempt() {
    if (!watch().mayRead()) return Step::wantsRead;
    outcome_ = listener_.acceptNow();
    const bool none = !outcome_ && outcome_.error() == Error::unavailable;
    return none ? Step::wantsRead : Step::done;
}

} // namespace reef::io
