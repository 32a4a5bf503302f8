#include "app/demo_site.h"

#include "base/fd.h"
#include "base/write_all.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace reef::app {

namespace fs = std::filesystem;

namespace {

/// Makes files and directories, and removes all of them again unless `keep` is called.
class Transaction {
public:
    Transaction() = default;
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction() {
        for (auto made = made_.rbegin(); made != made_.rend(); ++made)
            ::remove(made->c_str());
    }

    void keep() noexcept { made_.clear(); }

    /// Makes `directory` and what is missing of its parents.
    Status makeDirectories(const fs::path& directory) {
        if (directory.empty() || isDirectory(directory)) return {};
        if (auto parents = makeDirectories(directory.parent_path()); !parents) return parents;
        if (::mkdir(directory.c_str(), 0755) != 0) return fail(Error::fromErrno());
        made_.push_back(directory);
        // The umask may have taken more than it should: islands run as another user.
        if (::chmod(directory.c_str(), 0755) != 0) return fail(Error::fromErrno());
        return {};
    }

    Status makeFile(const fs::path& path, const EmbeddedFile& file) {
        Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
        if (!fd) return fail(Error::fromErrno());
        made_.push_back(path);
        if (auto written = writeAll(fd.get(), bytesOf(file.bytes)); !written) return written;
        if (::fchmod(fd.get(), file.executable ? 0755 : 0644) != 0) return fail(Error::fromErrno());
        // A network file system may report a full disk only now.
        if (::close(fd.release()) != 0) return fail(Error::fromErrno());
        return {};
    }

private:
    static bool isDirectory(const fs::path& path) noexcept {
        struct stat found{};
        return ::stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
    }

    std::vector<fs::path> made_;
};

/// What exists already and would be overwritten, or stands where a directory is needed. A symbolic
/// link in place of a directory counts: nothing is written through it.
std::vector<std::string> conflictsIn(const fs::path& directory) {
    std::vector<std::string> conflicts;
    const auto note = [&conflicts](const fs::path& path) {
        if (std::ranges::find(conflicts, path.string()) == conflicts.end())
            conflicts.push_back(path.string());
    };
    struct stat found{};
    if (::stat(directory.c_str(), &found) == 0 && !S_ISDIR(found.st_mode)) return {"."};
    for (const EmbeddedFile& file : demoFiles()) {
        fs::path above;
        const fs::path path = file.path;
        for (const fs::path& step : path.parent_path()) {
            above /= step;
            if (::lstat((directory / above).c_str(), &found) != 0) break;
            if (!S_ISDIR(found.st_mode)) note(above);
        }
        if (::lstat((directory / path).c_str(), &found) == 0) note(path);
    }
    return conflicts;
}

} // namespace

std::expected<std::span<const EmbeddedFile>, DemoFailure> writeDemoSite(const fs::path& directory) {
    if (auto conflicts = conflictsIn(directory); !conflicts.empty())
        return std::unexpected(DemoFailure{Error(Error::system, EEXIST), std::move(conflicts)});

    Transaction transaction;
    // "site/" names the same directory as "site", and has no file name to make.
    const fs::path site = directory.has_filename() ? directory : directory.parent_path();
    if (auto made = transaction.makeDirectories(site); !made)
        return std::unexpected(DemoFailure{made.error(), {"."}});
    for (const EmbeddedFile& file : demoFiles()) {
        const fs::path path = site / file.path;
        Status made = transaction.makeDirectories(path.parent_path());
        if (made) made = transaction.makeFile(path, file);
        if (!made) return std::unexpected(DemoFailure{made.error(), {std::string(file.path)}});
    }
    transaction.keep();
    return demoFiles();
}

} // namespace reef::app
