#pragma once

#include "gateway/admission.h"
#include "gateway/island_numbers.h"

namespace reef::gateway {

/// What all loops of a server know of its islands together. Outlives the loops.
struct SharedIslands {
    explicit SharedIslands(const AdmissionLimits& limits) : admission(limits) {}

    Admission admission;
    IslandNumbers numbers;
};

} // namespace reef::gateway
