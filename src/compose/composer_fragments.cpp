// How the fragments of a page run, and what becomes of their answers.
// clang-format off: the header that this is a part of comes first
#include "compose/composer.h"
// clang-format on

#include "base/text.h"

#include <exception>

namespace reef::compose {

namespace {

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

void Composer::startFragments() {
    if (starting_ || over()) return;
    starting_ = true;
    // They start in document order, so what holds a further one back ends without it: those before
    // it settle, and what they hold leaves.
    while (!over() && outline_.hasNext() && unsettled_ < limits_.running &&
           outline_.fragmentBytes() < limits_.pageAhead && (unsettled_ == 0 || !isTight())) {
        ++unsettled_;
        fragments_.start(run(outline_.startNext()));
    }
    starting_ = false;
}

Task<void> Composer::run(Outline::Section& section) {
    Place& place = *section.fragment;
    if (place.spec().timeout) {
        co_await attemptInTime(place);
    } else {
        co_await attempts(place);
    }
    if (place.wantsStandIn()) co_await standIn(place);
    outline_.concluded(section);
    startFragments();
}

Task<http::Handled> Composer::attempt(const FragmentSpec& spec, Place& place) {
    try {
        co_return co_await host_.fragment(spec, place);
    } catch (...) {
        co_return currentBug();
    }
}

Task<http::Handled> Composer::attempts(Place& place) {
    do {
        place.began();
        place.conclude(co_await attempt(place.spec(), place));
    } while (place.takeRetry());
    co_return http::Handled();
}

Task<void> Composer::attemptInTime(Place& place) {
    const auto inTime = co_await host_.within(*place.spec().timeout, place, attempts(place));
    if (inTime) co_return;
    place.giveUp();
    place.conclude(inTime);
}

/// The fragment was of no use: what its include names instead of it, a path before a block.
Task<void> Composer::standIn(Place& place) {
    if (const auto spec = place.takeOnError()) place.conclude(co_await attempt(*spec, place));
    if (!place.wantsStandIn()) co_return;
    if (const auto stub = place.takeStub()) {
        place.conclude(co_await composeStub(*stub, place));
    } else {
        place.settleFailed();
    }
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
    if (&place == primary_) {
        if (place.failure() != 0) answer_->failWith(place.failure());
        primary_ = nullptr;
    }
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

// Heads of fragments

/// The page has the status of this fragment, if it may still wait for it. It starts at once: those
/// before it may be waiting for the page to leave.
void Composer::makePrimary(Place& place) {
    if (headWaits() && primary_ == nullptr && !primarySeen_) {
        primary_ = &place;
        primarySeen_ = true;
        ++unsettled_;
        return fragments_.start(run(outline_.startLast()));
    }
    const auto* const why = primarySeen_ ? "another fragment is the primary one"
                                         : "it comes too late: the page has begun to leave";
    placeTroubled(place, text::concat("cannot be primary: ", why));
}

Reception Composer::placeBegan(Place& place, const http::ResponseHead& head) {
    if (&place == primary_) return receivePrimary(place, head);
    if (head.status < 200 || head.status > 299) return Reception::usual;
    if (headWaits()) {
        answer_->join(head);
    } else if (head.fields.contains("Set-Cookie")) {
        placeTroubled(place, "sets a cookie too late: the page's head had left (docs/ssi.md)");
    }
    return Reception::usual;
}

Reception Composer::receivePrimary(const Place& place, const http::ResponseHead& head) {
    const bool isGood = head.status >= 200 && head.status <= 399;
    if (!isForPages(head.status) || (!isGood && place.hasOtherWay())) return Reception::usual;
    answer_->adopt(head);
    primary_ = nullptr;
    progress_.pulse();
    redirects_ = answer_->redirects();
    return redirects_ ? Reception::ends : Reception::taken;
}

} // namespace reef::compose
