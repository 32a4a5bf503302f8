#include "http/conditional.h"

#include "base/arena.h"
#include "base/text.h"
#include "fuzz.h"
#include "http/date.h"
#include "http/range.h"
#include "http/targets.h"

#include <array>

namespace reef::fuzz {

namespace {

using namespace http;

constexpr std::time_t kNow = 1790000000;

void checkRange(std::string_view header, ByteCount size) {
    const auto request = rangesFor(header, size);
    require((request.kind == RangeRequest::Kind::list) == !request.ranges().empty(),
            "a list has ranges");
    ByteCount total = 0;
    for (const ByteRange range : request.ranges()) {
        require(range.count > 0 && range.first < size, "begins within");
        require(range.count <= size - range.first, "ends within");
        require(range.count <= size - total, "together not more than everything");
        total += range.count;
        Arena arena;
        require(contentRange(range, size, arena).starts_with("bytes "), "can be named");
    }
}

void checkDate(std::string_view text) {
    const auto moment = parseDate(text, kNow);
    if (!moment) return;
    require(parseDate(DateText(*moment).view(), kNow) == moment, "a date comes back");
}

} // namespace

void conditional(std::string_view input) {
    constexpr std::array<std::string_view, 5> kNames{
        "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range"};
    const ExactCopy copy(input);
    std::string_view rest(copy.view().data(), copy.view().size());
    const auto size = text::parseDecimal(text::takeUntil(rest, '\n')).value_or(100);
    checkRange(text::takeUntil(rest, '\n'), size);
    Arena arena;
    HeaderList fields(arena);
    for (std::size_t i = 0; !rest.empty() && i < 20; ++i) {
        const auto value = text::takeUntil(rest, '\n');
        checkDate(value);
        if (!value.empty()) fields.add(kNames[i % kNames.size()], value);
    }
    for (const Method method : {Method::get, Method::put}) {
        for (const std::string_view etag : {"\"v1\"", "W/\"v1\"", ""}) {
            const Validators current(etag, 784111777, kNow);
            const auto verdict = evaluate(method, fields, current);
            if (method == Method::put)
                require(verdict != Precondition::notModified, "304 is for reading");
            if (fields.empty())
                require(verdict == Precondition::proceed, "no condition, no verdict");
            (void)ifRangeHolds(fields, current);
        }
    }
}

} // namespace reef::fuzz
