#include "serve/descriptor_reserve.h"

#include "base/fd.h"

#include <sys/eventfd.h>
#include <sys/resource.h>

#include <algorithm>
#include <limits>

namespace reef::serve {

DescriptorReserve::DescriptorReserve() noexcept : first_(std::numeric_limits<int>::max()) {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    if (limit.rlim_cur > static_cast<rlim_t>(first_)) return; // also RLIM_INFINITY
    const auto all = static_cast<std::size_t>(limit.rlim_cur);
    first_ = static_cast<int>(all - std::min(sizeFor(all), all));
}

std::size_t DescriptorReserve::sizeFor(std::size_t limit) noexcept {
    return std::clamp<std::size_t>(limit / 8, 16, 256);
}

bool DescriptorReserve::isTouched() const noexcept {
    const Fd probe(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    return !probe || holds(probe.get());
}

} // namespace reef::serve
