#pragma once

#include "io/network.h"

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace reef::serve {

/// Counts the connections of each client (io::customerOf). Shared by all loops; any thread.
class AddressLimit {
public:
    /// One counted connection, for as long as it lives.
    class [[nodiscard]] Place {
    public:
        Place() noexcept = default;
        Place(Place&& other) noexcept
            : limit_(std::exchange(other.limit_, nullptr)), customer_(other.customer_) {}
        Place& operator=(Place&& other) noexcept {
            std::swap(limit_, other.limit_);
            std::swap(customer_, other.customer_);
            return *this;
        }
        ~Place() {
            if (limit_ != nullptr) limit_->leave(customer_);
        }

    private:
        friend class AddressLimit;
        Place(AddressLimit& limit, const io::HostBits& customer) noexcept
            : limit_(&limit), customer_(customer) {}
        AddressLimit* limit_ = nullptr;
        io::HostBits customer_{};
    };

    /// A place for one more connection of this client, or nothing when it has `most` already. The
    /// limit outlives its places.
    std::optional<Place> enter(const io::HostBits& host, std::size_t most);

private:
    void leave(const io::HostBits& customer) noexcept;

    std::mutex mutex_;
    std::map<io::HostBits, std::size_t> open_; // guarded by mutex_; no entry is 0
};

} // namespace reef::serve
