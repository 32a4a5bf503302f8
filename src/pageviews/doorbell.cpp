#include "pageviews/doorbell.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

namespace reef::pageviews {

Result<Doorbell> Doorbell::open() {
    Fd event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!event) return fail(Error::fromErrno());
    return Doorbell(std::move(event));
}

void Doorbell::ring() const noexcept {
    const std::uint64_t one = 1;
    // Fails only when the counter is full, and then it rings anyhow.
    [[maybe_unused]] const auto written = ::write(event_.get(), &one, sizeof one);
}

void Doorbell::wait(std::chrono::milliseconds limit) const noexcept {
    pollfd waiting{event_.get(), POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(limit.count())) <= 0) return;
    std::uint64_t rings = 0;
    [[maybe_unused]] const auto taken = ::read(event_.get(), &rings, sizeof rings);
}

} // namespace reef::pageviews
