#pragma once

#include "admin/html.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace reef::admin {

/// The files of `admin-ui/`, in the binary. Each is served under an address that holds the hash of
/// its content, `/assets/<hash>/panel.css`, and so may be cached for ever.
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
