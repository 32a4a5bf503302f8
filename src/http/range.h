#pragma once

#include "base/arena.h"
#include "base/bytes.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace reef::http {

/// Bytes `first` to `first + count - 1`; count is at least 1.
struct ByteRange {
    ByteCount first = 0;
    ByteCount count = 0;
    friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

/// What a Range field asks of a representation of known size.
class RangeRequest {
public:
    static constexpr std::size_t kMaxRanges = 16;

    enum class Kind : std::uint8_t {
        none,         ///< no range, or one that is to be ignored: send everything with 200
        list,         ///< send `ranges()` with 206
        unsatisfiable ///< answer 416 with `unsatisfiedRange`
    };

    Kind kind = Kind::none;

    /// With Kind::list at least one, else none.
    std::span<const ByteRange> ranges() const noexcept { return {ranges_.data(), count_}; }

    /// False when there are kMaxRanges already.
    bool add(ByteRange range) noexcept;

private:
    std::array<ByteRange, kMaxRanges> ranges_{};
    std::size_t count_ = 0;
};

/// Reads the value of a Range field (RFC 9110 14.1-14.2), which counts for GET alone, against a
/// representation of `size` bytes. Ranges stay in the order asked for; those that cannot be
/// satisfied are left out. Ignored as a whole (Kind::none): other units, anything malformed, more
/// than `maxRanges` (at most kMaxRanges), ranges that overlap so that together they exceed the
/// representation (a cheap way to make a server work), and a suffix of an empty representation.
/// Check `ifRangeHolds` first.
RangeRequest rangesFor(std::string_view header, ByteCount size, std::size_t maxRanges = 8) noexcept;

/// Value of Content-Range: "bytes 0-9/100", in the arena.
std::string_view contentRange(ByteRange range, ByteCount size, Arena& memory);

/// Value of Content-Range with 416: "bytes */100", in the arena.
std::string_view unsatisfiedRange(ByteCount size, Arena& memory);

} // namespace reef::http
