// What the pages of a site ask of it: compose::Host, but for the fragments that are requests.
// clang-format off: the header that this is a part of comes first
#include "site/loop_site.h"
// clang-format on

#include "base/log.h"
#include "base/text.h"
#include "compose/place.h"
#include "coro/race.h"
#include "io/network.h"
#include "io/sleep.h"
#include "site/derived_request.h"
#include "site/fragment_variables.h"

#include <array>
#include <pwd.h>

namespace reef::site {

namespace {

bool endsIn(std::string_view name, std::string_view extension) noexcept {
    return name.size() >= extension.size() &&
           text::equalsIgnoreCase(name.substr(name.size() - extension.size()), extension);
}

std::string nameOfUser(uid_t user) {
    std::array<char, 4096> texts{};
    passwd entry{};
    passwd* found = nullptr;
    ::getpwuid_r(user, &entry, texts.data(), texts.size(), &found);
    return found == nullptr ? std::to_string(user) : std::string(entry.pw_name);
}

/// Ends when a fragment has had its time, without that in which it waited for its page.
Task<void> untilLate(io::Loop& loop, std::chrono::milliseconds limit, const compose::Place& place) {
    using Clock = std::chrono::steady_clock;
    const auto began = Clock::now();
    for (auto left = limit; left.count() > 0;) {
        co_await io::Sleep(loop, left);
        left = std::chrono::ceil<std::chrono::milliseconds>(limit - (Clock::now() - began) +
                                                            place.waited());
    }
}

} // namespace

LoopSite::PageKind LoopSite::kindOf(const Policy& policy, const Root& root,
                                    const files::Document& document) {
    const auto name = document.name();
    if (!policy.ssi) return PageKind::none;
    if (endsIn(name, ".shtml")) return PageKind::page;
    if (policy.xBitHack == XBitHack::off) return PageKind::none;
    if (!endsIn(name, ".html") && !endsIn(name, ".htm")) return PageKind::none;
    const auto status = root.mount.root.statusOf(std::string(name));
    if (!status || (status->st_mode & S_IXUSR) == 0) return PageKind::none;
    const bool dated = policy.xBitHack == XBitHack::full && (status->st_mode & S_IXGRP) != 0;
    return dated ? PageKind::dated : PageKind::page;
}

gateway::ScriptTarget LoopSite::targetOf(const http::Request& request) const {
    gateway::ScriptTarget target;
    target.documentRoot = site_.settings().documents;
    target.serverName = request.endpoints->localAddress;
    return target;
}

// Fragments that are no requests

Task<http::Handled> LoopSite::answerFragment(const compose::FragmentSpec& spec, Errand errand) {
    const bool isIsland = site_.islandsFor(errand.request.path) != nullptr;
    switch (spec.kind) {
    case compose::FragmentKind::virtualPath:
        return dispatch(errand);
    case compose::FragmentKind::file:
        return isIsland ? refuseFile() : serveDocument(errand);
    case compose::FragmentKind::cgi:
        return isIsland ? dispatch(errand) : refuse("`cgi` names no island");
    case compose::FragmentKind::command:
        return runCommand(spec, errand);
    }
    return refuse("a fragment of an unknown kind");
}

Task<http::Handled> LoopSite::refuse(std::string_view why) {
    co_return http::failWith(403, std::string(why));
}

Task<http::Handled> LoopSite::refuseFile() {
    return refuse("`file` names an island; `virtual` runs it");
}

/// Runs a command as an island that the shell is: with its limits, its place in the queue, its log.
/// A line in front gives its output the head that it has not got.
Task<http::Handled> LoopSite::runCommand(const compose::FragmentSpec& spec, Errand errand) {
    constexpr std::string_view kWithHead = "printf 'Content-Type: text/plain\\n\\n'; eval \"$0\"";
    gateway::Island shell;
    shell.name = "exec cmd";
    shell.scriptName = "/exec cmd"; // in the log
    shell.file = "/bin/sh";
    const std::array<std::string_view, 3> arguments{"-c", kWithHead, spec.target};
    const auto directory = directoryOf(spec.path);
    auto variables = fragmentVariables(spec);
    gateway::ScriptTarget target = targetOf(errand.request);
    target.scriptName = spec.path;
    target.scriptFile = directory;
    target.arguments = arguments;
    target.directory = directory;
    target.variables = variables;
    const auto host = hostOf(errand);
    const auto result = co_await gateway::runIsland(islands_.cgi, shell, target, errand.request,
                                                    errand.sink, *host);
    if (!result) co_return std::unexpected(result.error());
    co_return http::Handled{}; // its head names nothing that could answer instead
}

/// The directory that a page lies in; the documents', for pages that islands make.
std::string LoopSite::directoryOf(std::string_view path) {
    const Root* const root = rootFor(path);
    if (root == nullptr || site_.islandsFor(path) != nullptr) return site_.settings().documents;
    const auto below = root->below(path);
    return text::concat(root->mount.root.directory(), below.substr(0, below.rfind('/')));
}

// compose::Host

/// Whatever answers: a page is made of what its parts say, not of how they were packed.
Task<http::Handled> LoopSite::fragment(const compose::FragmentSpec& spec, compose::Place& place) {
    http::DecodingSink decoded(*spec.page, place, http::DecodingSink::Of::any);
    auto handled = co_await fragmentInto(decoded, spec, place);
    if (auto fault = faultOf(decoded, *spec.page)) co_return std::unexpected(std::move(*fault));
    co_return handled;
}

/// Whoever wrote to the decoder knows only that it took no more.
std::optional<http::Failure> LoopSite::faultOf(const http::DecodingSink& decoded,
                                               const http::Request& request) {
    if (!decoded.remark().empty()) problem(request, 0, decoded.remark());
    if (decoded.fault().empty()) return std::nullopt;
    return http::Failure(502, decoded.fault());
}

Task<http::Handled> LoopSite::within(std::chrono::milliseconds limit, const compose::Place& place,
                                     Task<http::Handled> work) {
    auto first = co_await coro::race(std::move(work), untilLate(services_.loop, limit, place));
    if (auto* const outcome = std::get_if<0>(&first)) co_return std::move(*outcome);
    co_return http::failWith(504, text::concat("it took longer than ", limit.count(), " ms"));
}

std::optional<std::string> LoopSite::variable(const http::Request& page, std::string_view name) {
    if (name == "DOCUMENT_ROOT") return site_.settings().documents;
    if (name == "SERVER_SOFTWARE") return "Atoll";
    if (name == "USER_NAME") return ownerOf(page);
    return std::nullopt;
}

/// Who owns the file of the page that the client asked for; "" when it is none.
std::string LoopSite::ownerOf(const http::Request& page) {
    const http::Request* client = &page;
    while (client->lineage.parent != nullptr)
        client = client->lineage.parent;
    const Root* const root = rootFor(client->path);
    if (root == nullptr || client->document.empty()) return {};
    const auto below = root->below(client->path);
    const auto name = text::concat(below.substr(1, below.rfind('/')), client->document);
    const auto status = root->mount.root.statusOf(name);
    return status ? nameOfUser(status->st_uid) : std::string();
}

/// What an island writes learns nothing of what it could not include for everybody.
bool LoopSite::isOpenTo(const compose::FragmentSpec& spec) {
    if (!spec.page->byIsland) return true;
    DerivedRequest derived(*spec.page);
    http::Request& request = derived.request();
    request.target = spec.target;
    request.rawPath = spec.rawPath;
    request.path = spec.path;
    const auto policy = policyWithin(request);
    return policy && !policy->internal && !policy->guards();
}

/// Whether a document is a script, by its own name or by that of the file that a link leads to.
bool LoopSite::isSource(const Root& root, const files::Document& document) const {
    if (site_.isSource(document.name())) return true;
    if (!site_.hasSources()) return false;
    return site_.isSource(root.mount.root.realNameOf(std::string(document.name())));
}

std::optional<compose::FileFacts> LoopSite::factsOf(const compose::FragmentSpec& spec) {
    if (!isOpenTo(spec)) return std::nullopt;
    Root* const root = rootFor(spec.path);
    if (root == nullptr || site_.islandsFor(spec.path) != nullptr) return std::nullopt;
    const auto found = root->cache.find(root->below(spec.path));
    if (!found || isSource(*root, *found)) return std::nullopt;
    return compose::FileFacts{found->size(), found->modified().tv_sec};
}

bool LoopSite::mayAccess(const compose::FragmentSpec& spec) {
    if (!isOpenTo(spec)) return false;
    if (const auto* const islands = site_.islandsFor(spec.path)) {
        const auto island = islands->find(spec.path);
        return island || island.error().status == 404;
    }
    Root* const root = rootFor(spec.path);
    if (root == nullptr) return true;
    const auto found = root->cache.find(root->below(spec.path));
    return found || found.error() != files::Absence::forbidden;
}

std::optional<bool> LoopSite::liesIn(std::string_view address, std::string_view network) {
    const auto block = io::Network::parse(network);
    if (!block) return std::nullopt;
    const auto host = io::parseHost(address);
    return host && block->contains(*host);
}

void LoopSite::problem(const http::Request& page, std::size_t line, std::string_view what) {
    services_.cache.shared().flaw(page.sharedRun);
    const auto where = line == 0 ? std::string() : text::concat("line ", line, ": ");
    log::warning(page.path, text::concat(where, what, " (request ", page.id, ")"));
}

} // namespace reef::site
