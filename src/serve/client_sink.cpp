#include "serve/client_sink.h"

#include "base/log.h"
#include "base/text.h"
#include "http/chunked.h"

#include <algorithm>
#include <array>

namespace reef::serve {

namespace {

constexpr std::size_t kVectors = 16; // of one system call; more pieces take more calls

ByteCount totalOf(std::span<const ByteView> pieces) {
    ByteCount total = 0;
    for (const ByteView piece : pieces)
        total += piece.size();
    return total;
}

iovec vectorOf(ByteView piece) {
    return {const_cast<char*>(piece.data()), piece.size()};
}

} // namespace

void ClientSink::encode(const http::ResponseHead& head, std::optional<ByteCount> length) {
    if (ending_ != nullptr && *ending_) forbidKeepAlive();
    contentType_ = memory_.copy(head.fields.find("Content-Type").value_or(std::string_view{}));
    if (context_.fields != nullptr && !context_.fields->empty()) {
        http::ResponseHead amended = head;
        context_.fields->applyTo(amended);
        context_.fields = nullptr;
        return encode(amended, length);
    }
    if (head.status == 304) {
        // The log wants to know what was not sent again; the client has the type already (RFC
        // 9110 15.4.5).
        http::ResponseHead bare = head;
        bare.fields.remove("Content-Type");
        head_ = http::encodeHead(bare, length, context_, memory_);
    } else {
        head_ = http::encodeHead(head, length, context_, memory_);
    }
    unsentHead_ = head_.bytes;
    framing_ = head_.bytes.size();
    left_ = length.value_or(0);
    status_ = head.status;
    begun_ = true;
    if (head_.dropped != 0)
        log::warning("serve", text::concat("a response held ", head_.dropped,
                                           " field(s) with forbidden bytes; they were left out"));
}

/// Of a cut response it is at least this much: the cut may lie before the end of what frames it.
ByteCount ClientSink::content() const noexcept {
    return sent() > framing_ ? sent() - framing_ : 0;
}

ByteView ClientSink::takeHead() noexcept {
    return std::exchange(unsentHead_, ByteView{});
}

Task<Status> ClientSink::begin(const http::ResponseHead& head) {
    encode(head, head.length);
    co_return Status{};
}

Task<Status> ClientSink::write(std::span<const ByteView> pieces) {
    const ByteCount total = totalOf(pieces);
    if (total == 0) co_return Status{};
    switch (head_.body) {
    case http::BodyKind::none:
        co_return co_await flush();
    case http::BodyKind::untilClose:
        co_return co_await writePieces(takeHead(), pieces, {});
    case http::BodyKind::length:
        if (total > left_)
            co_return fail(Error::malformed); // more than was promised: cut, not mixed up
        left_ -= total;
        co_return co_await writePieces(takeHead(), pieces, {});
    case http::BodyKind::chunked:
        break;
    }
    const http::ChunkPrefix prefix(total);
    framing_ += prefix.bytes().size() + http::kChunkEnd.size();
    const ByteView head = takeHead();
    if (!head.empty()) {
        // Head and chunk size are one piece, so that the usual first write needs few vectors.
        char* room = memory_.room(head.size() + prefix.bytes().size());
        std::ranges::copy(prefix.bytes(), std::ranges::copy(head, room).out);
        co_return co_await writePieces({room, head.size() + prefix.bytes().size()}, pieces,
                                       bytesOf(http::kChunkEnd));
    }
    co_return co_await writePieces(prefix.bytes(), pieces, bytesOf(http::kChunkEnd));
}

Task<Status> ClientSink::writeFile(int file, ByteCount offset, ByteCount count) {
    if (head_.body != http::BodyKind::length)
        co_return co_await ResponseSink::writeFile(file, offset, count);
    if (count > left_) co_return fail(Error::malformed);
    if (const auto begun = co_await flush(); !begun) co_return begun;
    left_ -= count;
    co_return co_await stream_.sendFile(file, offset, count, settings_.sendTimeout, &pace_);
}

Task<Status> ClientSink::flush() {
    const ByteView head = takeHead();
    if (head.empty()) co_return Status{};
    co_return co_await writePieces(head, {}, {});
}

Task<Status> ClientSink::end() {
    if (head_.body == http::BodyKind::length && left_ != 0) co_return fail(Error::malformed);
    std::string_view last = head_.body == http::BodyKind::chunked ? http::kLastChunk : "";
    if (!last.empty() && context_.trailers != nullptr && !context_.trailers->lines.empty())
        last = memory_.copy(text::concat("0\r\n", context_.trailers->lines, "\r\n"));
    framing_ += last.size();
    const auto written = co_await writePieces(takeHead(), {}, bytesOf(last));
    complete_ = written.has_value();
    co_return written;
}

Task<Status> ClientSink::send(const http::ResponseHead& head, std::span<const ByteView> pieces) {
    encode(head, totalOf(pieces));
    if (head_.body == http::BodyKind::none) pieces = {};
    const auto written = co_await writePieces(takeHead(), pieces, {});
    complete_ = written.has_value();
    co_return written;
}

Task<Status> ClientSink::sendFile(const http::ResponseHead& head, int file, ByteCount offset,
                                  ByteCount count) {
    encode(head, count);
    const bool content = head_.body != http::BodyKind::none && count != 0;
    iovec vector = vectorOf(takeHead());
    auto written = co_await writeVectors({&vector, 1}, content ? io::More::yes : io::More::no);
    if (written && content) {
        written = co_await stream_.sendFile(file, offset, count, settings_.sendTimeout, &pace_);
    }
    complete_ = written.has_value();
    co_return written;
}

Task<Status> ClientSink::writePieces(ByteView before, std::span<const ByteView> pieces,
                                     ByteView after) {
    std::array<iovec, kVectors> vectors;
    std::size_t used = 0;
    if (!before.empty()) vectors[used++] = vectorOf(before);
    for (const ByteView piece : pieces) {
        if (piece.empty()) continue;
        if (used == vectors.size()) {
            const auto written = co_await writeVectors({vectors.data(), used}, io::More::yes);
            if (!written) co_return written;
            used = 0;
        }
        vectors[used++] = vectorOf(piece);
    }
    if (!after.empty()) {
        if (used == vectors.size()) {
            const auto written = co_await writeVectors({vectors.data(), used}, io::More::yes);
            if (!written) co_return written;
            used = 0;
        }
        vectors[used++] = vectorOf(after);
    }
    co_return co_await writeVectors({vectors.data(), used}, io::More::no);
}

Task<Status> ClientSink::writeVectors(std::span<iovec> vectors, io::More more) {
    co_return co_await stream_.write(vectors, settings_.sendTimeout, more, &pace_);
}

} // namespace reef::serve
