#pragma once

#include "base/result.h"
#include "files/document_root.h"
#include "files/file_options.h"
#include "gateway/island_directory.h"
#include "site/route.h"
#include "site/sendable_files.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reef::site {

/// A directory that answers the paths below a prefix, in place of the site's own.
struct Mount {
    std::string prefix;    ///< begins and ends with a slash
    std::string directory; ///< absolute
    bool strip = false;    ///< whether the prefix is taken off before the directory is looked into
};

/// What a site is made of, as the configuration says.
struct SiteSettings {
    /// Lower case: "example.org", "*.example.org". Empty: the site for all other hosts.
    std::vector<std::string> hosts;

    std::string documents; ///< absolute directory of the documents
    std::string islands;   ///< absolute directory of the islands
    std::string islandPrefix = "/cgi-bin/";
    std::vector<Mount> documentMounts;
    std::vector<Mount> islandMounts; ///< `strip` has no meaning here
    std::vector<std::string> index{"index.shtml", "index.html"};
    io::Links links = io::Links::followed;

    Conduct conduct;
    std::vector<Route> routes;
    std::vector<files::MediaTypeRule> mediaTypes; ///< before those that the server knows
    std::map<int, std::string> errorDocuments;    ///< status to a path of this site

    std::vector<std::string> sendfileRoots; ///< whose files islands may send, beside the documents
    std::vector<std::string> neverSent;     ///< files that are never shown, and directories of such
};

/// An immutable snapshot of a site, shared by all loops. A directory of the site itself that does
/// not exist is a site without documents, or without islands; one that a mount names must exist.
class Site {
public:
    struct Documents {
        std::string prefix; ///< paths that it answers begin with it
        bool strip = false;
        files::DocumentRoot root;
        gateway::IslandDirectory scripts; ///< the same directory: files that an interpreter runs

        /// A path that it answers, as a path in its directory.
        std::string_view below(std::string_view path) const noexcept {
            return strip ? path.substr(prefix.size() - 1) : path;
        }
    };

    /// Opens the directories. The error says which one, and why it cannot be opened.
    static std::expected<Site, std::string> load(SiteSettings settings);

    const SiteSettings& settings() const noexcept { return settings_; }

    /// False once a directory has been moved away, replaced, or made: then load the site anew.
    bool isInPlace() const noexcept;

    /// Longest prefix first; the site's own, of the prefix "/", is the last if it is there at all.
    const std::vector<Documents>& documents() const noexcept { return documents_; }

    /// The file that a decoded path of this site stands for, whether it is there or not: below the
    /// directory of the longest prefix, of islands or documents (PATH_TRANSLATED). Empty: none.
    std::string translate(std::string_view path) const;

    /// Whether a document of this name is what some interpreter of this site would run, in whatever
    /// route it is set: it is run or refused, and its content never shown.
    bool isSource(std::string_view name) const noexcept { return sources_.isSource(name); }

    /// Whether there is any such name.
    bool hasSources() const noexcept { return !sources_.empty(); }

    /// The directories whose files islands may send.
    const SendableFiles& sendable() const noexcept { return sendable_; }

    /// Whether this is the first time that somebody says so: the page for failures of this status
    /// cannot be shown. From any thread.
    bool isNews(int status) const noexcept;

    /// The directory of islands that answers `path`, or null.
    const gateway::IslandDirectory* islandsFor(std::string_view path) const noexcept;

private:
    explicit Site(SiteSettings settings) : settings_(std::move(settings)) {}

    std::expected<void, std::string> openDocuments(const Mount& mount, bool mayBeMissing);
    std::expected<void, std::string> openSendable();
    std::expected<void, std::string> openIslands(const Mount& mount, bool mayBeMissing);

    /// The pages for failures whose own failure was told already, by status.
    using Told = std::array<std::atomic<bool>, 600>;

    SiteSettings settings_;
    std::unique_ptr<Told> told_ = std::make_unique<Told>();
    std::vector<Documents> documents_;
    gateway::Interpreters sources_;
    SendableFiles sendable_;
    std::vector<std::pair<std::string, gateway::IslandDirectory>>
        islands_; ///< longest prefix first
};

} // namespace reef::site
