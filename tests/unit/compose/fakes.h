#pragma once

#include "compose/composer.h"
#include "compose/host.h"
#include "compose/place.h"
#include "coro/event.h"
#include "coro/race.h"
#include "coro/semaphore.h"
#include "coro/turns.h"
#include "http/path.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace reef::test {

inline std::string includeOf(std::string_view target) {
    return "<!--#include virtual=\"" + std::string(target) + "\"-->";
}

/// A GET request for `target`, with all that it refers to.
struct PageRequest {
    explicit PageRequest(std::string_view target, http::Lineage lineage = {})
        : request(arena, body, ends) {
        ends.remoteAddress = "192.0.2.7";
        ends.remotePort = 4711;
        ends.localAddress = "192.0.2.1";
        ends.localPort = 80;
        request.target = arena.copy(target);
        const auto mark = request.target.find('?');
        request.rawPath = request.target.substr(0, mark);
        request.hasQuery = mark != std::string_view::npos;
        if (request.hasQuery) request.query = request.target.substr(mark + 1);
        request.path = http::decodePath(request.rawPath, arena).value();
        request.host = "site.example";
        request.authority = "site.example:8080";
        request.lineage = lineage;
    }

    Arena arena;
    http::EmptyBody body;
    http::Endpoints ends;
    http::Request request;
};

/// The client: notes what comes, call by call. `gate` (if there is one) holds every write and send
/// until it is set; `failAt` makes the call of that number (from 1) fail.
class RecordingSink final : public http::ResponseSink {
public:
    Task<Status> begin(const http::ResponseHead& head) override {
        note("begin", head);
        co_return outcome();
    }
    Task<Status> write(std::span<const ByteView> pieces) override {
        calls.emplace_back("write");
        add(pieces);
        if (gate != nullptr) co_await gate->wait();
        co_return outcome();
    }
    Task<Status> flush() override {
        calls.emplace_back("flush");
        co_return outcome();
    }
    Task<Status> end() override {
        calls.emplace_back("end");
        ended = true;
        co_return outcome();
    }
    Task<Status> send(const http::ResponseHead& head, std::span<const ByteView> pieces) override {
        note("send", head);
        add(pieces);
        if (gate != nullptr) co_await gate->wait();
        ended = true;
        co_return outcome();
    }
    Task<Status> sendFile(const http::ResponseHead& head, int, ByteCount, ByteCount) override {
        note("sendFile", head);
        ended = true;
        co_return outcome();
    }
    bool begun() const noexcept override { return status != 0; }

    std::vector<std::string> calls;
    std::vector<std::string> fields;
    std::vector<std::string> writes; ///< content, by call
    std::string content;
    int status = 0;
    std::optional<ByteCount> length;
    bool ended = false;
    coro::Event* gate = nullptr;
    std::size_t failAt = 0;
    bool keepContent = true;
    std::size_t bytes = 0;

private:
    void note(const char* call, const http::ResponseHead& head) {
        calls.emplace_back(call);
        status = head.status;
        length = head.length;
        for (const auto& field : head.fields) {
            fields.push_back(std::string(field.name) + ": " + std::string(field.value));
        }
    }
    void add(std::span<const ByteView> pieces) {
        std::string all;
        for (const ByteView piece : pieces)
            all += textOf(piece);
        bytes += all.size();
        if (!keepContent) return;
        content += all;
        writes.push_back(std::move(all));
    }
    Status outcome() const {
        if (failAt != 0 && calls.size() >= failAt) return fail(Error::peerClosed);
        return {};
    }
};

/// How one target of the fake site answers.
struct Island {
    Island() = default;
    Island(std::string text) : body(std::move(text)) {} // NOLINT: reads well in tables

    std::string body;
    int status = 200;
    std::string location;          ///< its Location field; "": it has none
    coro::Event* gate = nullptr;   ///< waits for it before it answers
    coro::Event* middle = nullptr; ///< waits for it after the first half of the body
    coro::Semaphore* limit = nullptr;
    std::size_t times = 1;                                   ///< writes the body as often
    std::vector<std::pair<std::string, std::string>> fields; ///< of its head
    std::size_t failures = 0;                                ///< it answers 503 so many times first
    bool composed = false;                                   ///< its body is a page
    bool streams = false; ///< begin, write, end instead of one send
    bool hangs = false;
    bool lingers = false;   ///< hangs after its answer
    bool breaksOff = false; ///< returns success in the middle
    bool fails = false;     ///< returns a Failure after what it wrote
    bool throws = false;
    std::optional<ByteCount> announced;
};

/// A site whose fragments do what the test says. A target without an island answers with its kind
/// and target in braces.
class FakeHost final : public compose::Host {
public:
    Task<http::Handled> fragment(const compose::FragmentSpec& spec,
                                 compose::Place& place) override {
        started.emplace_back(spec.target);
        if (spec.keeping) keepings.push_back(*spec.keeping);
        if (spec.fields != nullptr)
            for (const auto& [name, value] : *spec.fields)
                fields.push_back(name + ": " + value);
        const auto found = islands.find(std::string(spec.path));
        if (found != islands.end()) return island(spec, place, found->second);
        if (strict) return missing();
        return braces(spec, place);
    }

    /// No time passes here: it is over when the event of the fragment's target says so.
    Task<http::Handled> within(std::chrono::milliseconds limit, const compose::Place& place,
                               Task<http::Handled> work) override {
        timeouts.push_back(limit);
        const auto outcome = co_await coro::race(std::move(work), expiry(place));
        if (outcome.index() == 0) co_return std::get<0>(outcome);
        co_return http::failWith(504, "it took too long");
    }

    std::optional<std::string> variable(const http::Request&, std::string_view name) override {
        if (name == "DOCUMENT_ROOT") return documentRoot;
        if (name == "SERVER_SOFTWARE") return "Atoll";
        if (name == "USER_NAME") return "anna";
        return std::nullopt;
    }

    std::optional<compose::FileFacts> factsOf(const compose::FragmentSpec& spec) override {
        const auto found = islands.find(std::string(spec.path));
        if (found == islands.end()) return std::nullopt;
        return compose::FileFacts{found->second.body.size(), 1'700'000'000};
    }

    bool mayAccess(const compose::FragmentSpec& spec) override {
        return !spec.path.contains("forbidden");
    }

    std::optional<bool> liesIn(std::string_view address, std::string_view network) override {
        if (network.find_first_not_of("0123456789./") != std::string_view::npos)
            return std::nullopt;
        const auto host = network.substr(0, network.find('/'));
        return address.starts_with(host.substr(0, host.find(".0")));
    }

    void problem(const http::Request& page, std::size_t line, std::string_view what) override {
        problems.push_back("line " + std::to_string(line) + ": " + std::string(what));
        pages.emplace_back(page.path);
    }

    std::time_t now() const override { return 1'700'000'000; }

    std::map<std::string, coro::Event*> deadlines;
    std::vector<std::chrono::milliseconds> timeouts; ///< asked for
    std::vector<compose::FragmentKeeping> keepings;
    std::vector<std::string> fields;
    std::string documentRoot = "/srv/<www>";
    std::map<std::string, Island> islands;
    std::vector<std::string> started;
    std::vector<std::string> problems;
    std::vector<std::string> pages; ///< of the problems
    bool strict = false;            ///< unknown targets answer 404
    int running = 0;
    int mostRunning = 0;
    int ended = 0;           ///< returned or dropped
    std::size_t written = 0; ///< bytes that places took over

private:
    struct Running {
        explicit Running(FakeHost& host) : host_(host) {
            host_.mostRunning = std::max(host_.mostRunning, ++host_.running);
        }
        ~Running() {
            --host_.running;
            ++host_.ended;
        }
        FakeHost& host_;
    };

    Task<void> expiry(const compose::Place& place) {
        coro::Event never;
        const auto found = deadlines.find(std::string(place.spec().target));
        co_await (found != deadlines.end() ? *found->second : never).wait();
    }

    static Task<http::Handled> missing() { co_return http::failWith(404, "no such file"); }

    static Task<http::Handled> braces(const compose::FragmentSpec& spec, compose::Place& place) {
        const bool file = spec.kind == compose::FragmentKind::file;
        const std::string text =
            std::string(file ? "{file " : "{virtual ") + std::string(spec.target) + "}";
        http::ResponseHead head(*spec.page->arena);
        if (!co_await http::sendPiece(place, head, bytesOf(text)))
            co_return http::failClient(Error::peerClosed);
        co_return http::Handled();
    }

    Task<http::Handled> island(const compose::FragmentSpec& spec, compose::Place& place,
                               Island& what) {
        if (what.failures != 0) {
            --what.failures;
            co_return http::failWith(503, "not yet");
        }
        if (what.throws) throw std::runtime_error("a bug in the host");
        if (what.limit != nullptr) place.hold(co_await what.limit->acquire());
        const Running here(*this);
        if (what.gate != nullptr) co_await what.gate->wait();
        if (what.hangs) {
            coro::Event never;
            co_await never.wait();
        }
        if (!what.composed) {
            auto handled = co_await answer(what, place, place, *spec.page->arena);
            if (what.lingers) {
                coro::Event never;
                co_await never.wait();
            }
            co_return handled;
        }
        PageRequest child(spec.target, spec.lineage());
        compose::PageRules inner = rules;
        inner.compose = compose::Compose::all;
        compose::Composer composer(*this, child.request, place, &place, inner, limits);
        co_return co_await answer(what, place, composer, child.arena);
    }

    Task<http::Handled> answer(const Island& what, compose::Place&, http::ResponseSink& sink,
                               Arena& arena) {
        http::ResponseHead head(arena, what.status);
        head.length = what.announced;
        if (!what.location.empty()) head.fields.add("Location", what.location);
        for (const auto& [name, value] : what.fields)
            head.fields.add(name, value);
        const auto broken = http::failClient(Error::peerClosed);
        if (!what.streams) {
            if (what.fails) co_return http::failWith(502, "the island died");
            if (!co_await http::sendPiece(sink, head, bytesOf(what.body))) co_return broken;
            co_return http::Handled();
        }
        if (!co_await sink.begin(head)) co_return broken;
        const std::string_view body = what.body;
        const auto half = what.middle != nullptr ? body.size() / 2 : body.size();
        for (std::size_t i = 0; i != what.times; ++i) {
            if (!co_await http::writePiece(sink, bytesOf(body.substr(0, half)))) co_return broken;
            written += half;
            if (half == body.size()) continue;
            co_await what.middle->wait();
            if (!co_await http::writePiece(sink, bytesOf(body.substr(half)))) co_return broken;
        }
        if (what.fails) co_return http::failWith(502, "the island died");
        if (what.breaksOff) co_return http::Handled();
        if (!co_await sink.end()) co_return broken;
        co_return http::Handled();
    }

public:
    compose::Limits limits;
    compose::PageRules rules{compose::Compose::all};
};

/// A page on its way through a composer, with everything around it.
struct Composition {
    explicit Composition(std::string_view target = "/dir/page.shtml",
                         const compose::Limits& limits = {},
                         const compose::PageRules& rules = compose::Compose::all)
        : page(target) {
        host.limits = limits;
        host.rules = rules;
        composer.emplace(host, page.request, client, nullptr, rules, limits);
    }

    /// Starts `send` of the page and runs what can run.
    void send(std::string_view text) {
        turns.scope.start(sendTask(std::string(text)));
        turns.run();
    }

    /// Starts `begin`, one `write` for each piece, `end`.
    void stream(std::vector<std::string> pieces) {
        turns.scope.start(streamTask(std::move(pieces)));
        turns.run();
    }

    Turns turns;
    PageRequest page;
    FakeHost host;
    RecordingSink client;
    std::optional<compose::Composer> composer;
    std::optional<Status> outcome; ///< of send or end, or of the call that failed
    std::size_t piecesTaken = 0;
    std::string lastModified; ///< of the page's answer; "": it does not tell

    ~Composition() {
        turns.scope.dropAll();
        composer.reset();
    }

private:
    Task<void> sendTask(std::string text) {
        http::ResponseHead head(page.arena);
        head.fields.add("Content-Type", "text/html");
        if (!lastModified.empty()) head.fields.add("Last-Modified", lastModified);
        outcome = co_await http::sendPiece(*composer, head, bytesOf(text));
    }

    Task<void> streamTask(std::vector<std::string> pieces) {
        http::ResponseHead head(page.arena);
        head.fields.add("Content-Type", "text/html");
        if (!lastModified.empty()) head.fields.add("Last-Modified", lastModified);
        auto status = co_await composer->begin(head);
        for (auto& piece : pieces) {
            // Exactly the piece, and gone after the call: a view kept too long is seen by ASan.
            const auto copy = std::make_unique<char[]>(piece.size());
            std::ranges::copy(piece, copy.get());
            if (status) status = co_await http::writePiece(*composer, {copy.get(), piece.size()});
            if (status) ++piecesTaken;
        }
        if (status) status = co_await composer->end();
        outcome = status;
    }
};

} // namespace reef::test
