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
};

} // namespace reef::http
