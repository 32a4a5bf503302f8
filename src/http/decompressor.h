#pragma once

#include "base/bytes.h"

#include <cstddef>
#include <expected>
#include <memory>
#include <string_view>

namespace reef::http {

/// Undoes a content coding (RFC 9110 8.4.1), piece by piece. Memory of one: 48 KiB (gzip, deflate)
/// or up to 8.2 MiB (zstd, by what the sender has chosen; RFC 9659 allows no more), whatever passes
/// through it. Pure; one thread.
class Decompressor {
public:
    /// Of a coding by its token: gzip (or x-gzip), deflate, zstd, in any case. Null: no other is
    /// known here. Throws std::bad_alloc.
    static std::unique_ptr<Decompressor> of(std::string_view coding);

    virtual ~Decompressor() = default;

    struct Step {
        std::size_t taken; ///< bytes of the input that are done with
        std::size_t made;  ///< bytes that are in the room now
    };

    /// Takes what it can of `in`, and fills `out` (which is not empty) as far as that goes. Call it
    /// again with the rest, and with more room, until all is taken and room is left over. What
    /// stands behind the end is taken and ignored: see `hasMore`. The error is a sentence about
    /// "it", the content, and the last word.
    virtual std::expected<Step, std::string_view> decode(ByteView in, ByteRoom out) = 0;

    /// Whether all that was taken comes to an end here: content that is over now is whole. True
    /// before the first byte.
    virtual bool isWhole() const noexcept = 0;

    /// Whether something stood behind the end that was no further member of it.
    virtual bool hasMore() const noexcept = 0;
};

} // namespace reef::http
