#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <utility>

namespace reef::admin {

/// Bounds how much costly work waits or runs on the workers. A pass goes into the work itself and
/// is given back when the work is destroyed, not when its client has gone: a client that asks and
/// leaves, over and over, occupies no more than one that stays. Passes may outlive the limit.
class WorkLimit {
public:
    explicit WorkLimit(int most) : free_(std::make_shared<std::atomic<int>>(most)) {}

    class [[nodiscard]] Pass {
    public:
        Pass(Pass&&) noexcept = default;
        Pass& operator=(Pass&&) = delete;
        ~Pass() {
            if (free_) ++*free_;
        }

    private:
        friend class WorkLimit;
        explicit Pass(std::shared_ptr<std::atomic<int>> free) noexcept : free_(std::move(free)) {}
        std::shared_ptr<std::atomic<int>> free_;
    };

    /// Nothing when all passes are out. Any thread.
    std::optional<Pass> enter() {
        if (--*free_ >= 0) return Pass(free_);
        ++*free_;
        return std::nullopt;
    }

private:
    std::shared_ptr<std::atomic<int>> free_;
};

} // namespace reef::admin
