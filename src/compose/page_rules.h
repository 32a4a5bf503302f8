#pragma once

#include "compose/dialect.h"
#include "compose/page_head.h"
#include "compose/page_trace.h"

namespace reef::compose {

/// How the pages of a site are composed.
struct PageRules {
    PageRules(Compose which) noexcept : compose(which) {} // NOLINT: a choice of answers alone

    Compose compose;
    Dialect dialect = Dialect::apache;
    bool exec = false;              ///< whether `exec` runs anything
    bool foreign = false;           ///< it begins with what a page of an island has set
    PageTrace* trace = nullptr;     ///< of the client's page; what it includes is noted there too
    bool keepsLastModified = false; ///< the page's answer says when its text was changed
};

} // namespace reef::compose
