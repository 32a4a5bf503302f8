#include "http/range.h"

#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

namespace reef::http {

namespace {

constexpr ByteCount kMost = std::numeric_limits<ByteCount>::max();
constexpr std::size_t kContentRangeBytes = sizeof "bytes -/" + 3 * 20;

/// Digits alone; a number beyond 64 bits counts as the largest, which is beyond every size too.
std::optional<ByteCount> positionOf(std::string_view digits) noexcept {
    if (digits.empty() || !std::ranges::all_of(digits, text::isDigit)) return std::nullopt;
    ByteCount value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc::result_out_of_range ? kMost : value;
}

/// One range-spec against a size: a range, or one with count 0 when it cannot be satisfied; nothing
/// when it is malformed.
std::optional<ByteRange> resolve(std::string_view spec, ByteCount size) noexcept {
    const auto dash = spec.find('-');
    if (dash == std::string_view::npos) return std::nullopt;
    const auto lastText = spec.substr(dash + 1);
    if (dash == 0) {
        const auto suffix = positionOf(lastText);
        if (!suffix) return std::nullopt;
        const ByteCount count = std::min(*suffix, size);
        return ByteRange{size - count, count};
    }
    const auto first = positionOf(spec.substr(0, dash));
    const auto last = lastText.empty() ? kMost : positionOf(lastText);
    if (!first || !last || *first > *last) return std::nullopt;
    if (*first >= size) return ByteRange{};
    return ByteRange{*first, std::min(*last, size - 1) - *first + 1};
}

char* put(char* out, std::string_view text) noexcept {
    return std::ranges::copy(text, out).out;
}

char* put(char* out, ByteCount number) noexcept {
    return std::to_chars(out, out + 20, number).ptr;
}

} // namespace

bool RangeRequest::add(ByteRange range) noexcept {
    if (count_ == kMaxRanges) return false;
    ranges_[count_++] = range;
    return true;
}

RangeRequest rangesFor(std::string_view header, ByteCount size, std::size_t maxRanges) noexcept {
    constexpr std::string_view kUnit = "bytes=";
    if (!text::startsWithIgnoreCase(header, kUnit)) return {};
    RangeRequest request;
    ByteCount total = 0;
    std::size_t seen = 0;
    std::string_view rest = header.substr(kUnit.size());
    while (!rest.empty()) {
        const auto spec = text::trim(text::takeUntil(rest, ','));
        if (spec.empty()) continue; // an empty list element (RFC 9110 5.6.1.2)
        const auto range = resolve(spec, size);
        if (!range || ++seen > std::min(maxRanges, RangeRequest::kMaxRanges)) return {};
        if (range->count == 0) {
            if (size == 0 && spec.front() == '-' && positionOf(spec.substr(1)) != ByteCount{0})
                return {};
            continue;
        }
        if (range->count > size - total) return {};
        total += range->count;
        request.add(*range);
    }
    if (seen == 0) return {};
    request.kind = total == 0 ? RangeRequest::Kind::unsatisfiable : RangeRequest::Kind::list;
    return request;
}

std::string_view contentRange(ByteRange range, ByteCount size, Arena& memory) {
    char* const begin = memory.room(kContentRangeBytes);
    char* end = put(put(begin, "bytes "), range.first);
    end = put(put(end, "-"), range.first + range.count - 1);
    end = put(put(end, "/"), size);
    return {begin, end};
}

std::string_view unsatisfiedRange(ByteCount size, Arena& memory) {
    char* const begin = memory.room(kContentRangeBytes);
    char* const end = put(put(begin, "bytes */"), size);
    return {begin, end};
}

} // namespace reef::http
