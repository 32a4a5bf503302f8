#include "http/decoding_sink.h"

#include "base/text.h"
#include "coro/yield.h"
#include "http/media_type.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

namespace reef::http {

namespace {

constexpr std::array<std::string_view, 7> kOfCoded{
    "Accept-Ranges",  "Content-Encoding", "Content-Length", "Content-MD5",
    "Content-Digest", "Repr-Digest",      "Digest"};

/// The codings of an answer, in the order in which they were applied, but for identity: "gzip, br".
std::string codingsOf(const ResponseHead& head) {
    std::string all;
    for (const HeaderField& field : head.fields) {
        if (!text::equalsIgnoreCase(field.name, "Content-Encoding")) continue;
        for (std::string_view rest = field.value; !rest.empty();) {
            const auto coding = text::trim(text::takeUntil(rest, ','));
            if (coding.empty() || text::equalsIgnoreCase(coding, "identity")) continue;
            all += all.empty() ? "" : ", ";
            all += coding;
        }
    }
    return text::escapeControls(all);
}

bool hasContent(const ResponseHead& head) noexcept {
    return head.status != 204 && head.status != 205 && head.status != 304;
}

} // namespace

bool DecodingSink::concerns(const ResponseHead& head) const noexcept {
    if (!hasContent(head)) return false;
    return concerns_ == Of::any ||
           (head.status != 206 &&
            isMediaType(head.fields.find("Content-Type").value_or(""), "text/html"));
}

Status DecodingSink::learn(const ResponseHead& head) {
    begun_ = true;
    if (!concerns(head)) return {};
    name_ = codingsOf(head);
    if (name_.empty()) return {};
    if (head.status == 206) return spoil("is a part, and cannot be decoded");
    try {
        decoder_ = Decompressor::of(name_);
        if (decoder_) room_ = std::make_unique_for_overwrite<char[]>(kPieceBytes);
    } catch (const std::bad_alloc&) {
        return spoil("cannot be decoded: no memory is left");
    }
    if (decoder_) return {};
    constexpr std::string_view kUnknown =
        "cannot be decoded here: only gzip, deflate or zstd alone can";
    if (concerns_ == Of::any) return spoil(kUnknown);
    remark_ = text::concat("its content (", name_, ") ", kUnknown,
                           "; it goes to the client as it is, its directives with it");
    return {};
}

ResponseHead DecodingSink::decodedHead(const ResponseHead& head) const {
    ResponseHead decoded(*request_.arena, head.status);
    decoded.reason = head.reason;
    for (const HeaderField& field : head.fields)
        if (std::ranges::none_of(kOfCoded, [&](std::string_view name) {
                return text::equalsIgnoreCase(field.name, name);
            }))
            decoded.fields.add(field.name, field.value);
    return decoded;
}

Task<Status> DecodingSink::begin(const ResponseHead& head) {
    if (const auto known = learn(head); !known) co_return known;
    if (!decoder_) co_return co_await next_.begin(head);
    const auto decoded = decodedHead(head);
    co_return co_await next_.begin(decoded);
}

Task<Status> DecodingSink::write(std::span<const ByteView> pieces) {
    if (!decoder_) co_return co_await next_.write(pieces);
    if (request_.method == Method::head) co_return Status{};
    for (const ByteView piece : pieces)
        if (const auto decoded = co_await decode(piece); !decoded) co_return decoded;
    co_return Status{};
}

Task<Status> DecodingSink::writeFile(int file, ByteCount offset, ByteCount count) {
    if (!decoder_) co_return co_await next_.writeFile(file, offset, count);
    co_return co_await ResponseSink::writeFile(file, offset, count);
}

Task<Status> DecodingSink::flush() {
    co_return co_await next_.flush(); // what was written has left already
}

Task<Status> DecodingSink::end() {
    if (!fault_.empty()) co_return fail(Error::malformed);
    if (!decoder_) co_return co_await next_.end();
    if (!decoder_->isWhole()) co_return spoil("is cut short");
    if (decoder_->hasMore())
        remark_ =
            text::concat("its content (", name_, ") has more behind its end, which is left out");
    if (whole_) co_return co_await sendPiece(next_, *whole_, gathered_);
    co_return co_await next_.end();
}

Task<Status> DecodingSink::send(const ResponseHead& head, std::span<const ByteView> pieces) {
    if (const auto known = learn(head); !known) co_return known;
    if (!decoder_) co_return co_await next_.send(head, pieces);
    if (request_.method == Method::head) {
        const auto decoded = decodedHead(head);
        const auto started = co_await next_.begin(decoded);
        co_return started ? co_await next_.end() : started;
    }
    whole_.emplace(decodedHead(head));
    if (const auto written = co_await write(pieces); !written) co_return written;
    co_return co_await end();
}

Task<Status> DecodingSink::sendFile(const ResponseHead& head, int file, ByteCount offset,
                                    ByteCount count) {
    if (const auto known = learn(head); !known) co_return known;
    if (!decoder_) co_return co_await next_.sendFile(head, file, offset, count);
    whole_.emplace(decodedHead(head));
    if (const auto written = co_await writeFile(file, offset, count); !written) co_return written;
    co_return co_await end();
}

Task<Status> DecodingSink::decode(ByteView piece) {
    for (bool filled = false; filled || !piece.empty();) {
        const auto step = decoder_->decode(piece, ByteRoom(room_.get(), kPieceBytes));
        if (!step) co_return spoil(step.error());
        piece = piece.subspan(step->taken);
        taken_ += step->taken;
        made_ += step->made;
        filled = step->made == kPieceBytes;
        if (!filled && !piece.empty() && step->taken == 0 && step->made == 0)
            co_return spoil("is corrupt"); // no decoder stands still; this loop would not end
        if (const auto sized = checkSize(); !sized) co_return sized;
        if (step->made != 0) {
            const auto passed = co_await passOn(ByteView(room_.get(), step->made));
            if (!passed) co_return passed;
        }
        if (filled) co_await coro::Yield();
    }
    co_return Status{};
}

/// What is to leave whole is gathered, as long as it is not too much for that.
Task<Status> DecodingSink::passOn(ByteView made) {
    if (!whole_) co_return co_await writePiece(next_, made);
    gathered_.append(made.data(), made.size());
    if (gathered_.size() <= kWholeBytes) co_return Status{};
    const auto started = co_await next_.begin(*whole_);
    whole_.reset();
    const auto content = std::exchange(gathered_, {});
    co_return started ? co_await writePiece(next_, content) : started;
}

Status DecodingSink::checkSize() {
    if (made_ <= kFreeBytes || made_ / kMaxRatio <= taken_) return {};
    return spoil(text::concat("becomes ", made_ / std::max<ByteCount>(taken_, 1),
                              " times as large: it is taken for a bomb"));
}

Status DecodingSink::spoil(std::string_view what) {
    if (fault_.empty()) fault_ = text::concat("its content (", name_, ") ", what);
    return fail(Error::malformed);
}

} // namespace reef::http
