#include "http/characters.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <bit>

namespace reef::http {

#ifdef __SSE2__
namespace {

/// Whether each byte is at least `low` and at most `low + width`: all ones or zero.
__m128i within(__m128i bytes, char low, char width) noexcept {
    const __m128i above = _mm_sub_epi8(bytes, _mm_set1_epi8(low));
    return _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8(width)), above);
}

__m128i equal(__m128i bytes, char c) noexcept {
    return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c));
}

struct Controls {
    __m128i operator()(__m128i bytes) const noexcept {
        const __m128i low = _mm_andnot_si128(equal(bytes, '\t'), within(bytes, 0, 0x1f));
        return _mm_or_si128(low, equal(bytes, 0x7f));
    }
};

/// Those that are neither letters nor digits nor `-`.
struct NameEnds {
    __m128i operator()(__m128i bytes) const noexcept {
        const __m128i lowered = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
        const __m128i alnum = _mm_or_si128(within(lowered, 'a', 25), within(bytes, '0', 9));
        return _mm_cmpeq_epi8(_mm_or_si128(alnum, equal(bytes, '-')), _mm_setzero_si128());
    }
};

struct TargetEnds {
    __m128i operator()(__m128i bytes) const noexcept {
        const __m128i visible = within(bytes, 0x21, 0x7e - 0x21);
        return _mm_cmpeq_epi8(_mm_andnot_si128(equal(bytes, '#'), visible), _mm_setzero_si128());
    }
};

/// The first byte that `match` marks, or the start of the last, incomplete block.
template<class Match>
const char* findBlockwise(const char* begin, const char* end, Match match) noexcept {
    for (; end - begin >= 16; begin += 16) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(begin));
        const auto found = static_cast<unsigned>(_mm_movemask_epi8(match(bytes)));
        if (found != 0) return begin + std::countr_zero(found);
    }
    return begin;
}

} // namespace
#else
namespace {
struct Controls {};
struct NameEnds {};
struct TargetEnds {};
template<class Match>
const char* findBlockwise(const char* begin, const char*, Match) noexcept {
    return begin;
}
} // namespace
#endif

// The tables end each scan: at the byte found, or in the last few.

const char* findControl(const char* begin, const char* end) noexcept {
    return skipWhile(findBlockwise(begin, end, Controls()), end, textChar);
}

const char* skipToken(const char* begin, const char* end) noexcept {
    return skipWhile(findBlockwise(begin, end, NameEnds()), end, tokenChar);
}

const char* skipTarget(const char* begin, const char* end) noexcept {
    return skipWhile(findBlockwise(begin, end, TargetEnds()), end, targetChar);
}

} // namespace reef::http
