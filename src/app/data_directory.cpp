#include "app/data_directory.h"

#include "base/text.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace reef::app {

std::expected<void, std::string> makeDataDirectory(const std::string& data,
                                                   const std::optional<process::Identity>& user) {
    if (::mkdir(data.c_str(), 0700) != 0 && errno != EEXIST)
        return std::unexpected(text::concat("cannot make ", data, ": ", std::strerror(errno)));
    if (user && ::chown(data.c_str(), user->user, user->group) != 0)
        return std::unexpected(text::concat("cannot give ", data, " to user ", user->name, ": ",
                                            std::strerror(errno)));
    return {};
}

} // namespace reef::app
