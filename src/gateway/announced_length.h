#pragma once

#include "base/bytes.h"

#include <algorithm>
#include <optional>
#include <string>

namespace reef::gateway {

/// The length that an island announced (Content-Length), against what it writes. Pure.
class AnnouncedLength {
public:
    explicit AnnouncedLength(std::optional<ByteCount> announced) noexcept : announced_(announced) {}

    /// The part of the next `piece` that lies within the announced length: all of it, less, or
    /// none.
    ByteView take(ByteView piece) noexcept {
        const ByteCount left = announced_ && *announced_ > written_ ? *announced_ - written_ : 0;
        written_ += piece.size();
        if (!announced_) return piece;
        return piece.first(static_cast<std::size_t>(std::min<ByteCount>(left, piece.size())));
    }

    bool isRight() const noexcept { return !announced_ || written_ == *announced_; }
    bool isShort() const noexcept { return announced_ && written_ < *announced_; }
    bool isExceeded() const noexcept { return announced_ && written_ > *announced_; }

    /// "announced 5 bytes of content and wrote 7".
    std::string describe() const;

private:
    std::optional<ByteCount> announced_;
    ByteCount written_ = 0;
};

} // namespace reef::gateway
