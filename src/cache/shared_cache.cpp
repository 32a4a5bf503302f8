#include "cache/shared_cache.h"

#include "base/text.h"
#include "cache/key.h"

#include <algorithm>
#include <set>

namespace reef::cache {

namespace {

constexpr std::chrono::seconds kRememberOwn{60};
constexpr std::chrono::hours kRememberVaries{24};
constexpr std::chrono::hours kRememberWithdrawn{24}; // nothing but the site's own change ends it

std::shared_ptr<Entry> marker(Entry::Kind kind, std::string key, const Place& place,
                              Milliseconds lasts, TimePoint now) {
    auto entry = std::make_shared<Entry>();
    entry->kind = kind;
    entry->key = std::move(key);
    entry->place = place;
    entry->lifetime.fresh = lasts;
    entry->made = now;
    return entry;
}

std::vector<std::string> united(const std::vector<std::string>& a,
                                const std::vector<std::string>& b) {
    std::vector<std::string> out;
    std::ranges::set_union(a, b, std::back_inserter(out));
    return out;
}

} // namespace

void SharedCache::use(const Limits& limits) {
    const std::lock_guard lock(mutex_);
    limits_ = limits;
    store_.setLimit(limits.memory);
    enabled_ = limits.memory != 0;
}

// Who asks

SharedCache::Found SharedCache::find(const Ask& ask) {
    using Kind = Found::Kind;
    const auto now = ask.loop.now();
    const std::lock_guard lock(mutex_);
    Found found;
    auto entry = store_.find(ask.plan.key, now);
    if (entry != nullptr && entry->kind == Entry::Kind::answer) {
        if (entry->isFresh(now)) {
            ++counts_.hits;
            found.kind = Kind::fresh;
        } else if (entry->mayStandIn(now)) {
            ++counts_.stale;
            found.kind = Kind::stale;
            if (ask.mayWait && !byKey_.contains(ask.plan.key)) found.begun = begin(ask, true);
        }
        found.entry = entry;
        if (found.kind != Kind::own) return found;
    }
    const bool forNobody = entry != nullptr && entry->kind == Entry::Kind::own;
    const auto other = byKey_.find(ask.plan.key);
    const bool joins = other != byKey_.end();
    if (!ask.mayWait || forNobody ||
        (joins && ask.within != 0 && closesCircle(ask.within, other->second->id))) {
        ++counts_.own;
        return found;
    }
    found.kind = Kind::follow;
    ++(joins ? counts_.coalesced : counts_.misses);
    if (!joins) found.begun = begin(ask, false);
    found.seat = follow(joins ? other->second : found.begun, ask);
    return found;
}

std::shared_ptr<Flight> SharedCache::begin(const Ask& ask, bool background) {
    auto flight =
        std::make_shared<Flight>(++lastId_, ask.plan, std::make_shared<Bell>(ask.loop), background);
    byId_.emplace(flight->id, flight);
    enlist(flight);
    return flight;
}

std::unique_ptr<Seat> SharedCache::follow(const std::shared_ptr<Flight>& flight, const Ask& ask) {
    flight->followers.push_front({std::make_shared<Bell>(ask.loop), ask.within});
    if (ask.within != 0) waits_.emplace(ask.within, flight->id);
    return std::make_unique<Seat>(*this, flight, flight->followers.begin(), ask.loop);
}

/// Whether the run of `target` waits, by however many others, for that of `within`.
bool SharedCache::closesCircle(std::uint64_t within, std::uint64_t target) const {
    std::set<std::uint64_t> seen{target};
    std::vector<std::uint64_t> next{target};
    while (!next.empty()) {
        const auto each = next.back();
        next.pop_back();
        if (each == within) return true;
        const auto [begin, end] = waits_.equal_range(each);
        for (auto wait = begin; wait != end; ++wait)
            if (seen.insert(wait->second).second) next.push_back(wait->second);
    }
    return false;
}

std::vector<std::string> SharedCache::variesOf(std::string_view primary, TimePoint now) {
    const std::lock_guard lock(mutex_);
    const auto entry = store_.find(primary, now);
    if (entry == nullptr || entry->kind != Entry::Kind::varies) return {};
    return entry->varies;
}

// The run

/// Others can join it from now on, by its key.
void SharedCache::enlist(const std::shared_ptr<Flight>& flight) {
    if (!flight->overtaken && !flight->outgrown) byKey_.try_emplace(flight->plan.key, flight);
}

void SharedCache::strike(const Flight& flight) {
    const auto found = byKey_.find(flight.plan.key);
    if (found != byKey_.end() && found->second.get() == &flight) byKey_.erase(found);
}

bool SharedCache::show(Flight& flight, std::shared_ptr<const Head> head, Verdict verdict,
                       Executor& here) {
    const std::lock_guard lock(mutex_);
    if (isOver(flight.stage) || flight.abandoned) return false;
    const bool isTooLarge = head->length && *head->length > limits_.answer;
    if (verdict.sharing == Sharing::own || isTooLarge) {
        rememberOwn(flight, kRememberOwn, here.now());
        strike(flight);
        flight.end(Stage::own, here);
        return false;
    }
    // A failure does not take the place of what was there.
    if (verdict.sharing == Sharing::waited && flight.followers.empty()) return false;
    flight.show(std::move(head), std::move(verdict));
    if (!flight.verdict.varies.empty()) learnVaries(flight, here.now());
    flight.ringAll(here);
    return true;
}

/// Its answer is one of several: others are to ask with what they have of the fields that it
/// depends on.
void SharedCache::learnVaries(Flight& flight, TimePoint now) {
    const auto known = store_.find(flight.plan.primary, now);
    const bool some = known != nullptr && known->kind == Entry::Kind::varies;
    auto names = some ? united(known->varies, flight.verdict.varies) : flight.verdict.varies;
    // Which of them this run's request had, it was told when it began.
    std::erase_if(flight.verdict.varies, [&](const std::string& name) {
        return std::ranges::find(flight.plan.carried, name, &Field::first) !=
               flight.plan.carried.end();
    });
    const auto shared = byId_.find(flight.id)->second;
    strike(flight);
    flight.plan.key = variant(flight.plan.primary, names, flight.plan.carried);
    enlist(shared);
    auto entry =
        marker(Entry::Kind::varies, flight.plan.primary, flight.plan.place, kRememberVaries, now);
    entry->varies = std::move(names);
    store_.put(std::move(entry));
}

void SharedCache::rememberOwn(const Flight& flight, Milliseconds time, TimePoint now) {
    store_.put(marker(Entry::Kind::own, flight.plan.key, flight.plan.place, time, now));
}

SharedCache::Progress SharedCache::add(Flight& flight, Chunk chunk, Executor& here) {
    const std::lock_guard lock(mutex_);
    if (isOver(flight.stage) || flight.abandoned) return Progress::stop;
    const bool was = flight.outgrown;
    const bool wanted = flight.add(std::move(chunk), limits_.answer);
    if (flight.outgrown && !was) {
        strike(flight);
        rememberOwn(flight, kRememberOwn, here.now());
    }
    if (!wanted) return Progress::stop;
    flight.ringAll(here);
    if (!flight.isFull(limits_.answer)) return Progress::go;
    flight.run->awaited = true;
    return Progress::wait;
}

SharedCache::Progress SharedCache::progressOf(Flight& flight) {
    const std::lock_guard lock(mutex_);
    if (isOver(flight.stage) || flight.abandoned) return Progress::stop;
    if (!flight.isFull(limits_.answer)) return Progress::go;
    flight.run->awaited = true;
    return Progress::wait;
}

bool SharedCache::isWanted(Flight& flight) {
    const std::lock_guard lock(mutex_);
    if (flight.abandoned) return false;
    flight.run->awaited = true;
    return true;
}

bool SharedCache::complete(Flight& flight, Executor& here) {
    auto entry = std::make_shared<Entry>();
    {
        const std::lock_guard lock(mutex_);
        if (isOver(flight.stage) || flight.abandoned || flight.head == nullptr) return false;
        const auto& announced = flight.head->length;
        if (announced && *announced != flight.written) return false;
        if (flight.verdict.sharing != Sharing::kept || flight.outgrown) {
            strike(flight);
            flight.end(Stage::complete, here);
            return true;
        }
        entry->content = flight.content();
    }
    entry->place = flight.plan.place;
    entry->made = here.now();
    const std::lock_guard lock(mutex_);
    entry->key = flight.plan.key;
    entry->head = flight.head;
    entry->lifetime = flight.verdict.lifetime;
    if (!flight.flawed && !flight.overtaken && store_.put(std::move(entry))) ++counts_.stored;
    strike(flight);
    flight.end(Stage::complete, here);
    return true;
}

void SharedCache::end(Flight& flight, http::Failure failure, Executor& here) {
    const std::lock_guard lock(mutex_);
    strike(flight);
    if (!isOver(flight.stage)) {
        flight.failure = std::move(failure);
        flight.end(flight.head == nullptr ? Stage::failed : Stage::cut, here);
    }
    waits_.erase(flight.id);
    byId_.erase(flight.id);
}

// What happens elsewhere

void SharedCache::release(Flight& flight, Flight::Followers::iterator follower,
                          const Executor& here) {
    const std::lock_guard lock(mutex_);
    if (follower->within != 0) {
        const auto [begin, end] = waits_.equal_range(follower->within);
        const auto wait =
            std::find_if(begin, end, [&](const auto& each) { return each.second == flight.id; });
        if (wait != end) waits_.erase(wait);
    }
    flight.leave(follower);
    if (isOver(flight.stage)) return;
    const bool lonely = flight.followers.empty() && (!flight.background || flight.outgrown);
    if (lonely) {
        flight.abandoned = true;
        strike(flight);
    }
    Bell::ring(flight.run, here); // it may have waited for this one
}

void SharedCache::withdraw(std::uint64_t id, Executor& here) {
    const std::lock_guard lock(mutex_);
    const auto found = byId_.find(id);
    if (found == byId_.end()) return;
    Flight& flight = *found->second;
    flight.flawed = true;
    if (isOver(flight.stage)) return;
    rememberOwn(flight, kRememberWithdrawn, here.now());
    strike(flight);
    if (!flight.isSeen()) flight.end(Stage::own, here);
}

void SharedCache::flaw(std::uint64_t id) {
    const std::lock_guard lock(mutex_);
    if (const auto found = byId_.find(id); found != byId_.end()) found->second->flawed = true;
}

std::size_t SharedCache::purge(const Purge& which) {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, flight] : byId_) {
        if (!which.concerns(flight->plan.place)) continue;
        flight->overtaken = true;
        strike(*flight);
    }
    return store_.purge(which);
}

void SharedCache::countStandIn() {
    const std::lock_guard lock(mutex_);
    ++counts_.stale;
}

Counts SharedCache::counts() const {
    const std::lock_guard lock(mutex_);
    Counts counts = counts_;
    counts.evicted = store_.evicted();
    counts.answers = store_.answers();
    counts.bytes = store_.bytes();
    return counts;
}

Seat::~Seat() {
    cache_.release(*flight_, follower_, here_);
}

Flight::Portion Seat::take() {
    const std::lock_guard lock(cache_.mutex_);
    return flight_->take(*follower_, cache_.limits_.answer, here_);
}

} // namespace reef::cache
