#include "site/route.h"

#include <algorithm>

namespace reef::site {

namespace {

/// Who may not GET must not learn by HEAD what GET would say (RFC 9110 9.3.2).
bool allows(const std::vector<std::string>& methods, std::string_view method) {
    return std::ranges::find(methods, method) != methods.end() ||
           (method == "HEAD" && std::ranges::find(methods, "GET") != methods.end());
}

} // namespace

Regex::Verdict RouteMatch::applies(const http::Request& request, Captures& captures) const {
    if (!methods.empty() && !allows(methods, request.methodName)) return Regex::Verdict::unmatched;
    if (!paths.empty()) {
        std::optional<std::string_view> star;
        for (const PathPattern& pattern : paths)
            if ((star = pattern.match(request.path))) break;
        if (!star) return Regex::Verdict::unmatched;
        captures = Captures();
        captures.set(0, request.path);
        captures.set(1, *star);
    }
    return regex ? regex->search(request.path, captures) : Regex::Verdict::matched;
}

bool RouteMatch::mayApply(std::string_view path) const {
    Captures unused;
    const auto fits = [path](const PathPattern& each) { return each.match(path).has_value(); };
    return (paths.empty() || std::ranges::any_of(paths, fits)) &&
           (!regex || regex->search(path, unused) == Regex::Verdict::matched);
}

} // namespace reef::site
