// What coroutines cost. Baselines: the same call without a coroutine, and malloc for a frame.
#include "coro/frame_pool.h"
#include "coro/race.h"
#include "coro/scope.h"
#include "coro/semaphore.h"
#include "measure.h"

#include <cstdlib>

using namespace reef;
using bench::keep;
using bench::report;

namespace {

[[gnu::noinline]] int plain(int value) {
    keep(value);
    return value + 1;
}

Task<int> task(int value) {
    keep(value);
    co_return value + 1;
}

Task<int> deep(int levels) {
    if (levels == 0) co_return 0;
    co_return 1 + co_await deep(levels - 1);
}

Task<void> awaitOne() {
    keep(co_await task(1));
}
Task<void> awaitFive() {
    keep(co_await deep(5));
}
Task<void> awaitRace() {
    keep(co_await coro::race(task(1), task(2)));
}
Task<void> waitOnce(coro::Event& event) {
    co_await event.wait();
}
Task<void> permit(coro::Semaphore& limit) {
    const auto held = co_await limit.acquire();
}

} // namespace

int main() {
    coro::ReadyQueue queue;
    coro::Scope scope;
    const auto settle = [&] {
        while (queue.runOnce() != 0) {
        }
    };

    const double call = report("call of a plain function", [] { keep(plain(1)); });
    const double heap = report("malloc and free of 200 bytes", [] {
        void* block = std::malloc(200);
        keep(block);
        std::free(block);
    });
    report(
        "frame pool: allocate and release 200 bytes",
        [] {
            void* block = coro::FramePool::allocate(200);
            keep(block);
            coro::FramePool::release(block, 200);
        },
        heap);
    const double started = report("scope: start a task that awaits one task", [&] {
        scope.start(awaitOne());
        settle();
    });
    const double five = report("scope: start a task that awaits six, nested", [&] {
        scope.start(awaitFive());
        settle();
    });
    std::printf("%-44s %9.1f ns   %6.2f x a plain call\n", "so: one more nested task",
                (five - started) / 5, (five - started) / 5 / call);
    report("race of two tasks", [&] {
        scope.start(awaitRace());
        settle();
    });
    report("event: wait, set, resume", [&] {
        coro::Event event;
        scope.start(waitOnce(event));
        event.set();
        settle();
    });
    coro::Semaphore limit(1);
    report("semaphore: a permit that is free", [&] {
        scope.start(permit(limit));
        settle();
    });
}
