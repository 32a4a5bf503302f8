#include "app/config_site.h"

#include "base/text.h"
#include "http/path.h"
#include "http/status.h"

#include <algorithm>
#include <filesystem>

namespace reef::app {

namespace {

bool isHostPattern(std::string_view host) {
    if (host.starts_with("*.")) host.remove_prefix(2);
    if (host.empty() || host.front() == '.' || host.find("..") != std::string_view::npos)
        return false;
    return std::ranges::all_of(host, [](char c) {
        return text::isAlpha(c) || text::isDigit(c) || c == '-' || c == '.' || c == '_' ||
               c == ':' || c == '[' || c == ']';
    });
}

void readHosts(ConfigTable& table, site::SiteSettings& site) {
    std::vector<std::string> hosts;
    table.read("hosts", hosts);
    const toml::node* const node = table.take("hosts");
    if (node == nullptr) return;
    for (const std::string& host : hosts) {
        if (host == "*")
            return table.complain(*node, "hosts",
                                  "`*` needs no site of its own: the settings above the first "
                                  "[[site]] are for every host that no site names");
        if (!isHostPattern(host))
            return table.complain(
                *node, "hosts",
                text::concat("expected names such as \"example.org\" or "
                             "\"*.example.org\", without scheme and port; found \"",
                             host, '"'));
        site.hosts.push_back(text::toLower(host));
    }
}

void readIndex(ConfigTable& table, std::vector<std::string>& target) {
    table.read("index", target);
    for (const std::string& name : target)
        if (name.find('/') != std::string::npos || name == "." || name == ".." || name.empty())
            table.warn(*table.take("index"), "index",
                       text::concat('"', text::escapeControls(name),
                                    "\" is never found: expected the name of a file in the "
                                    "directory itself"));
}

void readSymlinks(ConfigTable& table, io::Links& links) {
    table.readAs<io::Links>(
        "symlinks", links, [](std::string_view text) -> std::expected<io::Links, std::string> {
            if (text == "inside") return io::Links::followed;
            if (text == "never") return io::Links::refused;
            if (text == "anywhere") return io::Links::anywhere;
            return std::unexpected("expected \"inside\" (links that stay in the directory), "
                                   "\"never\" or \"anywhere\"");
        });
}

void readErrorDocuments(ConfigTable& outer, site::SiteSettings& site) {
    const toml::table* const table = outer.readTable("errors");
    if (table == nullptr) return;
    for (const auto& [key, node] : *table) {
        const auto status = text::parseDecimal(key.str());
        const auto path = node.value_exact<std::string>();
        if (!status || *status < 400 || *status > 599)
            outer.complain(node, "errors",
                           "expected statuses from 400 to 599, as in 404 = \"/404.html\"");
        else if (!path || !path->starts_with('/'))
            outer.complain(node, "errors",
                           "expected a path of this site, as in 404 = \"/404.html\"");
        else
            site.errorDocuments[static_cast<int>(*status)] = *path;
    }
}

void readMediaTypes(ConfigTable& outer, site::SiteSettings& site) {
    const toml::table* const table = outer.readTable("media_types");
    if (table == nullptr) return;
    for (const auto& [key, node] : *table) {
        const auto type = node.value_exact<std::string>();
        const bool extension = key.str().starts_with('.') && key.str().size() > 1;
        if (!extension || !type || type->find('/') == std::string::npos || !isFieldValue(*type))
            outer.complain(node, "media_types",
                           "expected an extension and its type, as in \".md\" = \"text/markdown; "
                           "charset=utf-8\"");
        else
            site.mediaTypes.push_back({text::toLower(key.str().substr(1)), *type});
    }
}

void readDirectory(ConfigTable& table, std::string_view key, const std::string& directory,
                   std::string& target) {
    std::string name;
    table.read(key, name);
    const toml::node* const node = table.take(key);
    if (node == nullptr || name.empty()) return;
    target = nameBelow(directory, name);
    if (!std::filesystem::is_directory(target))
        table.complain(*node, key, text::concat("there is no directory ", target));
}

void readSendfileRoots(ConfigTable& table, const std::string& directory, site::SiteSettings& site) {
    std::vector<std::string> names;
    table.read("sendfile_roots", names);
    for (const std::string& name : names) {
        auto root = nameBelow(directory, name);
        if (std::filesystem::is_directory(root))
            site.sendfileRoots.push_back(std::move(root));
        else
            table.complain(*table.take("sendfile_roots"), "sendfile_roots",
                           text::concat("there is no directory ", root));
    }
}

} // namespace

bool isFieldValue(std::string_view value) noexcept {
    return std::ranges::all_of(value, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte == '\t' || (byte >= 0x20 && byte != 0x7f);
    });
}

std::string nameBelow(const std::string& directory, const std::string& name) {
    return (std::filesystem::path(directory) / name).lexically_normal().string();
}

void readSite(ConfigTable& table, const std::string& directory, site::SiteSettings& site) {
    readDirectory(table, "root", directory, site.documents);
    readDirectory(table, "islands", directory, site.islands);
    readIndex(table, site.index);
    readSymlinks(table, site.links);
    readErrorDocuments(table, site);
    readMediaTypes(table, site);
    readSendfileRoots(table, directory, site);
    readConduct(table, directory, site.conduct);
    readRoutes(table, directory, site);
    if (table.name().empty()) return;
    readHosts(table, site);
}

} // namespace reef::app
