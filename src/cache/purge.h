#pragma once

#include "cache/entry.h"

#include <string>
#include <string_view>

namespace reef::cache {

/// Which answers are to be dropped: those of a host (or of all) with a path, or below one, or all.
class Purge {
public:
    /// `host`: lower case; empty: every host.
    static Purge exactly(std::string_view path, std::string_view host = {}) {
        return {path, host, false};
    }

    /// "/news"; "/news/*": what lies below /news/, and /news/ itself; "*": all.
    static Purge matching(std::string_view pattern, std::string_view host = {}) {
        const bool below = pattern.ends_with('*');
        return {pattern.substr(0, pattern.size() - (below ? 1 : 0)), host, below};
    }

    bool concerns(const Place& place) const {
        if (!host_.empty() && host_ != place.host) return false;
        return matches(place.path) || matches(place.asked);
    }

    /// The one path that it is about; null: it is about many.
    const std::string* path() const noexcept { return below_ ? nullptr : &path_; }

private:
    Purge(std::string_view path, std::string_view host, bool below)
        : path_(path), host_(host), below_(below) {}
    bool matches(std::string_view path) const {
        return below_ ? path.starts_with(path_) : path == path_;
    }

    std::string path_;
    std::string host_;
    bool below_;
};

} // namespace reef::cache
