#include "site/sendable_files.h"

#include "base/text.h"
#include "io/beneath.h"

#include <system_error>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace reef::site {

namespace {

/// Of what is there, links are followed; the rest stays as it is.
std::string realNameOf(const std::string& name) {
    std::error_code error;
    const auto found = std::filesystem::weakly_canonical(name, error);
    return error ? name : found.string();
}

/// The name below the directory, without a leading slash. Nothing: it does not begin with it.
std::optional<std::string_view> below(std::string_view name, std::string_view directory) noexcept {
    while (directory.ends_with('/'))
        directory.remove_suffix(1);
    if (!name.starts_with(directory) || name.size() <= directory.size() ||
        name[directory.size()] != '/')
        return std::nullopt;
    return name.substr(directory.size() + 1);
}

} // namespace

std::expected<void, std::string> SendableFiles::add(const std::string& directory, io::Links links) {
    auto root = files::DocumentRoot::open(directory, {}, links);
    if (!root)
        return std::unexpected(
            text::concat("cannot open the directory ", directory, ": ", root.error().describe()));
    roots_.emplace_back(std::move(*root), realNameOf(directory));
    return {};
}

void SendableFiles::exclude(const std::string& name) {
    excluded_.push_back(realNameOf(name));
}

bool SendableFiles::isExcluded(std::string_view realName) const noexcept {
    return std::ranges::any_of(excluded_, [&](const std::string& name) {
        return realName == name || below(realName, name).has_value();
    });
}

bool SendableFiles::isInPlace() const noexcept {
    return std::ranges::all_of(roots_, [](const Root& root) {
        return io::isStillAt(root.directory.descriptor(), root.directory.directory().c_str());
    });
}

std::expected<files::OpenFile, SendableFiles::Refusal>
SendableFiles::open(std::string_view name) const {
    const std::string shown = text::escapeControls(name);
    bool allowed = false;
    for (const Root& root : roots_) {
        auto rest = below(name, root.directory.directory());
        if (!rest) rest = below(name, root.realName);
        if (!rest) continue;
        allowed = true;
        if (files::isHidden(text::concat("/", *rest))) continue; // `..` among them
        auto file = root.directory.openNamed(std::string(*rest));
        if (file) {
            // What counts is the file itself, behind all links and dots.
            const auto realName = io::realNameOf(file->descriptor.get());
            if (realName.empty() || isExcluded(realName))
                return std::unexpected(Refusal{
                    502, text::concat("the file ", shown, " lies where none is sent from")});
            return std::move(*file);
        }
        if (file.error() == files::Absence::forbidden)
            return std::unexpected(
                Refusal{502, text::concat("the server may not read the file ", shown)});
        if (file.error() == files::Absence::unavailable)
            return std::unexpected(Refusal{503, "out of descriptors or memory"});
    }
    if (allowed) return std::unexpected(Refusal{404, text::concat("there is no file ", shown)});
    return std::unexpected(Refusal{
        502, text::concat("the file ", shown,
                          " lies neither in the documents nor in one of the sendfile_roots")});
}

} // namespace reef::site
