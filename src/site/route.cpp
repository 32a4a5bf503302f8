#include "site/route.h"

#include <algorithm>

namespace reef::site {

Regex::Verdict RouteMatch::applies(const http::Request& request, Captures& captures) const {
    if (!methods.empty() && std::ranges::find(methods, request.methodName) == methods.end())
        return Regex::Verdict::unmatched;
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

} // namespace reef::site
