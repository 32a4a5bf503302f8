#include "http/characters.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <bit>

namespace reef::http {

#ifdef __SSE2__
namespace {
/// One bit for each of sixteen bytes that is a control byte.
unsigned controlsAmong(const char* bytes) noexcept {
    const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
    const __m128i low =
        _mm_cmpeq_epi8(_mm_max_epu8(text, _mm_set1_epi8(0x1f)), _mm_set1_epi8(0x1f));
    const __m128i tab = _mm_cmpeq_epi8(text, _mm_set1_epi8('\t'));
    const __m128i del = _mm_cmpeq_epi8(text, _mm_set1_epi8(0x7f));
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(_mm_andnot_si128(tab, low), del)));
}
} // namespace
#endif

const char* findControl(const char* begin, const char* end) noexcept {
#ifdef __SSE2__
    for (; end - begin >= 16; begin += 16) {
        const unsigned found = controlsAmong(begin);
        if (found != 0) return begin + std::countr_zero(found);
    }
#endif
    return skipWhile(begin, end, textChar);
}

} // namespace reef::http
