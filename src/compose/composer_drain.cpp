// How a page leaves: in document order, as soon as may be.
// clang-format off: the header that this is a part of comes first
#include "compose/composer.h"
// clang-format on

namespace reef::compose {

/// Takes what may go out now. False: nothing.
bool Composer::gather() {
    taken_ = outline_.take(outgoing_);
    views_.clear();
    outgoing_.view(views_);
    return !views_.empty();
}

Task<Status> Composer::sendGathered() {
    if (headWaits()) {
        if (const auto status = co_await sendHead(); !status) co_return status;
    }
    noteHead();
    const auto status = co_await downstream_.write(views_);
    headShown_ = true;
    outgoing_.clear();
    if (!status) co_return stop(status.error());
    if (taken_.fragment != nullptr) taken_.fragment->released(taken_.bytes);
    co_return status;
}

Task<Status> Composer::sendHead() {
    headSent_ = true;
    answer_->sayHowLong(false);
    const auto status = co_await downstream_.begin(answer_->head());
    if (!status) co_return stop(status.error());
    co_return status;
}

void Composer::noteHead() noexcept {
    if (context_.trace == nullptr || enclosing_ != nullptr) return;
    if (context_.trace->headSent == FragmentTrace::Time{})
        context_.trace->headSent = std::chrono::steady_clock::now();
}

/// The page is complete, and nothing of it has left.
Task<Status> Composer::sendWhole() {
    gather();
    headSent_ = true;
    answer_->sayHowLong(true);
    if (enclosing_ == nullptr) answer_->tag(views_);
    const auto status = co_await downstream_.send(answer_->head(), views_);
    if (!status) co_return stop(status.error());
    co_return status;
}

/// The primary fragment leads elsewhere: what else there is of the page is of no use.
Task<Status> Composer::sendRedirect() {
    fragments_.dropAll();
    outgoing_.clear();
    outline_.clear();
    headSent_ = true;
    const auto status = co_await downstream_.send(answer_->head(), {});
    if (!status) co_return stop(status.error());
    co_return status;
}

/// Nothing of the content can leave yet; the head can.
Task<Status> Composer::showHead() {
    headShown_ = true;
    noteHead();
    if (headWaits()) {
        if (const auto status = co_await sendHead(); !status) co_return status;
    }
    const auto status = co_await downstream_.flush();
    if (!status) co_return stop(status.error());
    co_return status;
}

/// Writes the page out until nothing of it is left here. `draining_` is true as long as it runs.
Task<void> Composer::drain() {
    while (!over() && !outline_.empty()) {
        startFragments();
        if (over()) break;
        if (primary_ != nullptr) {
            co_await progress_.wait();
        } else if (gather()) {
            co_await sendGathered();
            drained_.pulse();
        } else if (!outline_.empty()) {
            if (headShown_) {
                co_await progress_.wait();
            } else {
                co_await showHead();
            }
        }
    }
    if (redirects_ && !failure_) co_await sendRedirect();
    draining_ = false;
    drained_.pulse();
}

Status Composer::stop(Error error) {
    failure_ = error;
    fragments_.dropAll();
    outgoing_.clear();
    outline_.clear();
    return state();
}

Status Composer::state() const {
    if (failure_) return fail(*failure_);
    return {};
}

} // namespace reef::compose
