#pragma once

#include "cache/executor.h"
#include "io/loop.h"

namespace reef::site {

/// A loop, as the cache of answers sees it.
class CacheLoop final : public cache::Executor {
public:
    explicit CacheLoop(io::Loop& loop) noexcept : loop_(loop) {}

    void post(std::move_only_function<void()> work) override { loop_.post(std::move(work)); }

    /// Not that of the loop's turn: loops compare what each other says.
    cache::TimePoint now() const override { return std::chrono::steady_clock::now(); }

private:
    io::Loop& loop_;
};

} // namespace reef::site
