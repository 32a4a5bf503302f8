#include "compose/conditions.h"

namespace reef::compose {

void Conditions::push(Level level) {
    if (beyond_ != 0 || levels_.size() == kMaxDepth) {
        ++beyond_;
    } else {
        levels_.push_back(level);
    }
}

void Conditions::enter(bool holds) {
    if (!shown()) return enterBroken();
    push({holds, holds, false});
}

void Conditions::enterBroken() {
    push({true, false, false});
}

void Conditions::alternative(bool holds) noexcept {
    if (beyond_ != 0) return;
    Level& level = top();
    level.shown = !level.taken && holds;
    level.taken = level.taken || holds;
}

void Conditions::otherwise() noexcept {
    if (beyond_ != 0) return;
    Level& level = top();
    level.shown = !level.taken;
    level.taken = true;
    level.hasElse = true;
}

void Conditions::leave() noexcept {
    if (beyond_ != 0) {
        --beyond_;
    } else if (levels_.empty()) {
        outside_ = {true, true, false};
    } else {
        levels_.pop_back();
    }
}

} // namespace reef::compose
