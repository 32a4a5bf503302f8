#pragma once

#include "admin/html.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace reef::admin {

/// The files of `admin-ui/`, in the binary. They are served under addresses that hold a hash of all
/// of them, `/assets/<hash>/panel.css`, so that they may be cached for ever and name each other.
class Assets {
public:
    Assets();

    /// The address of a file by its name. Throws std::out_of_range when there is none: a bug.
    Url urlOf(std::string_view name) const;

    struct File {
        std::string_view bytes;
        std::string_view type;
    };
    std::optional<File> at(std::string_view path) const;

private:
    std::map<std::string, std::string, std::less<>> paths_; ///< by name
    std::map<std::string, File, std::less<>> files_;        ///< by address
};

} // namespace reef::admin
