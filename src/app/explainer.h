#pragma once

#include "http/handler.h"
#include "site/page_traces.h"

#include <string>
#include <string_view>

namespace reef::app {

/// What `atoll explain` asks the server. Lives on the first loop; the two that it is given outlive
/// it.
class Explainer {
public:
    Explainer(http::Handler& sites, const site::PageTraces& pages) : sites_(sites), pages_(pages) {}

    /// Asks a site for `target` as a visitor from this machine would, throws the answer away, and
    /// tells its course: {"status", "bytes", "took" (microseconds), "why" (a failure), "page": as
    /// app/page_json.h, or null when it was no composed page}. `id` becomes the request's.
    Task<std::string> explain(std::string_view host, std::string_view target, std::string_view id);

    /// {"pages": [...]}: the last ones, the latest first.
    std::string recent() const;

private:
    http::Handler& sites_;
    const site::PageTraces& pages_;
};

} // namespace reef::app
