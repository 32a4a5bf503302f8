#include "files/selection.h"

#include "base/text.h"
#include "files/entity_tag.h"
#include "http/compressing_sink.h"
#include "http/media_type.h"

#include <algorithm>
#include <array>

namespace reef::files {

namespace {

using http::ContentCoding;

/// Best first, among those that a client likes equally well.
constexpr std::array kSiblings{ContentCoding::br, ContentCoding::zstd, ContentCoding::gzip};
/// Larger files go out as they are, by sendfile: each answer would cost a tenth of a second, and
/// who breaks off could not resume.
constexpr ByteCount kMostOnItsWay = 8_MiB;

constexpr std::array kMade{ContentCoding::zstd, ContentCoding::gzip};

std::string_view typeOf(std::string_view name, std::string_view known, const FileOptions& options) {
    const auto dot = options.mediaTypes.empty() ? std::string_view::npos
                                                : name.find_last_of("./"); // of the last part
    if (dot == std::string_view::npos || name[dot] == '/') return known;
    for (const MediaTypeRule& rule : options.mediaTypes) {
        if (text::equalsIgnoreCase(rule.extension, name.substr(dot + 1))) return rule.type;
    }
    return known;
}

} // namespace

Selection::Selection(const http::Request& request, const Document& document,
                     const FileOptions& options)
    : document_(document) {
    what_.name = document.name();
    if (document.cached) {
        useStored(*document.cached);
        what_.mediaType = typeOf(what_.name, document.cached->mediaType, options);
    } else {
        useFile(document.file);
        what_.mediaType = typeOf(what_.name, http::mediaTypeOf(what_.name), options);
    }
    if (document.source == nullptr || !(options.compress || options.precompressed)) return;
    what_.varies = http::isCompressible(what_.mediaType);
    if (!what_.varies || !request.fields.contains("Accept-Encoding")) return;
    if (options.precompressed && useSibling(request)) return;
    if (options.compress) compress(request);
}

bool Selection::useSibling(const http::Request& request) {
    auto wanted = kSiblings;
    std::span<ContentCoding> left(wanted);
    for (;;) {
        const auto coding = http::chooseCoding(request.fields, left);
        if (coding == ContentCoding::identity) return false;
        if (auto sibling = document_.source->sibling(document_, coding)) {
            coded_ = std::move(sibling->stored);
            codedFile_ = std::move(sibling->file);
            coded_ ? useStored(*coded_) : useFile(codedFile_);
            what_.coding = coding;
            return true;
        }
        left = left.first(
            static_cast<std::size_t>(std::ranges::remove(left, coding).begin() - left.begin()));
    }
}

/// What cannot be had (it does not shrink, no compressor is free) leaves the file as it is.
void Selection::compress(const http::Request& request) {
    if (document_.source->compressors() == nullptr ||
        what_.size < http::CompressingSink::kLeastBytes)
        return;
    const auto coding = http::chooseCoding(request.fields, kMade);
    if (coding == ContentCoding::identity) return;
    if (document_.cached) {
        coded_ = document_.source->compressed(document_, coding);
        if (!coded_) return;
        useStored(*coded_);
        what_.coding = coding;
        return;
    }
    if (what_.size > kMostOnItsWay ||
        (request.method == http::Method::get && request.fields.contains("Range")))
        return;
    entityTag_.insert(0, "W/");
    what_.entityTag = entityTag_;
    onItsWay_ = true;
}

void Selection::useFile(const OpenFile& file) {
    entityTag_ = entityTagOf(file);
    lastModified_.emplace(file.modified.tv_sec);
    what_.entityTag = entityTag_;
    what_.lastModified = lastModified_->view();
    what_.modified = file.modified.tv_sec;
    what_.size = file.size;
    what_.content = nullptr;
    what_.file = file.descriptor.get();
}

void Selection::useStored(const StoredContent& stored) {
    what_.entityTag = stored.entityTag;
    what_.lastModified = stored.lastModified;
    what_.modified = stored.modified;
    what_.size = stored.content.size();
    what_.content = stored.content.data();
}

} // namespace reef::files
