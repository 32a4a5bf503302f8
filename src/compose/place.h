#pragma once

#include "compose/byte_queue.h"
#include "compose/host.h"
#include "compose/interpreter.h"
#include "compose/page_context.h"
#include "coro/event.h"
#include "coro/permit.h"
#include "http/response.h"

#include <chrono>
#include <memory>
#include <optional>

namespace reef::compose {

class Place;

/// What a page makes of the head of a fragment's answer.
enum class Reception : std::uint8_t {
    usual, ///< the answer is of use if its status is one of success
    taken, ///< it is of use whatever its status says: that is the page's now
    ends,  ///< the page is over: nobody needs the answer
};

/// What a place tells the page it stands in.
class PlaceOwner {
public:
    /// More bytes are there.
    virtual void placeAdvanced(Place& place) = 0;

    /// No more will come.
    virtual void placeSettled(Place& place) = 0;

    /// Something for the log.
    virtual void placeTroubled(Place& place, std::string_view what) = 0;

    /// Its answer has this head, which stays until the call ends.
    virtual Reception placeBegan(Place& place, const http::ResponseHead& head) = 0;

    /// The page that stands there has performed all of its directives, and has set this.
    virtual void placeAssigned(Place& place, const SharedAssignments::Snapshot& set) = 0;

    /// The pages of the loop hold all that they may: places are to be small.
    virtual bool isTight() const noexcept = 0;

    virtual PageContext& context() noexcept = 0;

protected:
    ~PlaceOwner() = default;
};

/// A fragment's place in a page: the sink that its answer goes to.
///
/// Bytes are copied into the place, at most `limit` of them, and leave it in document order; a
/// fragment that runs ahead of the page by more waits in `write` until the page has come to it.
/// The place settles when the answer is complete, or when it is of no use: a status outside
/// 200..299, fewer bytes than it announced, a Failure, an exception. Then the error text of the
/// page is what is left of it: bytes that have not gone out are discarded, those that have gone
/// stay, and the error text follows them.
///
/// If the include says how often it is tried again, and nothing of it has gone out yet, a place
/// that is of no use does not settle, but `takeRetry`. If the include says what stands in for it
/// (`onerror`, `fallback`, `stub`), it is then `wantsStandIn`: the page runs that into it in turn.
/// What is included into a variable never goes out; it is `text`, bounded by `limit`, and empty
/// when the fragment fails.
///
/// TODO(someday): a fragment that waits keeps its back end. Where the number of those is fixed, and
/// fragments that wait hold all of them, a fragment inside an earlier one finds none: spill to a
/// file instead of waiting once such back ends exist.
///
/// What of the answer's head concerns the page, the page takes (`PlaceOwner::placeBegan`).
class Place final : public http::ResponseSink {
public:
    /// `total` counts the bytes that all places of the page hold.
    /// `least` is the limit while the owner is tight.
    Place(PlaceOwner& owner, const Inclusion& inclusion, std::size_t limit, std::size_t least,
          std::size_t& total);
    ~Place() override { drop(held_); }

    /// Keeps a permit until the fragment has ended or first has to wait for the page: who holds one
    /// never waits for another fragment, so a limit, even of 1, cannot deadlock. A fragment that
    /// has waited goes on without a permit: the limit bounds what is started. Permits are asked for
    /// in document order.
    void hold(coro::Permit permit) noexcept { permit_ = std::move(permit); }

    /// Gives the permit back early: the fragment is about to wait for fragments of its own.
    void stepAside() noexcept { permit_ = {}; }

    const FragmentSpec& spec() const noexcept { return spec_; }
    PageContext& context() const noexcept { return owner_.context(); }

    Task<Status> begin(const http::ResponseHead& head) override;
    Task<Status> write(std::span<const ByteView> pieces) override;
    Task<Status> flush() override;
    Task<Status> end() override;
    Task<Status> send(const http::ResponseHead& head, std::span<const ByteView> pieces) override;
    Task<Status> sendFile(const http::ResponseHead& head, int file, ByteCount offset,
                          ByteCount count) override;
    bool begun() const noexcept override { return begun_; }

    // For the page:

    /// Nothing more will come.
    bool settled() const noexcept { return settled_; }

    /// Bytes that wait here or are on their way out.
    std::size_t held() const noexcept { return held_; }

    /// Moves what waits here to `out`. It counts as held until `released`.
    void take(ByteQueue& out);
    void released(std::size_t bytes) noexcept;

    /// An attempt at the fragment begins.
    void began() noexcept;

    /// The fragment's task has ended with this outcome.
    void conclude(const http::Handled& outcome);

    /// The fragment was of no use, its task has ended, and it is to be tried once more: run it into
    /// this place, and conclude again.
    bool takeRetry() noexcept;

    /// There is no time for a further attempt.
    void giveUp() noexcept { retries_ = 0; }

    /// How long the fragment has waited for the page so far.
    std::chrono::nanoseconds waited() const noexcept;

    bool isPrimary() const noexcept { return primary_; }

    /// Where the course of the fragment is noted; null: nobody wants to know.
    FragmentTrace* trace() const noexcept { return trace_; }

    /// Whether a failure would not be the last word.
    bool hasOtherWay() const noexcept { return mayRetry() || hasStandIn(); }

    /// The status that tells of the failure that the place has settled with; 0: none.
    int failure() const noexcept { return settled_ && failed_ ? failure_ : 0; }

    /// It is `wantsStandIn`, and nothing does.
    void settleFailed();

    /// The fragment was of no use, its task has ended, and something stands in for it: take one of
    /// the two, run it into this place, and conclude again.
    bool wantsStandIn() const noexcept { return spoiled_; }
    std::shared_ptr<const FragmentSpec> takeOnError() noexcept;
    std::shared_ptr<const std::string> takeStub() noexcept;

    /// Whether the fragment is for a variable; then its text, once the place has settled.
    bool isCapture() const noexcept { return captured_; }
    std::string text() const;

    /// As PlaceOwner::placeAssigned.
    void assigned(const SharedAssignments::Snapshot& set) { owner_.placeAssigned(*this, set); }

private:
    Status accept(const http::ResponseHead& head);
    Status complete();
    Task<void> roomMade();
    void received(std::size_t bytes);
    void hold(std::size_t bytes) noexcept;
    void drop(std::size_t bytes) noexcept;
    void settle();
    void failWith(std::string_view why);
    void settleWithError();
    void discard() noexcept;
    void restart() noexcept;
    void standsIn() noexcept;
    bool mayRetry() const noexcept { return retries_ != 0 && !shown_ && !hopeless_; }
    bool hasStandIn() const noexcept { return onError_ != nullptr || stub_ != nullptr; }
    bool isOver() const noexcept { return settled_ || spoiled_; }
    std::size_t room() const noexcept;
    bool overflows(std::size_t more);
    Task<Status> showRedirect(const http::ResponseHead& head);

    PlaceOwner& owner_;
    FragmentTrace* trace_;
    FragmentSpec spec_;
    std::shared_ptr<const std::string> errorText_;
    std::shared_ptr<const FragmentSpec> onError_;
    std::shared_ptr<const std::string> stub_;
    bool stubWhenEmpty_;
    bool primary_;
    unsigned retries_;
    std::size_t limit_;
    std::size_t least_;
    std::size_t held_ = 0;
    std::size_t& total_;
    ByteQueue waiting_;
    coro::Event room_;
    coro::Permit permit_;
    std::optional<ByteCount> announced_;
    ByteCount received_ = 0;
    bool begun_ = false;
    bool settled_ = false;
    int failure_ = 502;
    std::chrono::nanoseconds waited_{0};
    std::optional<std::chrono::steady_clock::time_point> waitingSince_;
    bool shown_ = false;    ///< something of it has gone out
    bool hopeless_ = false; ///< it would fail again: it was refused
    bool failed_ = false;
    bool spoiled_ = false; ///< it failed, or is empty, and something stands in for it
    bool captured_ = false;
    bool link_ = false; ///< a link stands for its content
};

} // namespace reef::compose
