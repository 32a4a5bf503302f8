#include "cache/fakes.h"

#include <catch2/catch.hpp>
#include <deque>

using namespace reef;
using namespace reef::test;

namespace {

struct Fixture {
    Fixture() {
        source.rules.ttl = 60s;
        text("hello");
    }

    /// Runs answer at once.
    void text(std::string content, std::string cacheControl = {}, int status = 200) {
        source.make = [=](http::ResponseSink& sink, Arena& arena) {
            return sendText(sink, arena, content, cacheControl, status);
        };
    }
    static Task<http::Handled> sendText(http::ResponseSink& sink, Arena& arena, std::string content,
                                        std::string cacheControl, int status) {
        http::ResponseHead head(arena, status);
        if (!cacheControl.empty()) head.fields.add("Cache-Control", cacheControl);
        const auto sent = co_await http::sendPiece(sink, head, bytesOf(content));
        if (!sent) co_return http::failClient(sent.error());
        co_return http::Handled{};
    }

    /// Runs write a piece each time that `step` is pulsed, `count` of them.
    void streams(std::size_t count, std::size_t size = 4) {
        source.make = [this, count, size](http::ResponseSink& sink, Arena& arena) {
            return stream(sink, arena, step, count, size);
        };
    }
    static Task<http::Handled> stream(http::ResponseSink& sink, Arena& arena, coro::Event& step,
                                      std::size_t count, std::size_t size) {
        co_await step.wait();
        http::ResponseHead head(arena);
        auto sent = co_await sink.begin(head);
        for (std::size_t i = 0; i != count && sent; ++i) {
            const std::string piece(size, static_cast<char>('a' + i % 26));
            sent = co_await http::writePiece(sink, bytesOf(piece));
            if (sent) co_await step.wait();
        }
        if (sent) sent = co_await sink.end();
        if (!sent) co_return http::failClient(sent.error());
        co_return http::Handled{};
    }

    void fails(int status) {
        source.make = [=](http::ResponseSink&, Arena&) { return failing(status); };
    }
    static Task<http::Handled> failing(int status) { co_return http::failWith(status, "broken"); }

    Task<http::Handled> late(http::ResponseSink& sink, Arena& arena) {
        co_await step.wait();
        co_return co_await sendText(sink, arena, "mine", "no-store", 200);
    }
    Task<http::Handled> cut(http::ResponseSink& sink, Arena& arena) {
        co_await step.wait();
        http::ResponseHead head(arena);
        if (!co_await sink.begin(head)) co_return http::failWith(500);
        if (!co_await http::writePiece(sink, bytesOf(std::string_view("half"))))
            co_return http::failWith(500);
        co_await step.wait();
        co_return http::failWith(502, "killed");
    }
    static Task<http::Handled> shortOf(http::ResponseSink& sink, Arena& arena) {
        http::ResponseHead head(arena);
        head.length = 10;
        auto sent = co_await sink.begin(head);
        if (sent) sent = co_await http::writePiece(sink, bytesOf(std::string_view("five!")));
        if (sent) sent = co_await sink.end();
        if (!sent) co_return http::failClient(sent.error());
        co_return http::Handled{};
    }
    static Task<http::Handled> varying(http::ResponseSink& sink, Arena& arena,
                                       cache::Fields carried) {
        http::ResponseHead head(arena);
        head.fields.add("Vary", "Origin");
        const std::string content = carried.empty() ? "nothing" : carried.front().second;
        const auto sent = co_await http::sendPiece(sink, head, bytesOf(content));
        if (!sent) co_return http::failClient(sent.error());
        co_return http::Handled{};
    }

    /// One more who asks, on its way.
    FakeAsker& ask(const std::string& target = "/a", const std::string& field = {},
                   std::uint64_t within = 0, http::Method method = http::Method::get) {
        FakeAsker& asker = askers.emplace_back(source, target);
        asker.inside = within;
        asker.request().method = method;
        if (const auto colon = field.find(':'); colon != std::string::npos)
            asker.request().fields.add(asker.request().arena->copy(field.substr(0, colon)),
                                       asker.request().arena->copy(field.substr(colon + 2)));
        coro::Scope& scope = scopes.emplace_back();
        scope.start(answer(cache, asker));
        run();
        return asker;
    }
    static Task<void> answer(cache::ResponseCache& cache, FakeAsker& asker) {
        asker.handled = co_await cache.answer(asker, asker.sink);
    }

    void run() {
        do
            turns.run();
        while (loop.runPosted());
    }
    void go() {
        step.pulse();
        run();
    }
    void leave(std::size_t index) {
        scopes[index].dropAll();
        run();
    }

    Turns turns;
    FakeLoop loop;
    FakeSource source;
    coro::Event step;
    cache::SharedCache shared{cache::Limits{1_MiB, 1000}};
    cache::ResponseCache cache{shared, loop};
    std::deque<FakeAsker> askers;
    std::deque<coro::Scope> scopes;
};

} // namespace

TEST_CASE_METHOD(Fixture, "the first one has it made, later ones get what is kept, with its age") {
    const auto& first = ask();
    CHECK(first.sink.content == "hello");
    CHECK(first.told == "atoll; fwd=uri-miss; stored");
    loop.time += 2s;
    const auto& second = ask();
    CHECK(second.sink.content == "hello");
    CHECK(second.sink.calls == std::vector<std::string>{"send"});
    CHECK(second.sink.fields == std::vector<std::string>{"Age: 2"});
    CHECK(second.told == "atoll; hit; ttl=58");
    CHECK(second.from == cache::Origin::kept);
    CHECK(source.runs == 1);
    CHECK(ask("/b").told == "atoll; fwd=uri-miss; stored");
    const auto counts = shared.counts();
    CHECK(counts.hits == 1);
    CHECK(counts.misses == 2);
    CHECK(counts.stored == 2);
    CHECK(counts.answers == 2);
}

TEST_CASE_METHOD(Fixture,
                 "identical requests share one run, and each gets its first byte at once") {
    streams(2);
    const auto& first = ask();
    const auto& second = ask();
    CHECK(source.runs == 1);
    go();
    CHECK(first.sink.content == "aaaa");
    CHECK(second.sink.content == "aaaa");
    const auto& late = ask();
    CHECK(late.sink.content == "aaaa");
    CHECK(late.told == "atoll; fwd=uri-miss; stored; collapsed");
    CHECK(late.from == cache::Origin::shared);
    CHECK(first.from == cache::Origin::made);
    go();
    go();
    for (const FakeAsker& asker : askers) {
        CHECK(asker.sink.content == "aaaabbbb");
        CHECK(asker.sink.ended);
        CHECK(*asker.handled);
    }
    CHECK(source.runs == 1);
    CHECK(source.ended == 1);
    CHECK(shared.counts().coalesced == 2);
    CHECK(ask().sink.content == "aaaabbbb");
    CHECK(source.runs == 1);
}

TEST_CASE_METHOD(Fixture, "a slow client holds nobody, and has all of it in the end") {
    streams(3);
    coro::Event gate;
    const auto& slow = ask();
    askers.front().sink.gate = &gate;
    const auto& fast = ask();
    for (int i = 0; i != 4; ++i)
        go();
    CHECK(fast.sink.ended);
    CHECK_FALSE(slow.ended());
    gate.set();
    run();
    CHECK(slow.sink.content == "aaaabbbbcccc");
    CHECK(slow.sink.ended);
}

TEST_CASE_METHOD(Fixture, "whoever had begun it may leave: the others still get it") {
    streams(2);
    ask();
    const auto& other = ask();
    go();
    leave(0);
    go();
    go();
    CHECK(other.sink.content == "aaaabbbb");
    CHECK(other.sink.ended);
    CHECK(source.runs == 1);
}

TEST_CASE_METHOD(Fixture,
                 "the run is dropped when all have left, and the next one begins another") {
    streams(2);
    ask();
    ask();
    go();
    leave(0);
    CHECK(source.ended == 0);
    leave(1);
    CHECK(source.ended == 1);
    CHECK(shared.counts().answers == 0);
    const auto& next = ask();
    CHECK(source.runs == 2);
    for (int i = 0; i != 3; ++i)
        go();
    CHECK(next.sink.content == "aaaabbbb");
}

TEST_CASE_METHOD(Fixture, "what is for one visitor each asks for with all that it has") {
    text("private", "private");
    const auto& first = ask();
    CHECK(first.owned == 1);
    CHECK(first.sink.content == "own");
    CHECK(first.told == "atoll; fwd=bypass");
    CHECK(source.runs == 1);
    CHECK(ask().owned == 1);
    CHECK(source.runs == 1); // that is remembered
    text("public again", "max-age=5");
    loop.time += 61s;
    CHECK(ask().sink.content == "public again");
}

TEST_CASE_METHOD(Fixture,
                 "all who wait learn that the answer is not for them, and do not queue up") {
    source.make = [this](http::ResponseSink& sink, Arena& arena) { return late(sink, arena); };
    for (int i = 0; i != 3; ++i)
        ask();
    CHECK(source.runs == 1);
    go();
    for (const FakeAsker& asker : askers)
        CHECK(asker.owned == 1);
    CHECK(source.runs == 1);
    CHECK(source.ended == 1);
}

TEST_CASE_METHOD(Fixture, "a failure before the head is everybody's, and nothing is kept") {
    fails(504);
    CHECK(ask().failure() == 504);
    CHECK(source.runs == 1);
    text("well again");
    CHECK(ask().sink.content == "well again");
}

TEST_CASE_METHOD(Fixture, "an answer of 5xx goes to all who wait for it, and is not kept") {
    text("oops", "", 503);
    const auto& first = ask();
    CHECK(first.sink.status == 503);
    CHECK(first.sink.content == "oops");
    CHECK(first.owned == 0);
    ask();
    CHECK(source.runs == 2);
    CHECK(shared.counts().answers == 0);
}

TEST_CASE_METHOD(Fixture, "a run that breaks off cuts the answers of all, and nothing is kept") {
    source.make = [this](http::ResponseSink& sink, Arena& arena) { return cut(sink, arena); };
    const auto& first = ask();
    const auto& second = ask();
    go();
    go();
    for (const FakeAsker* asker : {&first, &second}) {
        CHECK(asker->sink.content == "half");
        CHECK_FALSE(asker->sink.ended);
        CHECK(asker->failure() == 502);
    }
    CHECK(shared.counts().answers == 0);
}

TEST_CASE_METHOD(Fixture, "an exception in a run is a failure of those who wait") {
    source.make = [](http::ResponseSink&, Arena&) -> Task<http::Handled> {
        throw std::runtime_error("a bug");
        co_return http::Handled{};
    };
    CHECK(ask().failure() == 500);
}

TEST_CASE_METHOD(Fixture, "a stale answer goes out at once, and one run makes it anew") {
    source.rules.stale = 60s;
    ask();
    streams(1);
    loop.time += 70s;
    const auto& stale = ask();
    CHECK(stale.sink.content == "hello");
    CHECK(stale.told == "atoll; hit; detail=refresh; ttl=-10");
    CHECK(stale.from == cache::Origin::stale);
    CHECK(ask().sink.content == "hello");
    CHECK(source.runs == 2);
    for (int i = 0; i != 2; ++i)
        go();
    CHECK(ask().sink.content == "aaaa");
    CHECK(source.runs == 2);
}

TEST_CASE_METHOD(Fixture, "what fails to be made anew leaves the stale answer where it is") {
    source.rules.stale = 60s;
    ask();
    loop.time += 70s;
    fails(502);
    CHECK(ask().sink.content == "hello");
    text("bad", "", 500);
    CHECK(ask().sink.content == "hello");
    CHECK(ask().sink.content == "hello");
    text("new");
    ask();
    CHECK(ask().sink.content == "new");
}

TEST_CASE_METHOD(Fixture, "a stale answer stands in for a failure, as long as it may") {
    source.rules.staleIfError = 1h;
    ask();
    loop.time += 70s;
    fails(504);
    CHECK(ask().sink.content == "hello");
    CHECK(askers.back().told == "atoll; hit; detail=failure; ttl=-10");
    text("bad", "", 500);
    CHECK(ask().sink.content == "hello");
    CHECK(askers.back().sink.status == 200);
    loop.time += 1h;
    CHECK(ask().sink.status == 500);
    text("new");
    CHECK(ask().sink.content == "new");
}

TEST_CASE_METHOD(Fixture, "the chosen fields part answers, and runs have them and nothing else") {
    source.rules.headers = {"accept-language"};
    ask("/a", "Accept-Language: de");
    ask("/a", "Accept-Language: en");
    ask("/a", "Accept-Language: de");
    ask("/a", "X-Secret: s");
    CHECK(source.runs == 3);
    CHECK(source.carried ==
          std::vector<cache::Fields>{{{"accept-language", "de"}}, {{"accept-language", "en"}}, {}});
}

TEST_CASE_METHOD(Fixture, "what Vary tells becomes a part of the key, and of what runs have") {
    source.make = [this](http::ResponseSink& sink, Arena& arena) {
        return varying(sink, arena, source.carried.back());
    };
    CHECK(ask("/a", "Origin: x").sink.content == "x");
    CHECK(source.runs == 2); // the first one tells what it depends on
    CHECK(ask("/a", "Origin: y").sink.content == "y");
    CHECK(ask("/a", "Origin: x").sink.content == "x");
    CHECK(ask("/a").sink.content == "nothing"); // that the first run has left
    CHECK(source.runs == 3);
}

TEST_CASE_METHOD(Fixture, "who has none of what Vary names takes the first answer") {
    source.make = [this](http::ResponseSink& sink, Arena& arena) {
        return varying(sink, arena, source.carried.back());
    };
    CHECK(ask("/a").sink.content == "nothing");
    CHECK(ask("/a").sink.content == "nothing");
    CHECK(source.runs == 1);
}

TEST_CASE_METHOD(Fixture, "HEAD is answered out of what GET has left, and begins nothing") {
    CHECK(ask("/a", {}, 0, http::Method::head).owned == 1);
    CHECK(source.runs == 0);
    ask();
    const auto& head = ask("/a", {}, 0, http::Method::head);
    CHECK(head.owned == 0);
    CHECK(head.told == "atoll; hit; ttl=60");
}

TEST_CASE_METHOD(Fixture, "an answer that announces more than may be kept is each one's own") {
    text(std::string(1001, 'x'));
    CHECK(ask().owned == 1);
    CHECK(ask().owned == 1);
    CHECK(source.runs == 1);
}

TEST_CASE_METHOD(Fixture, "one that outgrows it goes on to those who have it, in bounded memory") {
    streams(10, 400);
    coro::Event gate;
    const auto& slow = ask();
    askers.front().sink.gate = &gate;
    const auto& fast = ask();
    for (int i = 0; i != 30; ++i)
        go();
    CHECK(fast.sink.content.size() < 10U * 400U); // it waits for the slow one
    CHECK(source.aside > 0);
    CHECK(ask().owned == 1); // further ones do not
    gate.set();
    for (int i = 0; i != 30; ++i)
        go();
    CHECK(fast.sink.content.size() == 10U * 400U);
    CHECK(slow.sink.content == fast.sink.content);
    CHECK(slow.sink.ended);
    CHECK(shared.counts().answers == 0);
}

TEST_CASE_METHOD(Fixture, "a slow client that leaves sets the others free") {
    streams(10, 400);
    coro::Event gate;
    ask();
    askers.front().sink.gate = &gate;
    const auto& fast = ask();
    for (int i = 0; i != 30; ++i)
        go();
    leave(0);
    for (int i = 0; i != 30; ++i)
        go();
    CHECK(fast.sink.content.size() == 10U * 400U);
    CHECK(fast.sink.ended);
}

TEST_CASE_METHOD(Fixture, "a run that was overtaken by a purge is neither kept nor joined") {
    streams(1);
    const auto& first = ask();
    shared.purge(cache::Purge::exactly("/a"));
    const auto& second = ask();
    CHECK(source.runs == 2);
    go();
    go();
    CHECK(first.sink.ended);
    CHECK(second.sink.ended);
    CHECK(shared.counts().stored == 1);
}

TEST_CASE_METHOD(Fixture, "what turned out flawed, or for one visitor alone, is not kept") {
    streams(1);
    ask();
    shared.flaw(source.number);
    go();
    go();
    CHECK(askers[0].sink.ended);
    CHECK(shared.counts().stored == 0);
    ask();
    shared.withdraw(source.number, loop);
    run();
    CHECK(askers[1].owned == 1);
    shared.flaw(4711);
    shared.withdraw(4711, loop);
}

TEST_CASE_METHOD(Fixture, "pages that include each other do not wait in a circle") {
    streams(1);
    ask("/a");
    const auto a = source.number;
    ask("/b", {}, a);
    const auto b = source.number;
    ask("/c", {}, b);
    const auto c = source.number;
    CHECK(ask("/a", {}, c).owned == 1);
    CHECK(ask("/c", {}, c).owned == 1);
    CHECK(ask("/c", {}, a).owned == 0); // no circle
    leave(1);                           // nobody waits for b any more
    CHECK(ask("/b", {}, c).owned == 0);
    CHECK(source.number != b);
    go();
    go();
    CHECK(askers[0].sink.ended);
}

TEST_CASE_METHOD(Fixture, "a client that is gone ends its answer alone") {
    streams(3);
    FakeAsker& gone = ask();
    const auto& other = ask();
    gone.sink.failAt = 2;
    for (int i = 0; i != 4; ++i)
        go();
    CHECK(gone.ended());
    CHECK_FALSE(*gone.handled);
    CHECK(gone.handled->error().clientGone());
    CHECK(other.sink.content == "aaaabbbbcccc");
}

TEST_CASE_METHOD(Fixture, "an announced length that is not kept is a cut, and nothing is kept") {
    source.make = [](http::ResponseSink& sink, Arena& arena) { return shortOf(sink, arena); };
    const auto& first = ask();
    CHECK_FALSE(*first.handled);
    CHECK_FALSE(first.sink.ended);
    CHECK(shared.counts().stored == 0);
}
