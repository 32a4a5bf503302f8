#pragma once

#include "base/regex.h"
#include "cache/rules.h"
#include "compose/dialect.h"
#include "gateway/admission_queue.h"
#include "gateway/interpreters.h"
#include "gateway/island_rules.h"
#include "http/request.h"
#include "site/access_rules.h"
#include "site/basic_auth.h"
#include "site/path_pattern.h"
#include "site/rate_limit.h"
#include "site/text_template.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reef::site {

/// What a request must be like for a route to apply: all that is given here.
struct RouteMatch {
    std::vector<PathPattern> paths;   ///< one of them; empty: any path
    std::optional<Regex> regex;       ///< found in the decoded path
    std::vector<std::string> methods; ///< one of them; empty: any; GET means HEAD as well

    /// `captures` are those of the regex; without one, `$1` is what `*` stood for. Exhausted: the
    /// regex gave up on this path, and nobody can say whether a rule about it holds; answer 500.
    Regex::Verdict applies(const http::Request& request, Captures& captures) const;

    /// Whether it applies to requests of this decoded path by some method. Where the regex gives
    /// up, it does not.
    bool mayApply(std::string_view path) const;
};

/// Whether an HTML file that its owner may execute is a page, as in Apache.
enum class XBitHack : std::uint8_t {
    off,
    on,
    full, ///< and says when it was modified, if its group may execute it too
};

/// How requests are treated. Each member that is given stands over what held before.
struct Conduct {
    std::optional<bool> ssi;
    std::optional<compose::Dialect> ssiDialect;
    std::optional<bool> ssiExec;
    std::optional<XBitHack> xBitHack;
    std::optional<bool> listing;
    std::optional<bool> compress;
    std::optional<bool> warm; ///< whether interpreters that have loaded an island may run it
    std::optional<std::shared_ptr<const cache::Rules>> responseCache; ///< null: none is kept
    std::optional<std::string> cacheControl; ///< of answers below 400 that have none; "": none
    std::optional<AccessRules> access;
    std::optional<std::shared_ptr<const BasicAuth>> auth; ///< null: everybody may enter
    std::optional<std::vector<TextTemplate>> tryFiles;    ///< paths; the last is taken in any case
    std::optional<bool> passAuthorization; ///< islands see HTTP_AUTHORIZATION; off unless given
    std::optional<bool> queryArguments;    ///< of islands: RFC 3875 4.4; off unless given
    std::optional<bool> serverTiming;      ///< of pages; off unless given
    std::optional<bool> internal;          ///< not for clients: 404
    std::shared_ptr<const gateway::Interpreters> interpreters; ///< in place of those before
    std::shared_ptr<RateLimit> rate;                 ///< beside those before; all must admit
    std::shared_ptr<gateway::IslandGroup> islands;   ///< the same, for islands at work
    std::optional<gateway::IslandRules> islandRules; ///< each of its members over those before
    std::vector<std::pair<std::string, std::string>> headers; ///< set in every answer
};

struct Redirect {
    int status = 302;
    TextTemplate location;
};

/// One entry of the site's list of routes. They are looked at in order; every one that applies has
/// its conduct added, until one decides: with a redirect, a rewritten path (which begins the list
/// anew), or a status.
struct Route {
    RouteMatch match;
    Conduct conduct;
    std::optional<Redirect> redirect;
    std::optional<TextTemplate> rewrite; ///< path and query
    std::optional<int> respond;          ///< a status from 400 on
};

} // namespace reef::site
