#pragma once

#include "base/bytes.h"
#include "base/fd.h"
#include "files/document_root.h"
#include "io/loop.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace reef::files {

/// A small file as it was when it was read, with the texts that every answer out of it needs.
struct CachedFile {
    std::string name;
    std::string content;
    std::string entityTag;
    std::string lastModified;
    std::string_view mediaType; ///< static
    std::time_t modified = 0;
};

/// A file to be served: in memory, or open on disk.
struct Document {
    std::shared_ptr<const CachedFile> cached; ///< null: `file` is open
    OpenFile file;

    std::string_view name() const noexcept { return cached ? cached->name : file.name; }
};

/// Small files in memory, for one loop: an answer out of it costs no system call but its write.
///
/// A change is noticed at once: all directories on the way to a cached file are watched
/// (inotify(7)), and the first look into the cache in a turn of the loop asks whether anything
/// happened there; if so, the cache is emptied. Files whose changes a watch could miss are not
/// kept: those reached by a symbolic link, and those with a second hard link. Where watching is not
/// possible (no instance to be had) nothing is cached. After `kMaxAge` an entry is read again
/// whatever the watch says, which bounds what a write through a memory map can hide.
class FileCache {
public:
    static constexpr ByteCount kMaxFileBytes = 64_KiB;
    static constexpr ByteCount kMaxBytes = 16_MiB; ///< all contents; beyond: emptied
    static constexpr auto kMaxAge = std::chrono::seconds(1);

    /// Both must outlive the cache.
    FileCache(io::Loop& loop, const DocumentRoot& root) noexcept : loop_(loop), root_(root) {}

    /// As DocumentRoot::find, out of memory if possible.
    std::expected<Document, Absence> find(std::string_view path);

    std::size_t size() const noexcept { return entries_.size(); }

private:
    struct Entry {
        std::shared_ptr<const CachedFile> file;
        std::chrono::steady_clock::time_point readAt;
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept {
            return std::hash<std::string_view>{}(text);
        }
    };

    std::shared_ptr<const CachedFile> remembered(std::string_view path);
    std::shared_ptr<const CachedFile> keep(std::string_view path, const OpenFile& file);
    void forgetChanged();
    void clear() noexcept;
    bool watchWay(std::string_view path);
    bool watchDirectory(const std::string& below);
    std::shared_ptr<const CachedFile> read(const OpenFile& file) const;

    io::Loop& loop_;
    const DocumentRoot& root_;
    std::unordered_map<std::string, Entry, Hash, std::equal_to<>> entries_;
    std::unordered_map<std::string, int, Hash, std::equal_to<>>
        watched_; ///< directory below the root
    Fd notices_;
    ByteCount bytes_ = 0;
    std::uint64_t checkedTurn_ = 0;
    std::chrono::steady_clock::time_point quietUntil_{};
};

} // namespace reef::files
