#include "io/loop.h"

#include "io/watch.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <utility>

namespace reef::io {

namespace {

constexpr std::uint32_t kNoSlot = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kWakeKey = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kEventsPerTurn = 256;

Fd orThrow(int descriptor, const char* what) {
    if (descriptor < 0) throw std::system_error(errno, std::generic_category(), what);
    return Fd(descriptor);
}

std::uint64_t keyOf(std::uint32_t slot, std::uint32_t generation) {
    return (std::uint64_t{generation} << 32U) | slot;
}

} // namespace

Loop::Loop()
    : epoll_(orThrow(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1")),
      wake_(orThrow(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")),
      began_(std::chrono::steady_clock::now()), now_(began_), freeSlot_(kNoSlot) {
    epoll_event event{};
    event.events = EPOLLIN | EPOLLET;
    event.data.u64 = kWakeKey;
    if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_.get(), &event) != 0)
        throw std::system_error(errno, std::generic_category(), "epoll_ctl");
}

Loop::~Loop() {
    tasks_.dropAll();
}

void Loop::run() {
    while (!stopping_)
        turn();
    stopping_ = false;
}

void Loop::stop() {
    post([this] { stopping_ = true; });
}

void Loop::post(std::move_only_function<void()> work) {
    bool first = false;
    {
        const std::lock_guard lock(postedMutex_);
        first = posted_.empty();
        posted_.push_back(std::move(work));
    }
    if (!first) return;
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written =
        ::write(wake_.get(), &one, sizeof one); // cannot fill 2^64
}

void Loop::turn() {
    std::array<epoll_event, kEventsPerTurn> events;
    const int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()),
                                   waitMilliseconds());
    readClock();
    ++turns_;
    bool woken = false;
    for (int i = 0; i < count; ++i) {
        const epoll_event& event = events[static_cast<std::size_t>(i)];
        if (event.data.u64 == kWakeKey) {
            woken = true;
        } else {
            dispatch(event.data.u64, event.events);
        }
    }
    const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(now_ - began_);
    timers_.advance(static_cast<std::uint64_t>(elapsed.count()));
    if (woken) runPosted();
    ready_.runOnce();
}

void Loop::armExactly(Timer& timer, std::chrono::milliseconds delay) noexcept {
    timers_.arm(timer, delay + behind(std::chrono::steady_clock::now()));
}

/// The wheel moves on at the end of a turn: what the turn's events arm must not count the sleep
/// before it.
std::chrono::milliseconds Loop::behind(std::chrono::steady_clock::time_point now) const noexcept {
    return std::chrono::ceil<std::chrono::milliseconds>(now - began_ -
                                                        std::chrono::milliseconds(timers_.now()));
}

void Loop::readClock() noexcept {
    now_ = std::chrono::steady_clock::now();
}

int Loop::waitMilliseconds() const noexcept {
    if (!ready_.empty() || stopping_) return 0;
    const auto next = timers_.next();
    if (!next) return -1;
    const auto ahead = *next > timers_.now() ? *next - timers_.now() : 0;
    return static_cast<int>(std::min<std::uint64_t>(ahead, 60'000));
}

void Loop::runPosted() {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto got = ::read(wake_.get(), &count, sizeof count);
    std::vector<std::move_only_function<void()>> work;
    {
        const std::lock_guard lock(postedMutex_);
        work.swap(posted_);
    }
    for (auto& function : work)
        function();
}

std::uint64_t Loop::addWatch(Watch& watch, int descriptor) {
    if (freeSlot_ == kNoSlot) {
        slots_.push_back({nullptr, 0, kNoSlot});
        freeSlot_ = static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t index = freeSlot_;
    Slot& slot = slots_[index];
    epoll_event event{};
    event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
    event.data.u64 = keyOf(index, slot.generation);
    if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &event) != 0)
        throw std::system_error(errno, std::generic_category(), "epoll_ctl");
    freeSlot_ = slot.nextFree;
    slot.watch = &watch;
    return event.data.u64;
}

void Loop::removeWatch(std::uint64_t key) noexcept {
    const auto index = static_cast<std::uint32_t>(key);
    Slot& slot = slots_[index];
    slot.watch = nullptr;
    ++slot.generation; // events of this turn that name the old generation find nobody (rule 7)
    slot.nextFree = std::exchange(freeSlot_, index);
}

Watch* Loop::watchOf(std::uint64_t key) const noexcept {
    const Slot& slot = slots_[static_cast<std::uint32_t>(key)];
    return slot.generation == static_cast<std::uint32_t>(key >> 32U) ? slot.watch : nullptr;
}

void Loop::dispatch(std::uint64_t key, std::uint32_t events) {
    if (Watch* watch = watchOf(key)) watch->note(events);
    // Each resumption may destroy the watch, so it is looked up again for each kind of waiter.
    for (const auto kind : {Watch::Wait::read, Watch::Wait::write, Watch::Wait::hangup}) {
        Watch* watch = watchOf(key);
        if (watch == nullptr) return;
        watch->resumeWaiters(kind);
    }
}

} // namespace reef::io
