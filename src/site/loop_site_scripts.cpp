// Scripts among the documents, which an interpreter runs.
// clang-format off: the header that this is a part of comes first
#include "site/loop_site.h"
// clang-format on

#include "base/text.h"
#include "compose/place.h"

namespace reef::site {

Task<http::Handled>
LoopSite::serveScript(Errand errand,
                      std::expected<gateway::Island, gateway::IslandRefusal> script) {
    if (!script) co_return http::failWith(script.error().status, std::move(script.error().detail));
    if (errand.place != nullptr && errand.place->spec().kind == compose::FragmentKind::file)
        co_return co_await refuseFile();
    script->warm = errand.policy.warm;
    co_return co_await runComposed(errand, *script);
}

/// A document was found that is the source of a script: the index of its directory is run, all
/// others that come here have a name that no interpreter is set for in this place.
Task<http::Handled> LoopSite::serveSource(Errand errand, const Site::Documents& documents,
                                          std::string_view name) {
    const auto& [request, sink, policy, place] = errand;
    const auto file = name.substr(name.rfind('/') + 1);
    if (policy.interpreters == nullptr || policy.interpreters->programFor(file).empty() ||
        !request.path.ends_with('/'))
        co_return http::failWith(403, text::concat("the source of a script, ", name,
                                                   ", for which no interpreter is "
                                                   "set here"));
    co_return co_await serveScript(
        errand, documents.scripts.find(text::concat(request.path, file), policy.interpreters));
}

} // namespace reef::site
