#pragma once

#include "base/result.h"
#include "io/watch.h"
#include "process/outbox.h"

namespace reef::process {

/// `Status sent = co_await DrainAwaiter(socket.watch(), outbox)`: ends when nothing waits in the
/// outbox any more, or with the failure of a packet.
class [[nodiscard]] DrainAwaiter final : public io::IoAwaiter {
public:
    DrainAwaiter(io::Watch& watch, Outbox& outbox) noexcept
        : IoAwaiter(watch, io::kNever), outbox_(outbox) {}
    Status await_resume() const noexcept { return outcome_; }

private:
    Step attempt() override {
        outcome_ = outbox_.flush(watch().descriptor());
        if (!outcome_ || outbox_.empty()) return Step::done;
        watch().writeFilled();
        return Step::wantsWrite;
    }
    void timedOut() noexcept override {}

    Outbox& outbox_;
    Status outcome_;
};

} // namespace reef::process
