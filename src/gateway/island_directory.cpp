#include "gateway/island_directory.h"

#include "base/text.h"
#include "io/beneath.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

namespace reef::gateway {

namespace {

using Refused = std::unexpected<IslandRefusal>;

Refused refuse(int status, std::string detail) {
    return Refused(IslandRefusal{status, std::move(detail)});
}

/// A name that leads nowhere or out is not found; but a lack of ours says nothing about the island.
int statusOf(int error) noexcept {
    switch (error) {
    case EACCES:
        return 403;
    case EMFILE:
    case ENFILE:
    case ENOMEM:
        return 503;
    default:
        return 404;
    }
}

/// The rights of a file that is to be run. Nothing: it may be.
std::optional<std::string> objectionTo(const struct stat& status, const std::string& name) {
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return text::concat("island ", name,
                            " can be changed by others than its owner: chmod go-w it");
    if ((status.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) == 0)
        return text::concat("island ", name, " is not executable: chmod +x it");
    return std::nullopt;
}

std::int64_t nanosecondsOf(const timespec& time) noexcept {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

} // namespace

FileVersion::FileVersion(const struct stat& status) noexcept
    : device(status.st_dev), number(status.st_ino), size(status.st_size),
      modified(nanosecondsOf(status.st_mtim)), changed(nanosecondsOf(status.st_ctim)) {}

Result<IslandDirectory> IslandDirectory::open(const std::string& directory, std::string prefix) {
    Fd descriptor(::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!descriptor) return fail(Error::fromErrno());
    return IslandDirectory(directory, std::move(descriptor), std::move(prefix));
}

std::expected<Island, IslandRefusal> IslandDirectory::find(std::string_view path) const {
    const std::string_view below = path.substr(prefix_.size());
    if (below.empty() || below.starts_with('.') || below.find("/.") != std::string_view::npos)
        return refuse(404, "no island has this name");
    // Segment by segment: directories are walked into, the first regular file is the island.
    for (std::size_t end = below.find('/');; end = below.find('/', end + 1)) {
        const std::string name(below.substr(0, end));
        const auto file = io::openBeneath(descriptor_.get(), name.c_str(), O_PATH);
        if (!file) {
            const int error = file.error().systemError();
            if (error == ENOENT || error == ENOTDIR)
                return refuse(404, text::concat("there is no island ", name));
            return refuse(statusOf(error),
                          text::concat("island ", name, ": ", std::strerror(error)));
        }
        struct stat status{};
        if (::fstat(file->get(), &status) != 0) return refuse(404, "island " + name);
        if (S_ISREG(status.st_mode)) {
            if (auto objection = objectionTo(status, name))
                return refuse(403, std::move(*objection));
            Island island;
            island.name = name;
            island.file = text::concat(directory_, "/", name);
            island.scriptName = prefix_ + name;
            island.version = FileVersion(status);
            island.pathInfo =
                end == std::string_view::npos ? std::string() : std::string(below.substr(end));
            return island;
        }
        if (!S_ISDIR(status.st_mode) || end == std::string_view::npos || end + 1 == below.size())
            return refuse(404, text::concat(name, " is a directory of islands, not an island"));
    }
}

bool IslandDirectory::isInPlace() const noexcept {
    return io::isStillAt(descriptor_.get(), directory_.c_str());
}

} // namespace reef::gateway
