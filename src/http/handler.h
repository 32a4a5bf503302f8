#pragma once

#include "coro/task.h"
#include "http/failure.h"
#include "http/request.h"
#include "http/response.h"

namespace reef::http {

/// Answers requests: a document root, an island, a whole site. Called on one loop; `request` and
/// `sink` live until the task has ended or was dropped.
class Handler {
public:
    virtual ~Handler() = default;
    virtual Task<Handled> handle(Request& request, ResponseSink& sink) = 0;

    /// Shows the client why `request` failed, in place of the plain error page: the site's own page
    /// for that status. False: there is none, and nothing was sent. `failure` lives as long as the
    /// task.
    virtual Task<bool> explain(Request& request, const Failure& failure, ResponseSink& sink) {
        static_cast<void>(request);
        static_cast<void>(failure);
        static_cast<void>(sink);
        co_return false;
    }
};

} // namespace reef::http
