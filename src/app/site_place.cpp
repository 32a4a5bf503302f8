#include "app/site_place.h"

#include "base/text.h"
#include "process/identity.h"

#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

namespace reef::app {

namespace {

constexpr std::size_t kUsualWidth = 80;

void say(const std::string& line) {
    std::fputs((line + "\n").c_str(), stderr);
}

std::string ownerOf(const std::string& file) {
    struct stat status{};
    if (::stat(file.c_str(), &status) != 0) return "its own user";
    const auto owner = process::findIdentity(std::to_string(status.st_uid));
    return text::concat("user ", owner ? owner->name : std::to_string(status.st_uid));
}

} // namespace

std::optional<Config> placeOf(const std::string& directory) {
    std::error_code failed;
    Config place;
    place.directory = std::filesystem::canonical(directory, failed).string();
    if (!failed) return place;
    say(text::concat("atoll: cannot use the directory ", directory, ": ", failed.message()));
    return std::nullopt;
}

int noServer(const Config& config, Error error) {
    if (error == Error::notFound) {
        say(text::concat("atoll: no server runs for ", config.directory));
    } else if (error == Error::forbidden) {
        say(text::concat("atoll: the server of ", config.directory, " obeys ",
                         ownerOf(config.data()), " and root alone: be one of them"));
    } else {
        say(text::concat("atoll: ", config.controlSocket(), ": ", error.describe()));
    }
    return 1;
}

std::size_t terminalWidth() {
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsualWidth;
    return size.ws_col;
}

} // namespace reef::app
