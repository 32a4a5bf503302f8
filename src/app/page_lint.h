#pragma once

#include "compose/dialect.h"
#include "compose/host.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace reef::app {

/// Something to be said about a page.
struct PageFinding {
    std::size_t line; ///< from 1; 0: the page as a whole
    std::string what;
    bool advice = false; ///< it works here; but not on another server, or not safely
};

/// Whose page it is, and what it may do.
struct PageManners {
    compose::Dialect dialect = compose::Dialect::apache;
    bool exec = false;
};

/// Why what a page names is not there; empty: it is.
using TargetFault = std::function<std::string(const compose::FragmentSpec&)>;

/// What is wrong with the directives of a page, and what had better be otherwise: unknown
/// directives, attributes and values, expressions that are none, conditions and blocks that are not
/// closed, targets that are not there; and, as advice, `$NAME` where ap_expr does not replace it,
/// values that are put out unencoded, commands, and what the dialect's own server does not know.
/// `page` is what targets are resolved against. In the order of lines.
std::vector<PageFinding> lintPage(std::string_view content, const http::Request& page,
                                  const PageManners& manners, const TargetFault& targetFault);

} // namespace reef::app
