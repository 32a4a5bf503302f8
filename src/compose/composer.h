#pragma once

#include "compose/host.h"
#include "compose/interpreter.h"
#include "compose/outline.h"
#include "compose/page_answer.h"
#include "compose/page_head.h"
#include "compose/parser.h"
#include "compose/place.h"
#include "coro/event.h"
#include "coro/scope.h"
#include "http/response.h"

#include <optional>
#include <span>

namespace reef::compose {

/// Bounds of one page, in bytes and fragments. Each included page has the same for its own. What a
/// page holds in memory is at most about `pageAhead` + `running` x `fragmentAhead` + `textAhead`.
struct Limits {
    Limits() noexcept {}

    std::size_t fragmentAhead = 256U << 10U; ///< bytes one fragment may be ahead of the page
    std::size_t pageAhead = 2U << 20U; ///< bytes all of them hold before no further one is started
    std::size_t textAhead = 256U << 10U; ///< the page's own text behind an unfinished fragment

    /// What all pages of the loop may hold. Beyond that each goes on with one fragment at a time,
    /// and nothing runs ahead of it by more than `leastAhead`.
    std::size_t loopAhead = 32U << 20U;
    std::size_t leastAhead = 4U << 10U;
    std::size_t running = 16;     ///< fragments of this page at work at once
    std::size_t fragments = 1000; ///< of the whole page, with all that it includes
};

/// A filter between the handler that produces a page and the sink it goes to: replaces the
/// directives in it, runs the included fragments all at once, and puts everything out in document
/// order.
///
///     handler --begin/write/end--> Composer --begin/write/end--> downstream
///                                     |  Host::fragment(spec, place), one task for each include
///
/// What leaves, and when. Text leaves at once unless an unfinished fragment stands before it.
/// Fragments start as soon as their directive is parsed, `running` of them at once, in document
/// order; the first unfinished one streams, those after it fill their places. The page has no
/// Content-Length, ETag, Last-Modified or Accept-Ranges. A page that came by `send` or `sendFile`
/// and whose fragments all ended at once, within the limits, goes out by one `send`, so with its
/// length.
///
/// A directive that needs what a fragment brings (Interpreter::mustWait) waits for it, and what
/// stands behind it in the page with it; the fragments before it are at work meanwhile.
///
/// A fragment that fails leaves the error text in its place (see Place) and the page goes on. When
/// the downstream fails, all fragments are dropped at once and every call answers that error. A
/// HEAD request runs no fragment.
///
/// Who writes downstream: exactly one coroutine at a time. As long as nothing is unfinished that is
/// the handler's own call, with views of the handler's bytes. From the first unfinished fragment on
/// it is `drain`, which the composer owns; the handler's calls then copy their text behind it, up
/// to `textAhead`, and wait when that is full. When the drain has caught up it ends, and the
/// handler's calls write again. `end` returns when everything has left.
///
/// Ownership: the composer owns the fragments' tasks, the drain and the buffers. Destroy it and all
/// of it is gone at once. Must not be destroyed from inside one of its fragments, and not while a
/// call to it is unfinished, except by dropping that call first; after a dropped call it can only
/// be destroyed. One loop. `page`, its arena, `host`, `downstream` and `enclosing` outlive it.
class Composer final : public http::ResponseSink, private PlaceOwner, private Output {
public:
    /// `enclosing` is the place when the page is itself a fragment (then `downstream` is it, or a
    /// filter before it), and null for a client's page.
    Composer(Host& host, const http::Request& page, http::ResponseSink& downstream,
             Place* enclosing, const PageRules& rules = Compose::html, const Limits& limits = {});
    ~Composer() = default;

    Task<Status> begin(const http::ResponseHead& head) override;
    Task<Status> write(std::span<const ByteView> pieces) override;
    Task<Status> flush() override;
    Task<Status> end() override;
    Task<Status> send(const http::ResponseHead& head, std::span<const ByteView> pieces) override;
    Task<Status> sendFile(const http::ResponseHead& head, int file, ByteCount offset,
                          ByteCount count) override;
    bool begun() const noexcept override { return treatment_.has_value(); }

private:
    // Output
    void text(ByteView bytes) override;
    void print(std::string_view made) override;
    void include(const Inclusion& inclusion) override;

    // PlaceOwner
    void placeAdvanced(Place& place) override;
    void placeSettled(Place& place) override;
    void placeTroubled(Place& place, std::string_view what) override;
    Reception placeBegan(Place& place, const http::ResponseHead& head) override;
    bool isTight() const noexcept override {
        return ByteQueue::memoryOfThread() > limits_.loopAhead;
    }
    void placeAssigned(Place& place, const SharedAssignments::Snapshot& set) override;
    PageContext& context() noexcept override { return context_; }

    void learn(const http::ResponseHead& head);
    bool headWaits() const noexcept { return answer_.has_value() && !headSent_; }

    Task<Status> composeWhole(std::span<const ByteView> pieces);
    Task<Status> composeLongFile(const http::ResponseHead& head, int file, ByteCount offset,
                                 ByteCount count);

    bool absorb();
    bool perform(const Item& item);
    void performedAll();
    bool crowded() const noexcept;
    bool mustPause() const noexcept { return heldItem_.has_value() || crowded(); }
    Task<Status> handOver();
    Task<Status> finish();
    void stepAside() noexcept;

    // composer_drain.cpp: what leaves
    bool gather();
    Task<Status> sendGathered();
    Task<Status> sendHead();
    Task<Status> sendWhole();
    Task<Status> sendRedirect();
    Task<Status> showHead();
    void noteHead() noexcept;
    Task<void> drain();
    bool over() const noexcept { return failure_.has_value() || redirects_; }
    Status state() const;
    Status stop(Error error);

    // composer_fragments.cpp: what arrives
    void startFragments();
    Task<void> run(Outline::Section& section);
    Task<http::Handled> attempt(const FragmentSpec& spec, Place& place);
    Task<http::Handled> attempts(Place& place);
    Task<void> attemptInTime(Place& place);
    Task<void> standIn(Place& place);
    Task<http::Handled> composeStub(std::string_view page, Place& place);
    void makePrimary(Place& place);
    Reception receivePrimary(const Place& place, const http::ResponseHead& head);

    Host& host_;
    const http::Request& page_;
    http::ResponseSink& downstream_;
    Place* enclosing_;
    PageRules rules_;
    Limits limits_;
    std::optional<Treatment> treatment_; // of the answer that has begun

    PageContext ownContext_;
    PageContext& context_; // the client's page's
    Parser parser_;
    Interpreter interpreter_;
    std::optional<Item> heldItem_;  // performed when what it waits for has arrived
    const Place* latest_ = nullptr; // the last include, until another directive is performed
    Outline outline_;
    std::size_t unsettled_ = 0; // fragments that were started and have not settled
    bool starting_ = false;

    std::optional<PageAnswer> answer_;
    const Place* primary_ = nullptr; // the head waits for its
    bool primarySeen_ = false;
    bool headSent_ = false;
    bool redirects_ = false; // the primary fragment leads elsewhere: nothing else is sent
    bool lasting_ = false;   // the handler's bytes stay until the page has left (`send`)
    bool headShown_ = false; // the head has left, or something with it
    ByteQueue outgoing_;
    ByteQueue::Views views_;
    Outline::Taken taken_; // in outgoing_
    std::optional<Error> failure_;

    coro::Event progress_; // the drain may go on
    coro::Event drained_;  // the drain sent something, or ended
    bool draining_ = false;
    coro::Scope fragments_;
    coro::Scope drains_;
};

} // namespace reef::compose
