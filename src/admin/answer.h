#pragma once

#include "admin/html.h"
#include "coro/task.h"
#include "http/failure.h"
#include "http/request.h"
#include "http/response.h"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace reef::admin {

/// What a page's handler decided, not yet sent. `sendAnswer` adds the fields that every answer of
/// the panel has, so no handler can forget them.
struct Answer {
    int status = 200;
    std::string body;                  ///< HTML
    std::vector<std::string> cookies;  ///< values of Set-Cookie
    std::string_view location;         ///< a literal; "" unless it redirects
    std::string_view allow;            ///< a literal, with 405
    std::chrono::seconds retryAfter{}; ///< 0: not stated

    std::string_view asset;     ///< an embedded file instead of `body`, cached for ever
    std::string_view assetType; ///< its media type
};

/// A page.
Answer answerWith(std::string body, int status = 200);

/// "Look there next" (303): what follows a form.
Answer redirectTo(Url place);

/// Sends it with CSP, no-store and the rest.
Task<http::Handled> sendAnswer(const Answer& answer, http::Request& request,
                               http::ResponseSink& sink);

} // namespace reef::admin
