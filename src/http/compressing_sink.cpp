#include "http/compressing_sink.h"

#include "base/text.h"
#include "coro/yield.h"
#include "http/media_type.h"

#include <algorithm>
#include <array>
#include <memory>

namespace reef::http {

namespace {

using Flush = Compressor::Flush;

/// By cost: zstd takes a third of the time of gzip, for about the same size.
constexpr std::array kCodings{ContentCoding::zstd, ContentCoding::gzip};

/// Fields that the content must not be changed under.
constexpr std::array<std::string_view, 6> kBinding{
    "Content-Encoding", "Content-Range", "Content-Digest", "Repr-Digest", "Digest", "Content-MD5"};

bool mayTransform(const HeaderList& fields) noexcept {
    return !fields.hasToken("Cache-Control", "no-transform") &&
           std::ranges::none_of(kBinding,
                                [&](std::string_view name) { return fields.contains(name); });
}

/// Whether content of this answer, if it has any, is to be thought of at all.
bool concerns(const ResponseHead& head) noexcept {
    const auto type = head.fields.find("Content-Type");
    if (head.status == 304) return (!type || isCompressible(*type)) && mayTransform(head.fields);
    return head.status >= 200 && head.status < 300 && head.status != 204 && head.status != 205 &&
           head.status != 206 && type && isCompressible(*type) && mayTransform(head.fields);
}

void addVary(HeaderList& fields, Arena& memory) {
    constexpr std::string_view kName = "Accept-Encoding";
    if (fields.hasToken("Vary", kName) || fields.hasToken("Vary", "*")) return;
    const auto known = fields.count("Vary") == 1 ? *fields.find("Vary") : std::string_view{};
    if (known.empty()) return fields.add("Vary", kName);
    fields.set("Vary", memory.copy(text::concat(known, ", ", kName)));
}

void weakenTag(HeaderList& fields, Arena& memory) {
    const auto tag = fields.find("ETag");
    if (tag && tag->starts_with('"')) fields.set("ETag", memory.copy(text::concat("W/", *tag)));
}

ByteCount totalOf(std::span<const ByteView> pieces) noexcept {
    ByteCount total = 0;
    for (const ByteView piece : pieces)
        total += piece.size();
    return total;
}

} // namespace

/// Decides, and takes a compressor when it is to be. The head to be sent in place of `head`;
/// nothing: as it is.
std::optional<ResponseHead> CompressingSink::learn(const ResponseHead& head,
                                                   std::optional<ByteCount> length) {
    begun_ = true;
    if (!concerns(head)) return std::nullopt;
    Arena& memory = *request_.arena;
    std::optional<ResponseHead> changed(head);
    addVary(changed->fields, memory);
    if (head.status == 304) length.reset(); // of the content that it speaks of
    const auto coding = codingFor(length);
    if (coding == ContentCoding::identity) return changed;
    if (head.status == 304) {
        weakenTag(changed->fields, memory);
        return changed;
    }
    if (request_.method == Method::head) {
        treatment_ = Treatment::headOnly;
    } else {
        const auto type = *head.fields.find("Content-Type");
        compressor_ =
            isMediaType(type, "text/event-stream") ? pool_.takeForLong(coding) : pool_.take(coding);
        if (!compressor_) return changed;
        treatment_ = Treatment::compress;
    }
    weakenTag(changed->fields, memory);
    changed->fields.remove("Accept-Ranges");
    changed->fields.add("Content-Encoding", tokenOf(coding));
    changed->length.reset();
    return changed;
}

ContentCoding CompressingSink::codingFor(std::optional<ByteCount> length) const noexcept {
    if (length && *length < kLeastBytes) return ContentCoding::identity;
    return chooseCoding(request_.fields, kCodings);
}

Task<Status> CompressingSink::begin(const ResponseHead& head) {
    const auto changed = learn(head, head.length);
    co_return co_await next_.begin(changed ? *changed : head);
}

Task<Status> CompressingSink::write(std::span<const ByteView> pieces) {
    if (treatment_ == Treatment::pass) co_return co_await next_.write(pieces);
    if (treatment_ == Treatment::headOnly || totalOf(pieces) == 0) co_return Status{};
    for (const ByteView piece : pieces) {
        if (const auto fed = co_await feed(piece); !fed) co_return fed;
    }
    co_return co_await pass(Flush::sync);
}

Task<Status> CompressingSink::writeFile(int file, ByteCount offset, ByteCount count) {
    if (treatment_ == Treatment::pass) co_return co_await next_.writeFile(file, offset, count);
    if (treatment_ == Treatment::headOnly || count == 0) co_return Status{};
    if (const auto fed = co_await feedFile(file, offset, count); !fed) co_return fed;
    co_return co_await pass(Flush::sync);
}

Task<Status> CompressingSink::flush() {
    co_return co_await next_.flush(); // what was written has left already
}

Task<Status> CompressingSink::end() {
    if (treatment_ == Treatment::compress) {
        if (const auto passed = co_await pass(Flush::finish); !passed) co_return passed;
        compressor_ = {}; // the next may have it while the last bytes are on their way
    }
    co_return co_await next_.end();
}

Task<Status> CompressingSink::send(const ResponseHead& head, std::span<const ByteView> pieces) {
    const ByteCount total = totalOf(pieces);
    const bool untold = request_.method == Method::head && total == 0; // a HEAD without content
    const auto changed = learn(head, untold ? head.length : total);
    const ResponseHead& out = changed ? *changed : head;
    if (treatment_ == Treatment::pass) co_return co_await next_.send(out, pieces);
    if (treatment_ == Treatment::headOnly) co_return co_await sendHeadOnly(out);
    whole_ = total <= kWholeBytes;
    auto status = whole_ ? Status{} : co_await next_.begin(out);
    for (const ByteView piece : pieces) {
        if (status) status = co_await feed(piece);
    }
    if (!status) co_return status;
    if (!whole_) co_return co_await end();
    compressor_->compress({}, Flush::finish, out_);
    compressor_ = {};
    co_return co_await sendPiece(next_, out, out_);
}

Task<Status> CompressingSink::sendFile(const ResponseHead& head, int file, ByteCount offset,
                                       ByteCount count) {
    const auto changed = learn(head, count);
    const ResponseHead& out = changed ? *changed : head;
    if (treatment_ == Treatment::pass) co_return co_await next_.sendFile(out, file, offset, count);
    if (treatment_ == Treatment::headOnly) co_return co_await sendHeadOnly(out);
    whole_ = count <= kWholeBytes;
    auto status = whole_ ? Status{} : co_await next_.begin(out);
    if (status) status = co_await feedFile(file, offset, count);
    if (!status) co_return status;
    if (!whole_) co_return co_await end();
    compressor_->compress({}, Flush::finish, out_);
    compressor_ = {};
    co_return co_await sendPiece(next_, out, out_);
}

Task<Status> CompressingSink::sendHeadOnly(const ResponseHead& head) {
    if (const auto begun = co_await next_.begin(head); !begun) co_return begun;
    co_return co_await next_.end();
}

/// Compresses, and passes on what has come out when that is much.
Task<Status> CompressingSink::feed(ByteView piece) {
    while (!piece.empty()) {
        const ByteView now = piece.first(std::min(piece.size(), kPieceBytes));
        piece = piece.subspan(now.size());
        compressor_->compress(now, Flush::none, out_);
        if (!whole_ && out_.size() >= kPieceBytes / 2) {
            if (const auto passed = co_await pass(Flush::none); !passed) co_return passed;
        }
        if (now.size() == kPieceBytes) co_await coro::Yield();
    }
    co_return Status{};
}

Task<Status> CompressingSink::feedFile(int file, ByteCount offset, ByteCount count) {
    const auto room = std::make_unique_for_overwrite<char[]>(kPieceBytes);
    while (count != 0) {
        const ByteRoom wanted(room.get(),
                              static_cast<std::size_t>(std::min<ByteCount>(count, kPieceBytes)));
        const auto got = readAt(file, offset, wanted);
        if (!got) co_return fail(got.error());
        if (*got != wanted.size()) co_return fail(Error::failed);
        if (const auto fed = co_await feed(wanted); !fed) co_return fed;
        offset += wanted.size();
        count -= wanted.size();
    }
    co_return Status{};
}

/// What has come out so far, and with a flush all that was fed.
Task<Status> CompressingSink::pass(Compressor::Flush flush) {
    if (flush != Flush::none) compressor_->compress({}, flush, out_);
    if (out_.empty()) co_return Status{};
    const auto written = co_await writePiece(next_, out_);
    out_.clear();
    co_return written;
}

} // namespace reef::http
