#include "files/document_root.h"

#include "io/beneath.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

namespace reef::files {

namespace {

Absence absenceOf(int error) {
    switch (error) {
    case EACCES:
        return Absence::forbidden;
    case EMFILE:
    case ENFILE:
    case ENOMEM:
        return Absence::unavailable;
    default:
        return Absence::notFound; // ENOENT, ENOTDIR, ENAMETOOLONG, EXDEV and ELOOP (a link that
                                  // leads out)…
    }
}

} // namespace

bool isHidden(std::string_view path) noexcept {
    if (path.starts_with("/.well-known/"))
        path.remove_prefix(std::string_view("/.well-known").size());
    return path.find("/.") != std::string_view::npos;
}

Result<DocumentRoot> DocumentRoot::open(const std::string& directory,
                                        std::vector<std::string> indexNames, io::Links links) {
    Fd descriptor(::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!descriptor) return fail(Error::fromErrno());
    return DocumentRoot(directory, std::move(descriptor), std::move(indexNames), links);
}

std::expected<OpenFile, Absence> DocumentRoot::find(std::string_view path,
                                                    std::span<const std::string> indexNames) const {
    if (isHidden(path)) return std::unexpected(Absence::notFound);
    if (path.back() != '/') return openNamed(std::string(path.substr(1)));
    const std::string directory(path.substr(1));
    for (const std::string& index : indexNames) {
        auto file = openNamed(directory + index);
        if (file || (file.error() != Absence::notFound && file.error() != Absence::addSlash))
            return file;
    }
    const auto found =
        io::openBeneath(descriptor_.get(), directory.empty() ? "." : directory.c_str(),
                        O_PATH | O_DIRECTORY, links_);
    return std::unexpected(found ? Absence::noIndex : absenceOf(found.error().systemError()));
}

std::expected<Fd, Absence> DocumentRoot::openDirectory(std::string_view path) const {
    if (isHidden(path)) return std::unexpected(Absence::notFound);
    const std::string name(path == "/" ? "." : path.substr(1));
    auto opened = io::openBeneath(descriptor_.get(), name.c_str(), O_RDONLY | O_DIRECTORY, links_);
    if (!opened) return std::unexpected(absenceOf(opened.error().systemError()));
    return std::move(*opened);
}

std::optional<struct stat> DocumentRoot::statusOf(const std::string& name) const noexcept {
    const auto opened = io::openBeneath(descriptor_.get(), name.c_str(), O_PATH, links_);
    struct stat status{};
    if (!opened || ::fstat(opened->get(), &status) != 0) return std::nullopt;
    return status;
}

std::string DocumentRoot::realNameOf(const std::string& name) const {
    const auto opened = io::openBeneath(descriptor_.get(), name.c_str(), O_PATH, links_);
    return opened ? io::realNameOf(opened->get()) : std::string();
}

bool DocumentRoot::isDirect(const OpenFile& file) const noexcept {
    return io::openBeneath(descriptor_.get(), file.name.c_str(), O_PATH, io::Links::refused)
        .has_value();
}

/// Links out of the root can lead to it wherever it lies; else it counts only below the root.
void DocumentRoot::conceal(const std::string& name) {
    std::error_code unknown;
    const auto real = std::filesystem::weakly_canonical(name, unknown).string();
    const auto own = io::realNameOf(descriptor_.get());
    const bool isBelow = real.starts_with(own == "/" ? own : own + "/");
    const bool holdsRoot = (own + "/").starts_with(real + "/");
    if (!unknown && !holdsRoot && (isBelow || links_ == io::Links::anywhere))
        concealed_.push_back(real);
}

bool DocumentRoot::isConcealed(int descriptor) const {
    if (concealed_.empty()) return false;
    const auto real = io::realNameOf(descriptor);
    return real.empty() || std::ranges::any_of(concealed_, [&](const std::string& name) {
               return real == name || real.starts_with(name + "/");
           });
}

std::expected<OpenFile, Absence> DocumentRoot::openNamed(std::string name) const {
    // O_NONBLOCK: a named pipe in the root must not hold the loop.
    auto descriptor =
        io::openBeneath(descriptor_.get(), name.c_str(), O_RDONLY | O_NONBLOCK, links_);
    if (!descriptor) return std::unexpected(absenceOf(descriptor.error().systemError()));
    struct stat status{};
    if (::fstat(descriptor->get(), &status) != 0) return std::unexpected(Absence::notFound);
    if (S_ISDIR(status.st_mode)) return std::unexpected(Absence::addSlash);
    if (!S_ISREG(status.st_mode)) return std::unexpected(Absence::notFound);
    if (isConcealed(descriptor->get())) return std::unexpected(Absence::notFound);
    OpenFile file;
    file.descriptor = std::move(*descriptor);
    file.size = static_cast<ByteCount>(status.st_size);
    file.modified = status.st_mtim;
    file.inode = status.st_ino;
    file.links = status.st_nlink;
    file.name = std::move(name);
    return file;
}

} // namespace reef::files
