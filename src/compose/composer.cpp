#include "compose/composer.h"

#include "base/text.h"
#include "http/date.h"

#include <algorithm>
#include <exception>

namespace reef::compose {

namespace {

/// Pages in files up to this size are read at once.
constexpr ByteCount kWholeFile = 1_MiB;
constexpr std::size_t kFilePiece = 64U << 10U;

/// What the exception that is being handled comes to: a bug in a host costs its fragment alone.
http::Handled currentBug() {
    try {
        throw;
    } catch (const std::exception& bug) {
        return http::failWith(500, bug.what());
    } catch (...) {
        return http::failWith(500, "an exception that is no std::exception");
    }
}

} // namespace

Composer::Composer(Host& host, const http::Request& page, http::ResponseSink& downstream,
                   Place* enclosing, const PageRules& rules, const Limits& limits)
    : host_(host), page_(page), downstream_(downstream), enclosing_(enclosing), rules_(rules),
      limits_(limits), ownContext_(limits.fragments),
      context_(enclosing != nullptr ? enclosing->context() : ownContext_),
      interpreter_(host, page, context_, *this, rules,
                   enclosing != nullptr ? enclosing->spec().variables
                                        : SharedAssignments::Snapshot()) {}

// What the handler calls

Task<Status> Composer::begin(const http::ResponseHead& head) {
    treatment_ = treatmentOf(head, page_.method, rules_.compose);
    if (treatment_ == Treatment::pass) co_return co_await downstream_.begin(head);
    learn(head);
    const auto out = pageHead(head, *page_.arena, rules_.keepsLastModified);
    co_return co_await downstream_.begin(out);
}

Task<Status> Composer::write(std::span<const ByteView> pieces) {
    if (treatment_ == Treatment::pass) co_return co_await downstream_.write(pieces);
    if (treatment_ == Treatment::headOnly) co_return Status();
    for (const ByteView piece : pieces) {
        parser_.feed(piece);
        while (absorb()) {
            if (const auto status = co_await handOver(); !status) co_return status;
        }
    }
    co_return co_await handOver();
}

Task<Status> Composer::flush() {
    // What was written has left already, or waits for a fragment and leaves behind it.
    if (draining_) co_return state();
    co_return co_await downstream_.flush();
}

Task<Status> Composer::end() {
    if (treatment_ == Treatment::compose) co_return co_await finish();
    co_return co_await downstream_.end();
}

Task<Status> Composer::send(const http::ResponseHead& head, std::span<const ByteView> pieces) {
    treatment_ = treatmentOf(head, page_.method, rules_.compose);
    if (treatment_ == Treatment::pass) co_return co_await downstream_.send(head, pieces);
    learn(head);
    const auto out = pageHead(head, *page_.arena, rules_.keepsLastModified);
    if (treatment_ == Treatment::headOnly) {
        if (const auto status = co_await downstream_.begin(out); !status) co_return status;
        co_return co_await downstream_.end();
    }
    headToSend_ = &out;
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
    const bool all = !absorb() && !failure_ && headToSend_ != nullptr && outline_.settled();
    if (!all) co_return co_await finish();
    performedAll();
    gather();
    const auto status = co_await downstream_.send(*headToSend_, views_);
    if (!status) co_return stop(status.error());
    co_return status;
}

Task<Status> Composer::sendFile(const http::ResponseHead& head, int file, ByteCount offset,
                                ByteCount count) {
    const auto treatment = treatmentOf(head, page_.method, rules_.compose);
    if (treatment == Treatment::pass) {
        treatment_ = treatment;
        co_return co_await downstream_.sendFile(head, file, offset, count);
    }
    if (treatment == Treatment::headOnly) co_return co_await send(head, {});
    if (count > kWholeFile) co_return co_await composeLongFile(head, file, offset, count);

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
        const auto size = std::min<ByteCount>(count, kFilePiece);
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
    if (enclosing_ != nullptr) return;
    if (const auto date = head.fields.find("Last-Modified")) {
        context_.lastModified = http::parseDate(*date, host_.now());
    }
}

/// Performs items of the piece that was fed. True: there is more, and no room for it, or it has to
/// wait for a fragment.
bool Composer::absorb() {
    while (!failure_) {
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
    return bytes > limits_.textAhead;
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
    Place& place = outline_.add(*this, inclusion, limits_.fragmentAhead);
    if (inclusion.awaited || place.isCapture()) interpreter_.expect(&place, inclusion.variable);
    latest_ = &place;
    startFragments();
}

/// Lets the text of a `write` go out, or go where it may stay when the caller's bytes are gone.
/// Afterwards there is room.
Task<Status> Composer::handOver() {
    if (!draining_ && !failure_) {
        if (gather()) co_await sendGathered();
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
    if (!failure_) performedAll();
    if (!outline_.settled()) stepAside();
    if (!draining_) {
        draining_ = true;
        co_await drain();
    }
    while (draining_)
        co_await drained_.wait();
    if (failure_) co_return state();
    if (headToSend_ != nullptr) co_await sendHead();
    if (failure_) co_return state();
    co_return co_await downstream_.end();
}

/// This page's handler is about to wait for fragments. If it is a fragment itself, it does not keep
/// them from starting.
void Composer::stepAside() noexcept {
    if (enclosing_ != nullptr) enclosing_->stepAside();
}

// Downstream

/// Takes what may go out now. False: nothing.
bool Composer::gather() {
    taken_ = outline_.take(outgoing_);
    views_.clear();
    outgoing_.view(views_);
    return !views_.empty();
}

Task<Status> Composer::sendGathered() {
    if (headToSend_ != nullptr) {
        if (const auto status = co_await sendHead(); !status) co_return status;
    }
    const auto status = co_await downstream_.write(views_);
    headShown_ = true;
    outgoing_.clear();
    if (!status) co_return stop(status.error());
    if (taken_.fragment != nullptr) taken_.fragment->released(taken_.bytes);
    co_return status;
}

Task<Status> Composer::sendHead() {
    const auto status = co_await downstream_.begin(*std::exchange(headToSend_, nullptr));
    if (!status) co_return stop(status.error());
    co_return status;
}

/// Nothing of the content can leave yet; the head can.
Task<Status> Composer::showHead() {
    headShown_ = true;
    if (headToSend_ != nullptr) {
        if (const auto status = co_await sendHead(); !status) co_return status;
    }
    const auto status = co_await downstream_.flush();
    if (!status) co_return stop(status.error());
    co_return status;
}

/// Writes the page out until nothing of it is left here. `draining_` is true as long as it runs.
Task<void> Composer::drain() {
    while (!failure_ && !outline_.empty()) {
        startFragments();
        if (gather()) {
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

// Fragments

void Composer::startFragments() {
    if (starting_ || failure_) return;
    starting_ = true;
    // They start in document order, so what holds a further one back ends without it: those before
    // it settle, and what they hold leaves.
    while (outline_.hasNext() && unsettled_ < limits_.running &&
           outline_.fragmentBytes() < limits_.pageAhead) {
        ++unsettled_;
        fragments_.start(run(outline_.startNext()));
    }
    starting_ = false;
}

Task<void> Composer::run(Outline::Section& section) {
    Place& place = *section.fragment;
    http::Handled outcome;
    try {
        outcome = co_await host_.fragment(place.spec(), place);
    } catch (...) {
        outcome = currentBug();
    }
    place.conclude(outcome);
    if (place.wantsStandIn()) co_await standIn(place);
    outline_.concluded(section);
    startFragments();
}

/// The fragment was of no use: what its include names instead of it, `onerror` before the stub.
Task<void> Composer::standIn(Place& place) {
    if (const auto spec = place.takeOnError()) {
        http::Handled outcome;
        try {
            outcome = co_await host_.fragment(*spec, place);
        } catch (...) {
            outcome = currentBug();
        }
        place.conclude(outcome);
    }
    if (!place.wantsStandIn()) co_return;
    const auto stub = place.takeStub();
    place.conclude(co_await composeStub(*stub, place));
}

/// A block is a page of its own, without the blocks of the page that it stands in: it could name
/// itself as its stub.
Task<http::Handled> Composer::composeStub(std::string_view page, Place& place) {
    Composer composer(host_, page_, place, &place, rules_, limits_);
    composer.rules_.compose = Compose::all;
    http::ResponseHead head(*page_.arena);
    const auto status = co_await http::sendPiece(composer, head, bytesOf(page));
    if (!status) co_return http::failClient(status.error());
    co_return http::Handled();
}

void Composer::placeAdvanced(Place& place) {
    if (&place == outline_.head()) progress_.pulse();
}

void Composer::placeSettled(Place& place) {
    // The next one starts when this one's task is over, which is soon; or with the drain's next
    // turn, should the task linger behind its answer.
    --unsettled_;
    if (interpreter_.awaits(&place)) {
        interpreter_.arrived(&place, place.isCapture() ? place.text() : std::string());
        drained_.pulse(); // the page may go on
    }
    progress_.pulse();
}

/// What a fragment's page has set holds in this page as if it stood there, if nothing was done
/// since: one that is composed at once, as files are, or one that is awaited. All others come too
/// late, or in no order.
void Composer::placeAssigned(Place& place, const SharedAssignments::Snapshot& set) {
    if (&place == latest_ || interpreter_.awaits(&place))
        interpreter_.adopt(place.spec().variables, set);
}

void Composer::placeTroubled(Place& place, std::string_view what) {
    const FragmentSpec& spec = place.spec();
    context_.tell(host_, page_, spec.line, text::concat("include of ", spec.target, " ", what));
}

} // namespace reef::compose
