#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace reef::compose {

/// Which part of a page `if`, `elif`, `else` and `endif` show. Each `if` that was entered is open
/// until its `leave`.
class Conditions {
public:
    /// Beyond, an `if` hides everything up to its `endif`.
    static constexpr std::size_t kMaxDepth = 200;

    /// Whether text that stands here is shown.
    bool shown() const noexcept { return top().shown && beyond_ == 0; }

    /// Whether an `if` is open.
    bool open() const noexcept { return !levels_.empty(); }

    /// An `if` that holds or does not. One that stands in hidden text hides all its branches.
    void enter(bool holds);

    /// An `if` that could not be understood: hides all its branches.
    void enterBroken();

    /// Whether an `elif` has to be looked at: no branch before it was taken, and none around hides.
    bool undecided() const noexcept { return beyond_ == 0 && !top().taken; }

    /// An `elif`. `holds` only matters when it is undecided.
    void alternative(bool holds) noexcept;

    /// An `else`. One without an `if` hides everything up to the next `endif`.
    void otherwise() noexcept;
    bool hasElse() const noexcept { return beyond_ == 0 && top().hasElse; }

    /// An `endif`. One without an `if` ends what a stray `else` hid.
    void leave() noexcept;

private:
    struct Level {
        bool taken;   ///< a branch was shown, or none may be
        bool shown;   ///< this one is
        bool hasElse; ///< an `else` was seen
    };

    const Level& top() const noexcept { return levels_.empty() ? outside_ : levels_.back(); }
    Level& top() noexcept { return levels_.empty() ? outside_ : levels_.back(); }
    void push(Level level);

    Level outside_{true, true, false};
    std::vector<Level> levels_;
    std::size_t beyond_ = 0; ///< open ones for which there is no level
};

} // namespace reef::compose
