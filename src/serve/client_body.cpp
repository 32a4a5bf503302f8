#include "serve/client_body.h"

#include "http/response_encoder.h"

#include <algorithm>

namespace reef::serve {

namespace {
constexpr std::size_t kBufferBytes = 65536;
}

void ClientBody::begin(const http::Framing& framing, ByteView received) {
    framing_ = framing;
    input_ = received;
    left_ = framing.body == http::BodyKind::length ? framing.length : 0;
    ended_ = framing.body == http::BodyKind::none;
    awaitsContinue_ = framing.expectContinue && !ended_ && received.empty();
}

std::optional<ByteCount> ClientBody::length() const noexcept {
    if (framing_.body == http::BodyKind::chunked) return std::nullopt;
    return framing_.length;
}

Task<Result<ByteView>> ClientBody::read() {
    if (ended_) co_return ByteView{};
    if (awaitsContinue_) {
        awaitsContinue_ = false;
        const auto asked =
            co_await stream_.write(bytesOf(http::kContinueResponse), settings_.sendTimeout);
        if (!asked) co_return fail(asked.error());
    }
    auto piece =
        framing_.body == http::BodyKind::chunked ? co_await readChunked() : co_await readCounted();
    if (piece) {
        taken_ += piece->size();
        if (taken_ > settings_.maxBody) co_return fail(Error::tooLarge);
    }
    co_return piece;
}

Task<Result<ByteView>> ClientBody::readCounted() {
    if (framing_.length > settings_.maxBody) co_return fail(Error::tooLarge);
    if (input_.empty()) {
        const auto filled = co_await refill(left_);
        if (!filled) co_return fail(filled.error());
    }
    const auto piece =
        input_.first(static_cast<std::size_t>(std::min<ByteCount>(left_, input_.size())));
    input_ = input_.subspan(piece.size());
    received_ += piece.size();
    left_ -= piece.size();
    ended_ = left_ == 0;
    co_return piece;
}

Task<Result<ByteView>> ClientBody::readChunked() {
    for (;;) {
        if (input_.empty()) {
            const auto filled = co_await refill(kBufferBytes);
            if (!filled) co_return fail(filled.error());
        }
        const auto piece = decoder_.take(input_);
        input_ = input_.subspan(piece.consumed);
        received_ += piece.consumed;
        if (!piece.content.empty()) co_return piece.content;
        if (decoder_.state() == http::ChunkedDecoder::State::rejected)
            co_return fail(Error::malformed);
        if (decoder_.state() == http::ChunkedDecoder::State::ended) {
            ended_ = true;
            co_return ByteView{};
        }
    }
}

Task<Status> ClientBody::refill(ByteCount atMost) {
    if (!buffer_) buffer_ = std::make_unique_for_overwrite<char[]>(kBufferBytes);
    const ByteRoom room(buffer_.get(),
                        static_cast<std::size_t>(std::min<ByteCount>(atMost, kBufferBytes)));
    awaited_ = true; // and stays so when this frame is dropped meanwhile
    const auto got = co_await stream_.read(room, settings_.bodyTimeout, &pace_);
    awaited_ = false;
    if (!got) co_return fail(got.error());
    if (*got == 0) co_return fail(Error::peerClosed);
    input_ = ByteView(buffer_.get(), *got);
    co_return Status{};
}

Task<bool> ClientBody::discard(ByteCount limit) {
    while (!ended_) {
        const auto piece = co_await read();
        if (!piece || piece->size() > limit) co_return false;
        limit -= piece->size();
    }
    co_return true;
}

} // namespace reef::serve
