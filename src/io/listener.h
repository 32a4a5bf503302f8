#pragma once

#include "base/fd.h"
#include "base/result.h"
#include "io/address.h"
#include "io/watch.h"

namespace reef::io {

/// Makes a socket that listens at `address`: non-blocking, close-on-exec, address reuse, one of
/// several on the same port when `spread` is yes (SO_REUSEPORT: one per loop). A port given without
/// an address takes IPv6 and IPv4, or IPv4 alone where the machine has no IPv6. A stale unix socket
/// is replaced, a live one is not. Errors: system with EADDRINUSE, EACCES, EADDRNOTAVAIL….
enum class Spread : bool { no, yes };
Result<Fd> listenAt(const Address& address, Spread spread = Spread::no);

struct Accepted {
    Fd socket; ///< non-blocking, close-on-exec
    Address peer;
};

/// Accepts from a listening socket that other processes may hold too.
class Listener {
public:
    Listener(Loop& loop, Fd socket) : watch_(loop, std::move(socket), Watch::Shared::yes) {}

    class AcceptAwaiter final : public IoAwaiter {
    public:
        explicit AcceptAwaiter(Listener& listener) noexcept
            : IoAwaiter(listener.watch_, kNever), listener_(listener) {}
        Result<Accepted> await_resume() noexcept { return std::move(outcome_); }

    private:
        Step attempt() override;
        void timedOut() noexcept override {}
        Listener& listener_;
        Result<Accepted> outcome_ = fail(Error::failed);
    };

    /// `co_await listener.accept()`. Errors: system with EMFILE, ENFILE, ENOBUFS or ENOMEM, upon
    /// which the caller waits before the next try: the connection stays in the backlog.
    AcceptAwaiter accept() noexcept { return AcceptAwaiter(*this); }

    /// Without waiting. Errors: unavailable when nobody is in the queue; else as `accept`.
    Result<Accepted> acceptNow() noexcept;

private:
    Watch watch_;
};

} // namespace reef::io
