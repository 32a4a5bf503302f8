#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reef::compose {

/// The variables that pages have `set`, in the order in which they were first set. Names compare
/// without case.
class Assignments {
public:
    using Entry = std::pair<std::string, std::string>;

    /// Bounds of all that one page has set.
    static constexpr std::size_t kMaxNames = 500;
    static constexpr std::size_t kMaxBytes = 1U << 20U;

    std::optional<std::string_view> find(std::string_view name) const noexcept;

    /// False: that would be too much.
    bool set(std::string_view name, std::string_view value);

    const std::vector<Entry>& entries() const noexcept { return entries_; }

private:
    std::vector<Entry> entries_;
    std::size_t bytes_ = 0;
};

/// Assignments that pages share until one of them changes them; null: none. One thread.
class SharedAssignments {
public:
    using Snapshot = std::shared_ptr<const Assignments>;

    SharedAssignments() = default;
    explicit SharedAssignments(Snapshot begun) noexcept : shared_(std::move(begun)) {}

    std::optional<std::string_view> find(std::string_view name) const noexcept {
        return shared_ == nullptr ? std::nullopt : shared_->find(name);
    }

    bool set(std::string_view name, std::string_view value) {
        if (own_ == nullptr || own_.use_count() != 2 || own_ != shared_) {
            own_ = shared_ == nullptr ? std::make_shared<Assignments>()
                                      : std::make_shared<Assignments>(*shared_);
            shared_ = own_;
        }
        return own_->set(name, value);
    }

    /// As they are now, whatever is set later.
    const Snapshot& snapshot() const noexcept { return shared_; }

    void adopt(Snapshot other) noexcept {
        own_.reset();
        shared_ = std::move(other);
    }

private:
    Snapshot shared_;
    std::shared_ptr<Assignments> own_; // shared_, when nobody else has it
};

} // namespace reef::compose
