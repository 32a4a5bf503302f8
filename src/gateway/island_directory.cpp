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
std::string explained(int error) {
    if (error == EXDEV)
        return "a link leads out of the directory of islands; a script that runs the program does "
               "what the link was meant to do";
    return std::strerror(error);
}

int statusOf(int error) noexcept {
    switch (error) {
    case EACCES:
    case EXDEV:
    case ELOOP:
        return 403;
    case EMFILE:
    case ENFILE:
    case ENOMEM:
        return 503;
    default:
        return 404;
    }
}

constexpr mode_t kOthersWrite = S_IWGRP | S_IWOTH;

/// The rights of a file that is to be run. Nothing: it may be.
std::optional<std::string> objectionTo(const struct stat& status, const Island& island) {
    if ((status.st_mode & kOthersWrite) != 0)
        return text::concat("island ", island.name,
                            " can be changed by others than its owner: chmod go-w it");
    if (island.interpreter.empty() && (status.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) == 0)
        return text::concat("island ", island.name, " is not executable: chmod +x it");
    return std::nullopt;
}

std::int64_t nanosecondsOf(const timespec& time) noexcept {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

bool othersMayWrite(int directory) noexcept {
    struct stat status{};
    return ::fstat(directory, &status) != 0 || (status.st_mode & kOthersWrite) != 0;
}

/// The first directory on the way to a file, behind all links, that others than its owner may write
/// to. Nothing: there is none.
std::optional<std::string> openDirectoryTo(const std::string& realName, int root) {
    for (auto end = realName.find('/'); end != std::string::npos;
         end = realName.find('/', end + 1)) {
        auto name = realName.substr(0, end);
        const auto opened = io::openBeneath(root, name.c_str(), O_PATH | O_DIRECTORY);
        if (!opened || othersMayWrite(opened->get())) return name;
    }
    return std::nullopt;
}

std::string describeOpen(const Island& island, const std::string& directory) {
    const bool top = directory == ".";
    return text::concat("island ", island.name, " lies in ", top ? "a directory" : directory,
                        " that others than its owner can write to: chmod go-w it");
}

} // namespace

FileVersion::FileVersion(const struct stat& status) noexcept
    : device(status.st_dev), number(status.st_ino), size(status.st_size),
      modified(nanosecondsOf(status.st_mtim)), changed(nanosecondsOf(status.st_ctim)) {}

Result<IslandDirectory> IslandDirectory::open(const std::string& directory, std::string prefix,
                                              Programs programs, io::Links links) {
    Fd descriptor(::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!descriptor) return fail(Error::fromErrno());
    return IslandDirectory(directory, std::move(descriptor), std::move(prefix), programs, links);
}

std::expected<Island, IslandRefusal> IslandDirectory::find(std::string_view path,
                                                           const Interpreters* interpreters) const {
    const std::string_view below = path.substr(prefix_.size());
    if (below.empty()) return refuse(404, "no island has this name");
    std::string open; // a directory on the way that others may write to
    if (othersMayWrite(descriptor_.get())) open = ".";
    // Segment by segment: directories are walked into, the first regular file is the island.
    for (std::size_t end = below.find('/');; end = below.find('/', end + 1)) {
        std::string name(below.substr(0, end));
        // Hidden names are no islands'; what follows an island may be named as it likes.
        if (name[name.rfind('/') + 1] == '.') return refuse(404, "no island has this name");
        const auto way = openWay(name);
        if (!way.file) {
            const int error = way.file.error().systemError();
            if (error == ENOENT || error == ENOTDIR)
                return refuse(404, text::concat("there is no island ", name));
            return refuse(statusOf(error), text::concat("island ", name, ": ", explained(error)));
        }
        struct stat status{};
        if (::fstat(way.file->get(), &status) != 0) return refuse(404, "island " + name);
        if (S_ISREG(status.st_mode)) {
            if (way.linked && open.empty()) open = openDirectoryBehind(way.file->get());
            auto island = islandAt(name, interpreters);
            if (!island) return island;
            if (auto objection = objectionTo(status, *island))
                return refuse(403, std::move(*objection));
            island->version = FileVersion(status);
            if (!open.empty()) return refuse(403, describeOpen(*island, open));
            if (end != std::string_view::npos) island->pathInfo = below.substr(end);
            return island;
        }
        if (!S_ISDIR(status.st_mode) || end == std::string_view::npos || end + 1 == below.size())
            return refuse(404, text::concat(name, " is a directory of islands, not an island"));
        if ((status.st_mode & kOthersWrite) != 0 && open.empty()) open = name;
    }
}

/// Links are the exception, and only they need a second look.
IslandDirectory::Way IslandDirectory::openWay(const std::string& name) const {
    auto file = io::openBeneath(descriptor_.get(), name.c_str(), O_PATH, io::Links::refused);
    const bool linked = !file && file.error().systemError() == ELOOP;
    if (!linked || links_ == io::Links::refused) return {std::move(file), false};
    return {io::openBeneath(descriptor_.get(), name.c_str(), O_PATH, links_), true};
}

/// Behind a link that may lead anywhere, who may write there is the administrator's business.
std::string IslandDirectory::openDirectoryBehind(int file) const {
    const auto realName = io::realNameBelow(descriptor_.get(), file);
    if (!realName) return links_ == io::Links::anywhere ? std::string() : std::string(".");
    return openDirectoryTo(*realName, descriptor_.get()).value_or(std::string());
}

std::expected<Island, IslandRefusal>
IslandDirectory::islandAt(const std::string& name, const Interpreters* interpreters) const {
    Island island;
    if (interpreters != nullptr) island.interpreter = interpreters->programFor(name);
    if (programs_ == Programs::interpreted && island.interpreter.empty())
        return refuse(404, text::concat("no interpreter is set for ", name));
    island.name = name;
    island.file = text::concat(directory_, "/", name);
    island.scriptName = prefix_ + name;
    return island;
}

std::string IslandDirectory::fileFor(std::string_view path) const {
    return text::concat(directory_, "/", path.substr(prefix_.size()));
}

bool IslandDirectory::isInPlace() const noexcept {
    return io::isStillAt(descriptor_.get(), directory_.c_str());
}

} // namespace reef::gateway
