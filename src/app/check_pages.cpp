#include "app/check_pages.h"

#include "app/walk.h"
#include "base/arena.h"
#include "base/text.h"
#include "compose/directive.h"
#include "compose/parser.h"
#include "compose/target.h"
#include "http/path.h"

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

/// The page that is looked at: its directives are resolved against its path.
class Page {
public:
    Page(const site::Site& site, std::string file, const std::string& path, bool takesIncludes)
        : site_(site), file_(std::move(file)), takesIncludes_(takesIncludes),
          request_(memory_, body_, ends_) {
        request_.rawPath = request_.target = memory_.copy(http::encodePath(path));
        request_.path = memory_.copy(path);
    }

    std::vector<std::string> faults() {
        std::ifstream in(file_, std::ios::binary);
        const std::string content{std::istreambuf_iterator<char>(in), {}};
        if (!in) return {text::concat(text::escapeControls(file_), ": cannot be read")};
        compose::Parser parser;
        parser.feed(bytesOf(content));
        while (const auto item = parser.next())
            look(*item);
        parser.finish();
        while (const auto item = parser.next())
            look(*item);
        return std::move(faults_);
    }

private:
    void look(const compose::Item& item) {
        if (const auto* error = std::get_if<compose::SyntaxError>(&item))
            complain(error->line, error->what);
        if (const auto* directive = std::get_if<compose::Directive>(&item)) look(*directive);
    }

    void look(const compose::Directive& directive) {
        if (const auto why = compose::faultOf(directive); !why.empty())
            return complain(directive.line, text::concat(directive.name, ": ", why));
        for (const compose::Attribute& attribute : directive.attributes) {
            std::string scratch;
            const auto step = compose::stepFor(directive, attribute, scratch);
            const std::string why = step ? faultOf(*step) : std::string(step.error());
            if (why.empty()) continue;
            const auto value =
                attribute.value ? text::concat("=\"", *attribute.value, "\"") : std::string();
            complain(directive.line,
                     text::concat(directive.name, " ", attribute.name, value, ": ", why));
        }
    }

    std::string faultOf(const compose::Step& step) {
        using compose::Action;
        if (step.action != Action::includeVirtual && step.action != Action::includeFile) return {};
        const bool isVirtual = step.action == Action::includeVirtual;
        const auto spec = compose::resolve(isVirtual ? compose::FragmentKind::virtualPath
                                                     : compose::FragmentKind::file,
                                           step.value, request_);
        if (!spec) return std::string(spec.error());
        if (!takesIncludes_) return {};
        if (isVirtual && site_.islandsFor(spec->path)) return faultOfIsland(site_, spec->path);
        return faultOfDocument(site_, spec->path);
    }

    void complain(std::size_t line, std::string_view what) {
        faults_.push_back(text::escapeControls(text::concat(file_, ":", line, ": ", what)));
    }

    const site::Site& site_;
    std::string file_;
    bool takesIncludes_; ///< and tells whether what they name is there
    Arena memory_;
    http::EmptyBody body_;
    http::Endpoints ends_;
    http::Request request_;
    std::vector<std::string> faults_;
};

} // namespace

std::vector<std::string> faultsOfPages(const site::Site& site) {
    std::vector<std::string> faults;
    const bool takesIncludes = !hasDecidingRoutes(site);
    const auto add = [&faults](std::vector<std::string> more) {
        std::ranges::move(more, std::back_inserter(faults));
    };
    for (const Documents& documents : site.documents()) {
        auto [files, unread] = walk(documents.root.directory());
        add(std::move(unread));
        for (const std::string& name : files) {
            if (!name.ends_with(".shtml")) continue;
            const std::string path = documents.strip ? documents.prefix + name : "/" + name;
            Page page(site, text::concat(documents.root.directory(), "/", name), path,
                      takesIncludes);
            add(page.faults());
        }
    }
    return faults;
}

} // namespace reef::app
