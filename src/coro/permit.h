#pragma once

#include <utility>

namespace reef::coro {

/// Hands out permits, and takes them back. Outlives them.
class PermitOwner {
protected:
    ~PermitOwner() = default;

private:
    friend class Permit;
    virtual void takeBack(void* token) noexcept = 0;
};

/// The right to go on, whoever has given it; given back when destroyed. On the thread of the task
/// that got it.
class [[nodiscard]] Permit {
public:
    Permit() noexcept = default;

    /// `token` is the owner's, to know the permit by.
    Permit(PermitOwner& owner, void* token) noexcept : owner_(&owner), token_(token) {}

    Permit(Permit&& other) noexcept
        : owner_(std::exchange(other.owner_, nullptr)), token_(other.token_) {}
    Permit& operator=(Permit&& other) noexcept {
        std::swap(owner_, other.owner_);
        std::swap(token_, other.token_);
        return *this;
    }
    Permit(const Permit&) = delete;
    Permit& operator=(const Permit&) = delete;
    ~Permit() {
        if (owner_ != nullptr) owner_->takeBack(token_);
    }

    explicit operator bool() const noexcept { return owner_ != nullptr; }

private:
    PermitOwner* owner_ = nullptr;
    void* token_ = nullptr;
};

} // namespace reef::coro
