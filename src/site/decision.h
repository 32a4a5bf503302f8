#pragma once

#include "http/handler.h"
#include "site/policy.h"

#include <optional>
#include <string>

namespace reef::site {

/// Answers by the route that decides: with its redirect, or a failure of the status that it names.
/// Not for a rewrite.
Task<http::Handled> answerDecision(http::Request& request, http::ResponseSink& sink,
                                   const Policy& policy);

/// Aims the request at the path that the route rewrites it to. What is wrong with that, if
/// anything.
std::optional<std::string> rewrite(http::Request& request, const Policy& policy);

/// Aims the request at another path; its query stays unless `target` brings one.
std::optional<std::string> aimKeepingQuery(http::Request& request, std::string_view target);

} // namespace reef::site
