#pragma once

#include "http/failure.h"
#include "http/request.h"
#include "site/loop_services.h"
#include "site/policy.h"

#include <cstdint>
#include <optional>

namespace reef::site {

/// Whether a request counts for the rates: one that the server makes of a client's other request
/// does not count again.
enum class Counting : std::uint8_t { counted, again };

/// Whether a client may make this request: its address (403), the rates (429 with Retry-After), its
/// password (401 with a challenge). Nothing: it may; a user who has shown a password is then
/// `request.remoteUser`.
Task<std::optional<http::Failure>> refusal(const Policy& policy, http::Request& request,
                                           LoopServices& services,
                                           Counting counting = Counting::counted);

} // namespace reef::site
