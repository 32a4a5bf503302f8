#pragma once

#include <cstddef>
#include <ctime>
#include <optional>

namespace reef::compose {

/// What a page shares with all that it includes. Owned by the composer of the client's page, which
/// outlives the others.
struct PageContext {
    explicit PageContext(std::size_t fragments) noexcept : fragmentsLeft(fragments) {}

    std::size_t fragmentsLeft;               ///< that may still be included, at any depth
    std::optional<std::time_t> lastModified; ///< of the client's page, if its head told
};

} // namespace reef::compose
