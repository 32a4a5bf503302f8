#pragma once

#include "cache/shared_cache.h"
#include "http/response.h"

namespace reef::cache {

/// What makes an answer for several askers.
class SharedRun {
public:
    virtual ~SharedRun() = default;

    /// Once. The sink outlives the task, and the run does.
    virtual Task<http::Handled> make(http::ResponseSink& sink) = 0;

    /// It is about to wait for those who follow it: it gives back what keeps others from running.
    virtual void stepAside() noexcept = 0;

    /// What its answer is held against. Both live as long as the run.
    virtual const Rules& rules() const noexcept = 0;
    virtual const std::optional<Keeping>& keeping() const noexcept = 0;
};

/// Records the answer of a run into its flight. Never waits for those who follow, unless the answer
/// has outgrown what may be kept and the slowest of them is as far behind. Fails when nobody wants
/// the answer, or nobody else may have it. Lives in the run's frame.
class FlightSink final : public http::ResponseSink {
public:
    FlightSink(SharedCache& cache, Flight& flight, SharedRun& run, Executor& loop) noexcept
        : cache_(cache), flight_(flight), run_(run), loop_(loop) {}

    Task<Status> begin(const http::ResponseHead& head) override;
    Task<Status> write(std::span<const ByteView> pieces) override;
    Task<Status> flush() override;
    Task<Status> end() override;
    Task<Status> send(const http::ResponseHead& head, std::span<const ByteView> pieces) override;
    Task<Status> sendFile(const http::ResponseHead& head, int file, ByteCount offset,
                          ByteCount count) override;
    bool begun() const noexcept override { return begun_; }

private:
    Status show(const http::ResponseHead& head);
    Status complete();

    SharedCache& cache_;
    Flight& flight_;
    SharedRun& run_;
    Executor& loop_;
    bool begun_ = false;
};

} // namespace reef::cache
