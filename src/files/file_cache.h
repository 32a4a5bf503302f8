#pragma once

#include "base/bytes.h"
#include "base/fd.h"
#include "files/document_root.h"
#include "http/compressor.h"
#include "http/content_coding.h"
#include "io/loop.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace reef::files {

/// Counts bytes that are held against a total, until it goes.
class MemoryCharge {
public:
    MemoryCharge(std::shared_ptr<ByteCount> total, ByteCount bytes) noexcept
        : total_(std::move(total)), bytes_(bytes) {
        *total_ += bytes_;
    }
    ~MemoryCharge() { *total_ -= bytes_; }
    MemoryCharge(const MemoryCharge&) = delete;
    MemoryCharge& operator=(const MemoryCharge&) = delete;

private:
    std::shared_ptr<ByteCount> total_;
    ByteCount bytes_;
};

/// A representation in memory, with the texts that every answer out of it needs.
struct StoredContent {
    std::string content;
    std::string entityTag;
    std::string lastModified;
    std::time_t modified = 0;
    std::optional<MemoryCharge> charge;
};

/// A small file as it was when it was read.
struct CachedFile : StoredContent {
    /// What is known of the file in one content coding.
    struct Coded {
        enum class State : std::uint8_t {
            unknown,
            none,     ///< there is none, or it is of no use
            stored,   ///< `content` is it
            elsewhere ///< a sibling that cannot be kept: opened for each answer
        };
        State state = State::unknown;
        std::shared_ptr<const StoredContent> content;
    };

    std::string name;
    timespec changed{};         ///< when it was modified, exactly
    std::string_view mediaType; ///< static

    /// By coding: siblings on disk (page.html.gz), and what we have compressed ourselves. Filled by
    /// the cache when it is first asked for; belongs to the loop as all of this.
    mutable std::array<Coded, 4> siblings;
    mutable std::array<Coded, 4> compressed;
};

class FileCache;

/// A file to be served: in memory, or open on disk.
struct Document {
    std::shared_ptr<const CachedFile> cached; ///< null: `file` is open
    OpenFile file;
    FileCache* source = nullptr; ///< finds its coded forms; null: there are none. Outlives it.

    std::string_view name() const noexcept { return cached ? cached->name : file.name; }
    ByteCount size() const noexcept { return cached ? cached->content.size() : file.size; }
    timespec modified() const noexcept { return cached ? cached->changed : file.modified; }
};

/// Small files in memory, for one loop: an answer out of it costs no system call but its write.
///
/// A change is noticed at once: all directories on the way to a cached file are watched
/// (inotify(7)), and the first look into the cache in a turn of the loop asks whether anything
/// happened there; if so, the cache is emptied. Files whose changes a watch could miss are not
/// kept: those reached by a symbolic link, and those with a second hard link. Where watching is not
/// possible (no instance to be had) nothing is cached. After `kMaxAge` an entry is read again
/// whatever the watch says, which bounds what a write through a memory map can hide.
///
/// Coded forms are kept with their file and go with it, so an old form is never sent for a new
/// file.
class FileCache {
public:
    static constexpr ByteCount kMaxFileBytes = 64_KiB;
    static constexpr ByteCount kMaxBytes = 16_MiB; ///< all contents; beyond: emptied
    static constexpr auto kMaxAge = std::chrono::seconds(1);

    /// Loop and root must outlive the cache, and so must `compressors`; without them nothing is
    /// compressed.
    FileCache(io::Loop& loop, const DocumentRoot& root,
              http::CompressorPool* compressors = nullptr) noexcept
        : loop_(loop), root_(root), compressors_(compressors) {}

    /// As DocumentRoot::find, out of memory if possible.
    std::expected<Document, Absence> find(std::string_view path);

    /// The same with index names of the caller's in place of the root's.
    std::expected<Document, Absence> find(std::string_view path,
                                          std::span<const std::string> indexNames);

    /// A coded form beside the file on disk: name and ".gz" (".zst", ".br"), not older than the
    /// file. What it has of `cached` and `file` is set; nothing: there is none.
    struct Sibling {
        std::shared_ptr<const StoredContent> stored; ///< null: `file` is open
        OpenFile file;
    };
    std::optional<Sibling> sibling(const Document& document, http::ContentCoding coding);

    /// A file in memory, compressed: once, then out of memory. Null when it is not in memory, when
    /// it does not shrink, or when no compressor is to be had.
    std::shared_ptr<const StoredContent> compressed(const Document& document,
                                                    http::ContentCoding coding);

    const DocumentRoot& root() const noexcept { return root_; }
    http::CompressorPool* compressors() const noexcept { return compressors_; }
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
    bool mayKeep(const OpenFile& file) const noexcept;
    bool makeRoom(ByteCount bytes);
    bool read(const OpenFile& file, StoredContent& into) const;
    std::optional<OpenFile> openSibling(const Document& document, http::ContentCoding coding) const;

    io::Loop& loop_;
    const DocumentRoot& root_;
    http::CompressorPool* compressors_;
    std::unordered_map<std::string, Entry, Hash, std::equal_to<>> entries_;
    std::unordered_map<std::string, int, Hash, std::equal_to<>>
        watched_; ///< directory below the root
    Fd notices_;
    std::shared_ptr<ByteCount> held_ = std::make_shared<ByteCount>(0);
    std::uint64_t checkedTurn_ = 0;
    std::chrono::steady_clock::time_point quietUntil_{};
};

} // namespace reef::files
