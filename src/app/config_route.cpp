#include "app/config_site.h"
#include "base/text.h"

#include <algorithm>
#include <filesystem>

namespace reef::app {

namespace {

using site::TextTemplate;

/// Reads one [[route]].
class RouteReader {
public:
    RouteReader(const toml::table& node, const std::string& name, ConfigErrors& errors,
                const std::string& directory, site::SiteSettings& site)
        : table_(node, name, errors), directory_(directory), site_(site) {}

    void read() {
        readMatch();
        readConduct(table_, directory_, route_.conduct);
        readTry();
        readDecision();
        readMounts();
        table_.finish();
        site_.routes.push_back(std::move(route_));
    }

private:
    void readMatch() {
        std::vector<std::string> paths;
        table_.read("path", paths);
        for (const std::string& text : paths) {
            auto pattern = site::PathPattern::parse(text);
            if (pattern) {
                route_.match.paths.push_back(std::move(*pattern));
            } else {
                table_.complain(*table_.take("path"), "path", pattern.error());
            }
        }
        table_.readAs<std::optional<Regex>>("regex", route_.match.regex, compile);
        table_.read("method", route_.match.methods);
        for (const std::string& method : route_.match.methods)
            if (method != text::concat(method) || !std::ranges::all_of(method, isUpper))
                table_.complain(*table_.take("method"), "method",
                                "expected methods in capital letters, such as \"POST\"");
    }

    static bool isUpper(char c) { return (c >= 'A' && c <= 'Z') || c == '-'; }

    static std::expected<std::optional<Regex>, std::string> compile(std::string_view pattern) {
        auto regex = Regex::compile(pattern);
        if (regex) return std::optional(std::move(*regex));
        return std::unexpected(text::concat("the regular expression is malformed at byte ",
                                            regex.error().offset, ": ", regex.error().message));
    }

    /// Fills `$1` and the like; a capture that the route cannot have is an error.
    std::expected<TextTemplate, std::string> readTemplate(std::string_view text) const {
        if (text.find('\t') != std::string_view::npos || !isFieldValue(text))
            return std::unexpected(std::string(
                "holds a line break or another control byte, which no answer can carry"));
        auto parsed = TextTemplate::parse(text);
        if (!parsed) return parsed;
        const int groups = route_.match.regex ? static_cast<int>(route_.match.regex->groups())
                           : route_.match.paths.empty() ? 0
                                                        : 1;
        if (parsed->highestCapture() > groups)
            return std::unexpected(text::concat("uses $", parsed->highestCapture(),
                                                ", and this route captures ", groups,
                                                groups == 1 ? " text" : " texts",
                                                " (`*` of its path, or the groups of its regex)"));
        return parsed;
    }

    void readTry() {
        std::vector<std::string> paths;
        table_.read("try", paths);
        const toml::node* const node = table_.take("try");
        if (node == nullptr) return;
        std::vector<TextTemplate> templates;
        for (const std::string& path : paths) {
            auto parsed = readTemplate(path);
            if (!parsed) {
                table_.complain(*node, "try", parsed.error());
            } else if (!path.starts_with('/') && !path.starts_with("$path")) {
                table_.complain(
                    *node, "try",
                    "expected paths of this site, such as [\"$path\", \"/index.html\"]");
            } else {
                templates.push_back(std::move(*parsed));
            }
        }
        route_.conduct.tryFiles = std::move(templates);
    }

    void readDecision() {
        const toml::node* const redirect = table_.take("redirect");
        const toml::node* const rewrite = table_.take("rewrite");
        const toml::node* const status = table_.take("status");
        if (redirect != nullptr && rewrite != nullptr)
            table_.complain(*rewrite, "rewrite", "a route redirects or rewrites, not both");
        if (redirect != nullptr) return readRedirect(status);
        if (rewrite != nullptr) {
            route_.rewrite.emplace();
            table_.readAs<TextTemplate>("rewrite", *route_.rewrite, [this](std::string_view text) {
                return text.starts_with('/') || text.starts_with('$')
                           ? readTemplate(text)
                           : std::unexpected(std::string(
                                 "expected a path of this site, such as \"/app$path\""));
            });
        }
        if (status == nullptr) return;
        if (rewrite != nullptr)
            return table_.complain(*status, "status",
                                   "a rewritten request has no status of its own");
        std::size_t code = 0;
        table_.readCount("status", 400, 599, code);
        route_.respond = static_cast<int>(code);
    }

    void readRedirect(const toml::node* status) {
        site::Redirect redirect;
        table_.readAs<TextTemplate>("redirect", redirect.location, [this](std::string_view text) {
            return text.starts_with('/') || text.starts_with('$') ||
                           text.find("://") != std::string_view::npos
                       ? readTemplate(text)
                       : std::unexpected(
                             std::string("expected a path or a URL, such as \"/new/$1\" or "
                                         "\"https://$host$path$args\""));
        });
        std::size_t code = 302;
        table_.readCount("status", 301, 308, code);
        if (status != nullptr && code > 303 && code < 307)
            table_.complain(*status, "status", "expected 301, 302, 303, 307 or 308");
        redirect.status = static_cast<int>(code);
        route_.redirect = std::move(redirect);
    }

    /// Directories of a route answer below its path, whatever else the route says.
    void readMounts() {
        readMount("root", site_.documentMounts, false);
        readMount("alias", site_.documentMounts, true);
        readMount("islands", site_.islandMounts, false);
    }

    void readMount(std::string_view key, std::vector<site::Mount>& mounts, bool strip) {
        std::string name;
        table_.read(key, name);
        const toml::node* const node = table_.take(key);
        if (node == nullptr || name.empty()) return;
        const auto& paths = route_.match.paths;
        if (paths.size() != 1 || !paths.front().isBelow() || route_.match.regex ||
            !route_.match.methods.empty())
            return table_.complain(
                *node, key,
                "a directory answers below one path: expected path = \"/below/*\", "
                "and neither regex nor method");
        if (key != "islands" && std::exchange(hasDirectory_, true))
            return table_.complain(
                *node, key,
                "a route has `root` or `alias`, not both: with alias the path of "
                "the route is taken off");
        const std::string target = nameBelow(directory_, name);
        if (!std::filesystem::is_directory(target))
            return table_.complain(*node, key, text::concat("there is no directory ", target));
        const std::string& prefix = paths.front().prefix();
        if (std::ranges::find(mounts, prefix, &site::Mount::prefix) != mounts.end())
            return table_.complain(
                *node, key,
                text::concat("another route has a directory for ", prefix, "* already"));
        mounts.push_back({prefix, target, strip});
    }

    ConfigTable table_;
    const std::string& directory_;
    site::SiteSettings& site_;
    site::Route route_;
    bool hasDirectory_ = false; ///< `root` or `alias`
};

} // namespace

void readRoutes(ConfigTable& outer, const std::string& directory, site::SiteSettings& site) {
    const std::string name = outer.name().empty() ? "[[route]]" : "[[site.route]]";
    for (const toml::table* const table : outer.readTables("route"))
        RouteReader(*table, name, outer.errors(), directory, site).read();
}

} // namespace reef::app
