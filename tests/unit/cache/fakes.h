#pragma once

#include "cache/key.h"
#include "cache/response_cache.h"
#include "compose/fakes.h"
#include "coro/turns.h"

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace reef::test {

using namespace std::chrono_literals;

/// A loop whose clock the test moves, and whose posted work it runs.
class FakeLoop final : public cache::Executor {
public:
    void post(std::move_only_function<void()> work) override {
        const std::lock_guard lock(mutex_);
        posted_.push_back(std::move(work));
    }
    cache::TimePoint now() const override { return time; }

    bool runPosted() {
        std::vector<std::move_only_function<void()>> work;
        {
            const std::lock_guard lock(mutex_);
            work.swap(posted_);
        }
        for (auto& each : work)
            each();
        return !work.empty();
    }

    cache::TimePoint time{1h};

private:
    std::mutex mutex_;
    std::vector<std::move_only_function<void()>> posted_;
};

/// How runs answer, and what they have done.
struct FakeSource {
    std::function<Task<http::Handled>(http::ResponseSink&, Arena&)> make;
    cache::Rules rules;
    std::optional<cache::Keeping> keeping;
    int runs = 0;
    int ended = 0;
    int aside = 0;
    std::vector<cache::Fields> carried;
    std::uint64_t number = 0; ///< of the last run
};

class FakeRun final : public cache::SharedRun {
public:
    explicit FakeRun(FakeSource& source) : source_(source) {}
    ~FakeRun() override { ++source_.ended; }

    Task<http::Handled> make(http::ResponseSink& sink) override {
        ++source_.runs;
        return source_.make(sink, arena_);
    }
    void stepAside() noexcept override { ++source_.aside; }
    const cache::Rules& rules() const noexcept override { return source_.rules; }
    const std::optional<cache::Keeping>& keeping() const noexcept override {
        return source_.keeping;
    }

private:
    FakeSource& source_;
    Arena arena_;
};

/// One who asks, with a client of its own.
class FakeAsker final : public cache::Asker {
public:
    FakeAsker(FakeSource& source, const std::string& target) : source_(source), page_(target) {}

    const http::Request& request() const noexcept override { return page_.request; }
    http::Request& request() noexcept { return page_.request; }
    std::uint64_t within() const noexcept override { return inside; }
    cache::FlightPlan plan() const override {
        cache::FlightPlan plan;
        plan.carried = cache::chosenFields(page_.request.fields, source_.rules);
        plan.primary = cache::Key().add(page_.request.target).add(plan.carried).take();
        plan.key = plan.primary;
        plan.place = {"site.example", std::string(page_.request.path),
                      std::string(page_.request.path)};
        return plan;
    }
    std::unique_ptr<cache::SharedRun> share(const cache::FlightPlan& plan,
                                            std::uint64_t number) override {
        source_.carried.push_back(plan.carried);
        source_.number = number;
        return std::make_unique<FakeRun>(source_);
    }
    Task<http::Handled> own() override {
        ++owned;
        http::ResponseHead head(*page_.request.arena);
        const auto sent = co_await http::sendPiece(sink, head, bytesOf(std::string_view("own")));
        if (!sent) co_return http::failClient(sent.error());
        co_return http::Handled{};
    }
    void tell(cache::Origin origin, std::string_view status) override {
        told = status;
        from = origin;
    }

    bool ended() const noexcept { return handled.has_value(); }
    int failure() const { return handled && !*handled ? handled->error().status : 0; }

    RecordingSink sink;
    std::uint64_t inside = 0;
    int owned = 0;
    std::string told;
    cache::Origin from = cache::Origin::made;
    std::optional<http::Handled> handled;

private:
    FakeSource& source_;
    PageRequest page_;
};

} // namespace reef::test
