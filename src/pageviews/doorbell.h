#pragma once

#include "base/fd.h"
#include "base/result.h"

#include <chrono>

namespace reef::pageviews {

/// Wakes one sleeping thread from any other. A ring that comes while nobody sleeps is kept for the
/// next wait.
class Doorbell {
public:
    static Result<Doorbell> open();

    void ring() const noexcept;

    /// Sleeps until it rings or `limit` has passed (negative: for ever); takes all rings so far.
    void wait(std::chrono::milliseconds limit) const noexcept;

private:
    explicit Doorbell(Fd event) noexcept : event_(std::move(event)) {}
    Fd event_;
};

} // namespace reef::pageviews
