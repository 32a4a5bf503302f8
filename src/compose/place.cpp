#include "compose/place.h"

#include "base/text.h"

#include <algorithm>

namespace reef::compose {

Place::Place(PlaceOwner& owner, const FragmentSpec& spec,
             std::shared_ptr<const std::string> errorText, std::size_t limit, std::size_t& total)
    : owner_(owner), spec_(spec), errorText_(std::move(errorText)), limit_(limit), total_(total) {}

Status Place::accept(const http::ResponseHead& head) {
    begun_ = true;
    if (head.status >= 200 && head.status <= 299) return {};
    failWith(text::concat("answered with status ", head.status));
    return fail(Error::peerClosed);
}

Status Place::complete() {
    if (settled_) return fail(Error::peerClosed);
    if (announced_.value_or(received_) == received_) {
        settle();
        return {};
    }
    failWith(text::concat("announced ", *announced_, " bytes and sent ", received_));
    return fail(Error::malformed);
}

Task<Status> Place::begin(const http::ResponseHead& head) {
    announced_ = head.length;
    co_return accept(head);
}

Task<Status> Place::write(std::span<const ByteView> pieces) {
    for (ByteView piece : pieces) {
        while (!piece.empty()) {
            if (held_ >= limit_) co_await roomMade();
            if (settled_) co_return fail(Error::peerClosed);
            const auto part = piece.first(std::min(piece.size(), limit_ - held_));
            waiting_.append(part);
            received(part.size());
            piece = piece.subspan(part.size());
        }
    }
    co_return Status();
}

Task<Status> Place::flush() {
    co_return Status();
}

Task<Status> Place::end() {
    co_return complete();
}

Task<Status> Place::send(const http::ResponseHead& head, std::span<const ByteView> pieces) {
    if (const auto status = accept(head); !status) co_return status;
    if (const auto status = co_await write(pieces); !status) co_return status;
    co_return complete();
}

Task<Status> Place::sendFile(const http::ResponseHead& head, int file, ByteCount offset,
                             ByteCount count) {
    if (const auto status = accept(head); !status) co_return status;
    while (received_ != count) {
        if (held_ >= limit_) co_await roomMade();
        if (settled_) co_return fail(Error::peerClosed);
        const auto part = std::min<ByteCount>(count - received_, limit_ - held_);
        const auto before = waiting_.size();
        const auto status = waiting_.readFile(file, offset + received_, part);
        received(waiting_.size() - before);
        if (!status) {
            failWith(text::concat("its file cannot be read: ", status.error().describe()));
            co_return status;
        }
    }
    co_return complete();
}

Task<void> Place::roomMade() {
    while (!settled_ && held_ >= limit_) {
        stepAside();
        co_await room_.wait();
    }
}

void Place::received(std::size_t bytes) {
    received_ += bytes;
    hold(bytes);
    owner_.placeAdvanced(*this);
}

void Place::hold(std::size_t bytes) noexcept {
    held_ += bytes;
    total_ += bytes;
}

void Place::drop(std::size_t bytes) noexcept {
    held_ -= bytes;
    total_ -= bytes;
}

void Place::take(ByteQueue& out) {
    out.take(waiting_);
}

void Place::released(std::size_t bytes) noexcept {
    drop(bytes);
    room_.pulse();
}

void Place::conclude(const http::Handled& outcome) {
    stepAside();
    if (outcome && settled_) return;
    const auto why = !outcome ? text::concat("failed with status ", outcome.error().status, ": ",
                                             outcome.error().detail)
                     : begun_ ? std::string("its answer broke off")
                              : std::string("gave no answer");
    if (!settled_) {
        failWith(why);
    } else if (!failed_) {
        owner_.placeTroubled(*this, text::concat(why, " (after its whole answer)"));
    }
}

void Place::settle() {
    settled_ = true;
    owner_.placeSettled(*this);
}

void Place::failWith(std::string_view why) {
    failed_ = true;
    drop(waiting_.size());
    waiting_.clear();
    waiting_.append(bytesOf(*errorText_));
    hold(waiting_.size());
    owner_.placeTroubled(*this, why);
    settle();
}

} // namespace reef::compose
