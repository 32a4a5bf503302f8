#pragma once

#include "http/handler.h"

namespace reef::site {

/// What a site without a single page shows at `/`: what to put where.
Task<http::Handled> sendWelcome(http::Request& request, http::ResponseSink& sink);

} // namespace reef::site
