#include "app/check_pages.h"

#include "app/page_lint.h"
#include "app/walk.h"
#include "base/arena.h"
#include "base/text.h"
#include "http/path.h"
#include "site/policy.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace reef::app {

namespace {

using Documents = site::Site::Documents;

/// Whether an include may be answered by a rule rather than by a file or island of its path.
bool hasDecidingRoutes(const site::Site& site) {
    const auto& settings = site.settings();
    return settings.conduct.tryFiles.has_value() ||
           std::ranges::any_of(settings.routes, [](const site::Route& route) {
               return route.redirect || route.rewrite || route.respond || route.conduct.tryFiles;
           });
}

std::string faultOfIsland(const site::Site& site, std::string_view path) {
    const auto* islands = site.islandsFor(path);
    const auto island = islands->find(path);
    // What is there and refused is told with the islands.
    return island || island.error().status != 404 ? std::string() : island.error().detail;
}

std::string faultOfDocument(const site::Site& site, std::string_view path) {
    for (const Documents& documents : site.documents()) {
        if (!path.starts_with(documents.prefix)) continue;
        const auto below = documents.strip ? path.substr(documents.prefix.size() - 1) : path;
        const auto file = documents.root.find(below);
        if (file) return {};
        if (file.error() == files::Absence::forbidden) return "the file may not be read";
        if (file.error() == files::Absence::addSlash) return "a directory; add a slash";
        return "there is no such file";
    }
    return "the site has no documents";
}

/// A page of a site, for what it is asked: its request, its rules, and what it may name.
class Page {
public:
    Page(const site::Site& site, const std::string& path, bool takesIncludes)
        : site_(site), takesIncludes_(takesIncludes), request_(memory_, body_, ends_) {
        request_.rawPath = request_.target = memory_.copy(http::encodePath(path));
        request_.path = memory_.copy(path);
    }

    std::vector<PageFinding> look(std::string_view content) {
        const auto& settings = site_.settings();
        PageManners manners;
        if (const auto policy = site::policyFor(settings.conduct, settings.routes, request_)) {
            if (!policy->ssi) return {};
            manners.dialect = policy->ssiDialect;
            manners.exec = policy->ssiExec;
        }
        return lintPage(content, request_, manners,
                        [this](const compose::FragmentSpec& spec) { return faultOf(spec); });
    }

private:
    std::string faultOf(const compose::FragmentSpec& spec) const {
        if (!takesIncludes_) return {};
        const bool isFile = spec.kind == compose::FragmentKind::file;
        if (!isFile && site_.islandsFor(spec.path)) return faultOfIsland(site_, spec.path);
        return faultOfDocument(site_, spec.path);
    }

    const site::Site& site_;
    bool takesIncludes_; ///< and tells whether what they name is there
    Arena memory_;
    http::EmptyBody body_;
    http::Endpoints ends_;
    http::Request request_;
};

std::string described(const std::string& file, const PageFinding& finding) {
    const auto where = finding.line == 0 ? file : text::concat(file, ":", finding.line);
    return text::escapeControls(
        text::concat(where, ": ", finding.advice ? "advice: " : "", finding.what));
}

bool isBelow(std::string_view file, std::string_view place) {
    return file.starts_with(place) &&
           (file.size() == place.size() || place.ends_with('/') || file[place.size()] == '/');
}

} // namespace

std::vector<std::string> faultsOfPages(const site::Site& site, const PageSelection& selection) {
    std::vector<std::string> faults;
    const bool takesIncludes = !hasDecidingRoutes(site);
    for (const Documents& documents : site.documents()) {
        auto [files, unread] = walk(documents.root.directory());
        if (selection.below.empty()) std::ranges::move(unread, std::back_inserter(faults));
        for (const std::string& name : files) {
            const auto file = text::concat(documents.root.directory(), "/", name);
            if (!selection.below.empty() && !isBelow(file, selection.below)) continue;
            if (!name.ends_with(".shtml") && file != selection.below) continue;
            std::ifstream in(file, std::ios::binary);
            const std::string content{std::istreambuf_iterator<char>(in), {}};
            if (!in) {
                faults.push_back(text::escapeControls(file) + ": cannot be read");
                continue;
            }
            const std::string path = documents.strip ? documents.prefix + name : "/" + name;
            for (const PageFinding& finding : Page(site, path, takesIncludes).look(content))
                if (!finding.advice || selection.advice) faults.push_back(described(file, finding));
        }
    }
    return faults;
}

std::vector<std::string> faultsOfErrorPages(const site::Site& site) {
    std::vector<std::string> faults;
    if (hasDecidingRoutes(site)) return faults;
    for (const auto& [status, target] : site.settings().errorDocuments) {
        Arena memory;
        const auto path =
            http::decodePath(std::string_view(target).substr(0, target.find('?')), memory);
        std::string why = "that is no path";
        if (path)
            why = site.islandsFor(*path) != nullptr ? faultOfIsland(site, *path)
                                                    : faultOfDocument(site, *path);
        if (!why.empty())
            faults.push_back(text::concat("[errors] ", status, " = \"",
                                          text::escapeControls(target), "\": ", why));
    }
    return faults;
}

} // namespace reef::app
