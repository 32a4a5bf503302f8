#include "serve/address_limit.h"

namespace reef::serve {

std::optional<AddressLimit::Place> AddressLimit::enter(const io::HostBits& host, std::size_t most) {
    const io::HostBits customer = io::customerOf(host);
    const std::lock_guard lock(mutex_);
    std::size_t& count = open_[customer];
    if (count >= most) {
        if (count == 0) open_.erase(customer);
        return std::nullopt;
    }
    ++count;
    return Place(*this, customer);
}

void AddressLimit::leave(const io::HostBits& customer) noexcept {
    const std::lock_guard lock(mutex_);
    const auto entry = open_.find(customer);
    if (entry != open_.end() && --entry->second == 0) open_.erase(entry);
}

} // namespace reef::serve
