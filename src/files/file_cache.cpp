#include "files/file_cache.h"

#include "base/text.h"
#include "files/entity_tag.h"
#include "http/date.h"
#include "http/media_type.h"
#include "http/response.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>
#include <tuple>

namespace reef::files {

namespace {

constexpr std::uint32_t kChanges = IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVE | IN_CREATE |
                                   IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

/// After a change nothing is kept for this long: a directory that is written all the time must not
/// cost a new set of watches for each request.
constexpr auto kQuietTime = std::chrono::milliseconds(20);

using http::ContentCoding;

std::string_view suffixOf(ContentCoding coding) noexcept {
    switch (coding) {
    case ContentCoding::gzip:
        return ".gz";
    case ContentCoding::zstd:
        return ".zst";
    case ContentCoding::br:
        return ".br";
    case ContentCoding::identity:
        break;
    }
    return {};
}

CachedFile::Coded& slotOf(std::array<CachedFile::Coded, 4>& forms, ContentCoding coding) noexcept {
    return forms[static_cast<std::size_t>(coding)];
}

/// Whether a coded form is older than its file. Some compressors and archives (brotli, tar) copy
/// the time of the file without the fraction of its second.
bool isOlder(const timespec& coded, const timespec& file) noexcept {
    if (coded.tv_nsec == 0) return coded.tv_sec < file.tv_sec;
    return std::tie(coded.tv_sec, coded.tv_nsec) < std::tie(file.tv_sec, file.tv_nsec);
}

/// The tag of a coded form that we make out of a file: the bytes are always the same.
std::string codedTag(std::string_view fileTag, ContentCoding coding) {
    fileTag.remove_suffix(1);
    return text::concat(fileTag, "-", suffixOf(coding).substr(1), "\"");
}

} // namespace

std::expected<Document, Absence> FileCache::find(std::string_view path) {
    Document document;
    document.source = this;
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

std::expected<Document, Absence> FileCache::find(std::string_view path,
                                                 std::span<const std::string> indexNames) {
    if (path.back() != '/') return find(path);
    for (const std::string& index : indexNames) {
        auto found = find(text::concat(path, index));
        if (found || found.error() == Absence::forbidden || found.error() == Absence::unavailable)
            return found;
    }
    const auto file = root_.find(path, {}); // what is there instead
    return std::unexpected(file ? Absence::notFound : file.error());
}

std::shared_ptr<const CachedFile> FileCache::remembered(std::string_view path) {
    if (entries_.empty()) return nullptr;
    forgetChanged();
    const auto place = entries_.find(path);
    if (place == entries_.end() || loop_.now() - place->second.readAt >= kMaxAge) return nullptr;
    return place->second.file;
}

std::shared_ptr<const CachedFile> FileCache::keep(std::string_view path, const OpenFile& file) {
    if (!mayKeep(file) || !makeRoom(file.size)) return nullptr;
    auto kept = std::make_shared<CachedFile>();
    if (!read(file, *kept)) return nullptr;
    kept->name = file.name;
    kept->mediaType = http::mediaTypeOf(file.name);
    kept->changed = file.modified;
    Entry& entry = entries_.try_emplace(std::string(path)).first->second;
    if (entry.file && entry.file->name == kept->name && entry.file->entityTag == kept->entityTag &&
        entry.file->content == kept->content) {
        kept->compressed = entry.file->compressed; // still right, and dear
    }
    entry = {kept, loop_.now()};
    return kept;
}

bool FileCache::mayKeep(const OpenFile& file) const noexcept {
    return file.size <= kMaxFileBytes && file.links == 1 && root_.isDirect(file);
}

/// False when answers on their way hold all of it.
bool FileCache::makeRoom(ByteCount bytes) {
    if (*held_ + bytes > kMaxBytes) entries_.clear();
    return *held_ + bytes <= kMaxBytes;
}

std::optional<FileCache::Sibling> FileCache::sibling(const Document& document,
                                                     ContentCoding coding) {
    using State = CachedFile::Coded::State;
    Sibling found;
    if (!document.cached) {
        auto file = openSibling(document, coding);
        if (!file) return std::nullopt;
        found.file = std::move(*file);
        return found;
    }
    CachedFile::Coded& known = slotOf(document.cached->siblings, coding);
    if (known.state == State::none) return std::nullopt;
    if (known.state == State::stored) {
        found.stored = known.content;
        return found;
    }
    auto file = openSibling(document, coding);
    if (!file) {
        if (known.state == State::unknown) known.state = State::none;
        return std::nullopt;
    }
    auto content = std::make_shared<StoredContent>();
    if (mayKeep(*file) && makeRoom(file->size) && read(*file, *content)) {
        known = {State::stored, std::move(content)};
        found.stored = known.content;
        return found;
    }
    known.state = State::elsewhere;
    found.file = std::move(*file);
    return found;
}

std::optional<OpenFile> FileCache::openSibling(const Document& document,
                                               ContentCoding coding) const {
    auto file = root_.openNamed(text::concat(document.name(), suffixOf(coding)));
    if (!file || isOlder(file->modified, document.modified())) return std::nullopt;
    return std::move(*file);
}

std::shared_ptr<const StoredContent> FileCache::compressed(const Document& document,
                                                           ContentCoding coding) {
    using State = CachedFile::Coded::State;
    if (!document.cached || compressors_ == nullptr) return nullptr;
    CachedFile::Coded& known = slotOf(document.cached->compressed, coding);
    if (known.state != State::unknown) return known.content;
    const auto compressor = compressors_->take(coding);
    if (!compressor) return nullptr;
    auto made = std::make_shared<StoredContent>();
    compressor->compress(bytesOf(document.cached->content), http::Compressor::Flush::finish,
                         made->content);
    known.state = State::none;
    if (made->content.size() >= document.cached->content.size()) return nullptr;
    made->content.shrink_to_fit();
    made->entityTag = codedTag(document.cached->entityTag, coding);
    made->lastModified = document.cached->lastModified;
    made->modified = document.cached->modified;
    if (!makeRoom(made->content.size())) return made; // for this answer alone
    made->charge.emplace(held_, made->content.size());
    known = {State::stored, made};
    return made;
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

bool FileCache::read(const OpenFile& file, StoredContent& into) const {
    into.content.resize(static_cast<std::size_t>(file.size));
    const auto got = http::readAt(file.descriptor.get(), 0, into.content);
    if (!got || *got != into.content.size()) return false;
    into.entityTag = entityTagOf(file);
    into.lastModified = http::DateText(file.modified.tv_sec).view();
    into.modified = file.modified.tv_sec;
    into.charge.emplace(held_, file.size);
    return true;
}

} // namespace reef::files
