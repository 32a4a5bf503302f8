#include "files/file_cache.h"

#include "base/text.h"
#include "files/file_response.h"
#include "http/date.h"
#include "http/media_type.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>

namespace reef::files {

namespace {

constexpr std::uint32_t kChanges = IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVE | IN_CREATE |
                                   IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

/// After a change nothing is kept for this long: a directory that is written all the time must not
/// cost a new set of watches for each request.
constexpr auto kQuietTime = std::chrono::milliseconds(20);

} // namespace

std::expected<Document, Absence> FileCache::find(std::string_view path) {
    Document document;
    document.cached = remembered(path);
    if (document.cached) return document;
    // Watched before it is read: what changes in between is noticed at the next look.
    const bool watched = loop_.now() >= quietUntil_ && watchWay(path);
    auto file = root_.find(path);
    if (!file) return std::unexpected(file.error());
    if (watched) document.cached = keep(path, *file);
    if (!document.cached) document.file = std::move(*file);
    return document;
}

std::shared_ptr<const CachedFile> FileCache::remembered(std::string_view path) {
    if (entries_.empty()) return nullptr;
    forgetChanged();
    const auto place = entries_.find(path);
    if (place == entries_.end()) return nullptr;
    if (loop_.now() - place->second.readAt < kMaxAge) return place->second.file;
    bytes_ -= place->second.file->content.size();
    entries_.erase(place);
    return nullptr;
}

std::shared_ptr<const CachedFile> FileCache::keep(std::string_view path, const OpenFile& file) {
    if (file.size > kMaxFileBytes || file.links != 1 || !root_.isDirect(file)) return nullptr;
    auto kept = read(file);
    if (!kept) return nullptr;
    if (bytes_ + kept->content.size() > kMaxBytes) {
        entries_.clear();
        bytes_ = 0;
    }
    bytes_ += kept->content.size();
    entries_.emplace(path, Entry{kept, loop_.now()});
    return kept;
}

/// Asks the kernel once a turn: requests that were read in this turn were sent before it began.
void FileCache::forgetChanged() {
    if (checkedTurn_ == loop_.turns()) return;
    checkedTurn_ = loop_.turns();
    alignas(inotify_event) char events[4096];
    const auto got = ::read(notices_.get(), events, sizeof events);
    if (got < 0 && errno == EAGAIN) return;
    clear();
    quietUntil_ = loop_.now() + kQuietTime;
}

void FileCache::clear() noexcept {
    entries_.clear();
    watched_.clear();
    notices_.reset(); // and all its watches: directories may have been exchanged
    bytes_ = 0;
}

/// Watches the root and every directory down to the file's.
bool FileCache::watchWay(std::string_view path) {
    if (!notices_) notices_ = Fd(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    if (!notices_) return false;
    for (std::size_t end = 0; end != std::string_view::npos; end = path.find('/', end + 1)) {
        if (!watchDirectory(std::string(path.substr(0, end)))) return false;
    }
    return true;
}

bool FileCache::watchDirectory(const std::string& below) {
    if (watched_.contains(below)) return true;
    // Through the open root, so that what is watched is what is served.
    const std::string name = text::concat("/proc/self/fd/", root_.descriptor(), below);
    const int watch = ::inotify_add_watch(notices_.get(), name.c_str(), kChanges);
    if (watch < 0) return false;
    watched_.emplace(below, watch);
    return true;
}

std::shared_ptr<const CachedFile> FileCache::read(const OpenFile& file) const {
    auto kept = std::make_shared<CachedFile>();
    kept->content.resize(static_cast<std::size_t>(file.size));
    const auto got = ::pread(file.descriptor.get(), kept->content.data(), kept->content.size(), 0);
    if (got != static_cast<ssize_t>(kept->content.size())) return nullptr;
    kept->name = file.name;
    kept->entityTag = entityTagOf(file);
    kept->lastModified = http::DateText(file.modified.tv_sec).view();
    kept->mediaType = http::mediaTypeOf(file.name);
    kept->modified = file.modified.tv_sec;
    return kept;
}

} // namespace reef::files
