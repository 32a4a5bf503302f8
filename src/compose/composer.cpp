#include "compose/composer.h"

#include "http/date.h"

#include <algorithm>

namespace reef::compose {

namespace {

/// Pages in files up to this size are read at once.
constexpr ByteCount kWholeFile = 1_MiB;
constexpr ByteCount kFilePiece = 64_KiB;

} // namespace

namespace {

PageRules within(PageRules rules, const Place* enclosing) noexcept {
    if (enclosing != nullptr && enclosing->spec().foreign) rules.foreign = true;
    return rules;
}

} // namespace

Composer::Composer(Host& host, const http::Request& page, http::ResponseSink& downstream,
                   Place* enclosing, const PageRules& rules, const Limits& limits)
    : host_(host), page_(page), downstream_(downstream), enclosing_(enclosing),
      rules_(within(rules, enclosing)), limits_(limits), ownContext_(limits.fragments, rules.trace),
      context_(enclosing != nullptr ? enclosing->context() : ownContext_),
      interpreter_(host, page, context_, *this, rules_,
                   enclosing != nullptr ? enclosing->spec().variables
                                        : SharedAssignments::Snapshot()) {}

// What the handler calls

Task<Status> Composer::begin(const http::ResponseHead& head) {
    treatment_ = treatmentOf(head, page_.method, rules_.compose);
    if (treatment_ == Treatment::pass) co_return co_await downstream_.begin(head);
    learn(head);
    answer_->own();
    const bool isRefused = enclosing_ != nullptr && (head.status < 200 || head.status > 299);
    if (isRefused && !enclosing_->isPrimary()) co_return co_await sendHead();
    co_return Status();
}

Task<Status> Composer::write(std::span<const ByteView> pieces) {
    if (treatment_ == Treatment::pass) co_return co_await downstream_.write(pieces);
    if (treatment_ == Treatment::headOnly) co_return Status();
    for (const ByteView piece : pieces) {
        if (redirects_) co_return state();
        parser_.feed(piece);
        while (absorb()) {
            if (const auto status = co_await handOver(); !status) co_return status;
        }
    }
    co_return co_await handOver();
}

Task<Status> Composer::flush() {
    // What was written has left already, or waits for a fragment and leaves behind it.
    if (draining_ || primary_ != nullptr || redirects_) co_return state();
    co_return co_await showHead();
}

Task<Status> Composer::end() {
    if (treatment_ == Treatment::compose) co_return co_await finish();
    if (headWaits())
        if (const auto status = co_await sendHead(); !status) co_return status;
    co_return co_await downstream_.end();
}

Task<Status> Composer::send(const http::ResponseHead& head, std::span<const ByteView> pieces) {
    treatment_ = treatmentOf(head, page_.method, rules_.compose);
    if (treatment_ == Treatment::pass) co_return co_await downstream_.send(head, pieces);
    learn(head);
    if (treatment_ == Treatment::headOnly) co_return co_await end();
    lasting_ = true;
    co_return co_await composeWhole(pieces);
}

Task<Status> Composer::composeWhole(std::span<const ByteView> pieces) {
    for (const ByteView piece : pieces) {
        parser_.feed(piece);
        while (absorb()) {
            if (const auto status = co_await handOver(); !status) co_return status;
        }
    }
    parser_.finish();
    const bool all = !absorb() && !over() && headWaits() && outline_.settled();
    if (!all) co_return co_await finish();
    performedAll();
    co_return co_await sendWhole();
}

Task<Status> Composer::sendFile(const http::ResponseHead& head, int file, ByteCount offset,
                                ByteCount count) {
    const auto treatment = treatmentOf(head, page_.method, rules_.compose);
    if (treatment == Treatment::pass) {
        treatment_ = treatment;
        co_return co_await downstream_.sendFile(head, file, offset, count);
    }
    if (treatment == Treatment::headOnly) co_return co_await send(head, {});
    if (count > (isTight() ? kFilePiece : kWholeFile))
        co_return co_await composeLongFile(head, file, offset, count);

    ByteQueue content;
    if (const auto status = content.readFile(file, offset, count); !status) co_return status;
    ByteQueue::Views views;
    content.view(views);
    co_return co_await send(head, views);
}

Task<Status> Composer::composeLongFile(const http::ResponseHead& head, int file, ByteCount offset,
                                       ByteCount count) {
    if (const auto status = co_await begin(head); !status) co_return status;
    while (count != 0) {
        const auto size = std::min(count, kFilePiece);
        ByteQueue content;
        if (const auto status = content.readFile(file, offset, size); !status) co_return status;
        ByteQueue::Views views;
        content.view(views);
        if (const auto status = co_await write(views); !status) co_return status;
        offset += size;
        count -= size;
    }
    co_return co_await end();
}

// The page's own text and directives

void Composer::learn(const http::ResponseHead& head) {
    answer_.emplace(head, *page_.arena, rules_.keepsLastModified);
    if (enclosing_ != nullptr) return;
    if (const auto date = head.fields.find("Last-Modified")) {
        context_.lastModified = http::parseDate(*date, host_.now());
    }
}

/// Performs items of the piece that was fed. True: there is more, and no room for it, or it has to
/// wait for a fragment.
bool Composer::absorb() {
    while (!over()) {
        if (crowded()) return true;
        if (heldItem_) {
            if (!perform(*heldItem_)) return true;
            heldItem_.reset();
            continue;
        }
        const auto item = parser_.next();
        if (!item) return false;
        if (perform(*item)) continue;
        heldItem_ = item;
        return true;
    }
    return false;
}

/// False: it cannot be performed yet.
bool Composer::perform(const Item& item) {
    if (interpreter_.mustWait(item)) return false;
    if (!std::holds_alternative<TextRun>(item)) latest_ = nullptr;
    interpreter_.perform(item);
    return true;
}

/// The page has come to its end. What includes it may need what it has set.
void Composer::performedAll() {
    interpreter_.finish();
    if (enclosing_ == nullptr) return;
    const auto& set = interpreter_.assignments();
    if (set != enclosing_->spec().variables) enclosing_->assigned(set);
}

bool Composer::crowded() const noexcept {
    const auto bytes = lasting_ ? outline_.textOwned() : outline_.textBytes();
    return bytes > (isTight() ? limits_.leastAhead : limits_.textAhead);
}

void Composer::text(ByteView bytes) {
    if (lasting_ || !draining_) {
        outline_.lend(bytes);
    } else {
        outline_.append(textOf(bytes));
    }
}

void Composer::print(std::string_view made) {
    outline_.append(made);
}

void Composer::include(const Inclusion& inclusion) {
    Place& place = outline_.add(*this, inclusion, limits_.fragmentAhead, limits_.leastAhead);
    if (inclusion.awaited || place.isCapture()) interpreter_.expect(&place, inclusion.variable);
    latest_ = &place;
    if (place.isPrimary()) makePrimary(place);
    startFragments();
}

/// Lets the text of a `write` go out, or go where it may stay when the caller's bytes are gone.
/// Afterwards there is room.
Task<Status> Composer::handOver() {
    if (!draining_ && !over()) {
        if (primary_ == nullptr && gather()) co_await sendGathered();
        if (failure_ || outline_.empty()) co_return state();
        if (!lasting_) outline_.own();
        draining_ = true;
        drains_.start(drain());
    }
    while (draining_ && mustPause()) {
        if (heldItem_ && !interpreter_.mustWait(*heldItem_) && !crowded()) break;
        stepAside();
        co_await drained_.wait();
    }
    co_return state();
}

/// The page is complete: waits until all of it has left.
Task<Status> Composer::finish() {
    parser_.finish();
    while (absorb()) {
        if (const auto status = co_await handOver(); !status) co_return status;
    }
    if (!over()) performedAll();
    if (!outline_.settled()) stepAside();
    if (!draining_) {
        draining_ = true;
        co_await drain();
    }
    while (draining_)
        co_await drained_.wait();
    if (over()) co_return state();
    if (headWaits()) co_await sendHead();
    if (failure_) co_return state();
    co_return co_await downstream_.end();
}

/// This page's handler is about to wait for fragments. If it is a fragment itself, it does not keep
/// them from starting.
void Composer::stepAside() noexcept {
    if (enclosing_ != nullptr) enclosing_->stepAside();
}

} // namespace reef::compose
