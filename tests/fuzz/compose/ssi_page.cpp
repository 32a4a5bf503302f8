#include "base/arena.h"
#include "base/text.h"
#include "compose/composer.h"
#include "compose/targets.h"
#include "coro/ready_queue.h"
#include "coro/semaphore.h"
#include "fuzz.h"

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace reef::fuzz {

namespace {

using namespace compose;

class Client final : public http::ResponseSink {
public:
    explicit Client(bool yields) : yields_(yields) {}

    Task<Status> begin(const http::ResponseHead&) override {
        require(!begun_, "one head");
        begun_ = true;
        co_return Status();
    }
    Task<Status> write(std::span<const ByteView> pieces) override {
        require(begun_ && !writing_ && !ended, "one writer at a time, between head and end");
        writing_ = true;
        if (yields_) { // the receiver is slow: the page goes on meanwhile
            turn_.pulse();
            co_await turn_.wait();
        }
        for (const ByteView piece : pieces)
            content += textOf(piece);
        writing_ = false;
        co_return Status();
    }
    Task<Status> flush() override { co_return Status(); }
    Task<Status> end() override {
        require(begun_ && !writing_ && !ended, "one end");
        ended = true;
        co_return Status();
    }
    Task<Status> send(const http::ResponseHead& head, std::span<const ByteView> pieces) override {
        (void)co_await begin(head);
        (void)co_await write(pieces);
        co_return co_await end();
    }
    Task<Status> sendFile(const http::ResponseHead&, int, ByteCount, ByteCount) override {
        co_return fail(Error::unsupported);
    }
    bool begun() const noexcept override { return begun_; }

    void proceed() { turn_.pulse(); }

    std::string content;
    bool ended = false;

private:
    bool yields_;
    bool begun_ = false;
    bool writing_ = false;
    coro::Event turn_;
};

/// What an include does follows from its target; `asynchronous` only says whether it takes time.
class Site final : public Host {
public:
    Site(std::string_view page, bool asynchronous) : page_(page), asynchronous_(asynchronous) {
        limits.fragments = 100'000;
        if (!asynchronous) return;
        limits.fragmentAhead = 7;
        limits.pageAhead = 20;
        limits.textAhead = 10;
        limits.running = 3;
    }

    Task<http::Handled> fragment(const FragmentSpec& spec, Place& place) override {
        const auto kind = std::hash<std::string_view>()(spec.target) % 6;
        if (kind < 4) place.hold(co_await permit_.acquire());
        if (asynchronous_ && kind % 2 == 0) co_await moment();
        if (kind == 0) co_return http::failWith(502, "the island died");
        if (kind == 1 && spec.lineage().depth == 1) co_return co_await composed(spec, place);
        http::ResponseHead head(*spec.page->arena, kind == 2 ? 404 : 200);
        const auto text = text::concat("{", spec.target, "}");
        if (kind == 3) co_return answered(co_await http::sendPiece(place, head, bytesOf(text)));
        co_return answered(co_await streamed(place, head, text));
    }
    /// A target of this sort never has time enough, whoever waits for whom.
    Task<http::Handled> within(std::chrono::milliseconds, const Place& place,
                               Task<http::Handled> work) override {
        const auto kind = std::hash<std::string_view>()(place.spec().target) % 6;
        if (kind == 5) co_return http::failWith(504, "too late");
        co_return co_await std::move(work);
    }
    std::optional<std::string> variable(const http::Request&, std::string_view name) override {
        return std::string(name);
    }
    std::optional<FileFacts> factsOf(const FragmentSpec& spec) override {
        return FileFacts{spec.path.size(), 0};
    }
    bool mayAccess(const FragmentSpec& spec) override { return spec.path.size() % 2 == 0; }
    std::optional<bool> liesIn(std::string_view, std::string_view network) override {
        if (network.empty()) return std::nullopt;
        return network.size() % 2 == 0;
    }
    void problem(const http::Request&, std::size_t, std::string_view) override { ++problems; }
    std::time_t now() const override { return 0; }

    /// Lets one of those that wait go on. False: nobody waits.
    bool release(std::size_t random) {
        if (waiting_.empty()) return false;
        const auto chosen =
            waiting_.begin() + static_cast<std::ptrdiff_t>(random % waiting_.size());
        (*chosen)->set();
        waiting_.erase(chosen);
        return true;
    }

    std::size_t problems = 0;
    Limits limits;

private:
    Task<void> moment() {
        coro::Event& event = events_.emplace_back();
        waiting_.push_back(&event);
        co_await event.wait();
    }

    Task<http::Handled> composed(const FragmentSpec& spec, Place& place) {
        Arena arena;
        http::EmptyBody body;
        http::Request request(arena, body, *spec.page->endpoints);
        request.target = spec.target;
        request.rawPath = spec.rawPath;
        request.path = spec.path;
        request.query = spec.query;
        request.hasQuery = spec.hasQuery;
        request.lineage = spec.lineage();
        Composer composer(*this, request, place, &place, Compose::all, limits);
        http::ResponseHead head(arena);
        const auto text = page_.substr(0, 100);
        co_return answered(spec.target.size() % 2 == 0
                               ? co_await http::sendPiece(composer, head, bytesOf(text))
                               : co_await streamed(composer, head, text));
    }

    Task<Status> streamed(http::ResponseSink& sink, const http::ResponseHead& head,
                          std::string_view text) {
        auto status = co_await sink.begin(head);
        Cuts cuts(text);
        while (status && !text.empty()) {
            const ExactCopy part(text.substr(0, cuts.next()));
            status = co_await http::writePiece(sink, part.view());
            if (asynchronous_ && cuts.next() < 4) co_await moment();
            text.remove_prefix(part.view().size());
        }
        if (!status) co_return status;
        co_return co_await sink.end();
    }

    static http::Handled answered(const Status& status) {
        if (!status) return http::failClient(status.error());
        return {};
    }

    std::string_view page_;
    bool asynchronous_;
    coro::Semaphore permit_{1};
    std::deque<coro::Event> events_;
    std::vector<coro::Event*> waiting_;
};

struct Outcome {
    std::string content;
    std::size_t problems;
};

Task<void> write(Composer& composer, Arena& arena, std::string_view page, bool inPieces,
                 std::optional<Status>& outcome) {
    http::ResponseHead head(arena);
    if (!inPieces) {
        outcome = co_await http::sendPiece(composer, head, bytesOf(page));
        co_return;
    }
    auto status = co_await composer.begin(head);
    Cuts cuts(page);
    while (status && !page.empty()) {
        const ExactCopy part(page.substr(0, cuts.next()));
        status = co_await http::writePiece(composer, part.view());
        page.remove_prefix(part.view().size());
    }
    if (status) status = co_await composer.end();
    outcome = status;
}

Outcome run(std::string_view page, bool inPieces, bool asynchronous) {
    coro::ReadyQueue queue;
    Arena arena;
    http::EmptyBody body;
    const http::Endpoints ends;
    http::Request request(arena, body, ends);
    request.target = request.rawPath = request.path = "/dir/page.shtml";
    Site site(page, asynchronous);
    Client client(asynchronous);
    std::optional<Status> outcome;
    Composer composer(site, request, client, nullptr, Compose::all, site.limits);
    coro::Scope scope;
    scope.start(write(composer, arena, page, inPieces, outcome));
    Cuts order(page);
    while (!outcome) {
        while (queue.runOnce() != 0) {
        }
        if (outcome) break;
        // The client takes what it is offered, or a fragment goes on; both wait their turn.
        if (order.next() % 2 == 0 || !site.release(order.next())) client.proceed();
        require(!queue.empty() || site.release(order.next()) || !queue.empty(),
                "the page does not stand still");
    }
    require(outcome->has_value() && client.ended, "the page comes to its end");
    return {client.content, site.problems};
}

} // namespace

void ssiPage(std::string_view input) {
    const auto expected = run(input, false, false);
    // What an included page sets comes back only if it was composed at once; and a fragment is
    // primary only as long as the page has not begun to leave.
    const auto text = text::toLower(input);
    const bool sets = text.contains("set") || text.contains("primary");
    for (const bool inPieces : {false, true}) {
        const auto quick = run(input, inPieces, false);
        if (inPieces && text.contains("primary")) continue;
        require(quick.content == expected.content, "the same page in pieces");
        const auto slow = run(input, inPieces, true);
        if (sets) continue;
        require(slow.content == expected.content, "the same page in any order");
        require(slow.problems == expected.problems, "the same problems");
    }
}

} // namespace reef::fuzz
