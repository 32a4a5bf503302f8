#include "gateway/admission_queue.h"

#include <catch2/catch.hpp>
#include <deque>
#include <string>
#include <vector>

using namespace reef;
using gateway::AdmissionLimits;
using gateway::AdmissionQueue;
using gateway::IslandGroup;
using gateway::Share;
using State = AdmissionQueue::Entry::State;

namespace {

AdmissionLimits limitsOf(std::size_t running, std::size_t perClient = 0,
                         std::size_t waiting = 100) {
    AdmissionLimits limits;
    limits.running = running;
    limits.perClient = perClient;
    limits.waiting = waiting;
    return limits;
}

/// Entries with names: "a1" is the first of client a. Who was settled later stands in `told`.
struct Queue : AdmissionQueue::Listener {
    explicit Queue(const AdmissionLimits& limits) : queue(limits, *this) {}
    ~Queue() {
        for (auto& each : entries)
            queue.leave(each.entry);
    }

    struct Named {
        Named(std::string text, Share share, const std::optional<io::HostBits>& from)
            : name(std::move(text)), entry(share, from) {}
        std::string name;
        AdmissionQueue::Entry entry;
    };

    static std::optional<io::HostBits> hostOf(char client) {
        if (client == 'u') return std::nullopt; // over a unix socket
        io::HostBits bits{};
        bits[15] = static_cast<std::uint8_t>(client);
        return bits;
    }

    State ask(const std::string& name, std::vector<IslandGroup*> groups = {},
              Share share = Share::client) {
        auto& fresh = entries.emplace_back(name, share, hostOf(name.front()));
        for (IslandGroup* const group : groups)
            fresh.entry.join(*group);
        return queue.ask(fresh.entry);
    }

    AdmissionQueue::Entry& operator[](const std::string& name) {
        for (auto& each : entries)
            if (each.name == name) return each.entry;
        throw std::logic_error(name);
    }

    void leave(const std::string& name) { queue.leave((*this)[name]); }

    std::string take() { return std::exchange(told, {}); }

    void settled(AdmissionQueue::Entry& entry) noexcept override {
        for (auto& each : entries)
            if (&each.entry == &entry)
                told += (entry.state() == State::displaced ? "-" : "+") + each.name;
    }

    AdmissionQueue queue;
    std::deque<Named> entries;
    std::string told;
};

} // namespace

TEST_CASE("as many islands run as may, the others wait and follow in the order of asking") {
    Queue queue(limitsOf(2));
    CHECK(queue.ask("a1") == State::running);
    CHECK(queue.ask("a2") == State::running);
    CHECK(queue.ask("a3") == State::waiting);
    CHECK(queue.ask("a4") == State::waiting);
    CHECK(queue.queue.running(Share::client) == 2);
    CHECK(queue.queue.waiting(Share::client) == 2);
    queue.leave("a2");
    CHECK(queue.take() == "+a3");
    queue.leave("a1");
    queue.leave("a3");
    CHECK(queue.take() == "+a4");
    queue.leave("a4");
    CHECK(queue.queue.running(Share::client) == 0);
}

TEST_CASE("a client with a hundred requests delays another by one place") {
    Queue queue(limitsOf(1, 0, 1000));
    for (int i = 0; i != 100; ++i)
        queue.ask("a" + std::to_string(i));
    queue.ask("b0");
    queue.ask("b1");
    queue.ask("c0");
    const std::vector<std::string> order{"a0", "a1", "b0", "c0", "a2", "b1", "a3", "a4"};
    for (std::size_t i = 1; i != order.size(); ++i) {
        queue.leave(order[i - 1]);
        CHECK(queue.take() == "+" + order[i]);
    }
}

TEST_CASE("a client has at most its share, and holds up nobody with what waits") {
    Queue queue(limitsOf(4, 2));
    CHECK(queue.ask("a1") == State::running);
    CHECK(queue.ask("a2") == State::running);
    CHECK(queue.ask("a3") == State::waiting);
    CHECK(queue.ask("b1") == State::running);
    CHECK(queue.ask("c1") == State::running);
    CHECK(queue.ask("d1") == State::waiting);
    queue.leave("b1");
    CHECK(queue.take() == "+d1"); // a is before it, and has its share
    queue.leave("a1");
    CHECK(queue.take() == "+a3");
}

TEST_CASE("whoever comes over a unix socket has no share of a client") {
    Queue queue(limitsOf(3, 1));
    CHECK(queue.ask("u1") == State::running);
    CHECK(queue.ask("u2") == State::running);
    CHECK(queue.ask("a1") == State::running);
    CHECK(queue.ask("u3") == State::waiting);
    CHECK(queue.ask("a2") == State::waiting);
}

TEST_CASE("a full group holds up only those who are in it") {
    IslandGroup slow(1);
    IslandGroup all(3);
    Queue queue(limitsOf(10));
    CHECK(queue.ask("a1", {&slow, &all}) == State::running);
    CHECK(queue.ask("a2", {&slow, &all}) == State::waiting);
    CHECK(queue.ask("a3", {&all}) == State::running); // of the same client, past the one that waits
    CHECK(queue.ask("b1", {&all}) == State::running);
    CHECK(queue.ask("b2", {&all}) == State::waiting);
    CHECK(queue.ask("b3") == State::running);
    queue.leave("b1");
    CHECK(queue.take() == "+b2");
    queue.leave("a3");
    CHECK(queue.take().empty()); // the slow one still runs
    queue.leave("a1");
    CHECK(queue.take() == "+a2");
}

TEST_CASE("fragments have limits of their own, so that a page's cannot wait for the page") {
    IslandGroup group(1);
    Queue queue(limitsOf(1, 1));
    CHECK(queue.ask("a1", {&group}) == State::running);
    CHECK(queue.ask("a2", {&group}, Share::fragment) == State::running);
    CHECK(queue.ask("a3", {&group}, Share::fragment) == State::waiting);
    queue.leave("a1");
    CHECK(queue.take().empty());
    queue.leave("a2");
    CHECK(queue.take() == "+a3");
}

TEST_CASE("whoever leaves while it waits gives its place up") {
    Queue queue(limitsOf(1, 0, 2));
    queue.ask("a1");
    queue.ask("a2");
    queue.ask("b1");
    CHECK(queue.ask("c1") == State::outside);
    queue.leave("a2");
    queue.leave("a2"); // once is enough
    CHECK(queue.ask("c2") == State::waiting);
    queue.leave("a1");
    CHECK(queue.take() == "+b1");
}

TEST_CASE("a full queue takes a newcomer in place of the latest of who has the most waiting") {
    Queue queue(limitsOf(1, 0, 4));
    queue.ask("a1");
    for (const char* name : {"a2", "a3", "a4", "b1"})
        CHECK(queue.ask(name) == State::waiting);
    CHECK(queue.ask("a5") == State::outside);
    CHECK(queue.take().empty());
    CHECK(queue.ask("c1") == State::waiting);
    CHECK(queue.take() == "-a4");
    CHECK(queue["a4"].state() == State::displaced);
    CHECK(queue.ask("b2") == State::outside); // it would have as many as a
    CHECK(queue.ask("d1") == State::waiting);
    CHECK(queue.take() == "-a3");
    CHECK(queue.ask("e1") == State::outside);
    queue.leave("a4"); // it is gone already
    queue.leave("a1");
    CHECK(queue.take() == "+a2");
}

TEST_CASE("with a queue of none, nobody waits") {
    Queue queue(limitsOf(1, 0, 0));
    CHECK(queue.ask("a1") == State::running);
    CHECK(queue.ask("b1") == State::outside);
    queue.leave("a1");
    CHECK(queue.ask("b2") == State::running);
}

TEST_CASE("other limits let in who may then run, and turn nobody away") {
    Queue queue(limitsOf(1, 1));
    for (const char* name : {"a1", "a2", "b1", "c1"})
        queue.ask(name);
    queue.queue.use(limitsOf(3, 1));
    CHECK(queue.take() == "+b1+c1");
    queue.queue.use(limitsOf(1, 0));
    queue.leave("b1");
    queue.leave("c1");
    CHECK(queue.take().empty());
    queue.leave("a1");
    CHECK(queue.take() == "+a2");
}
