#include "http/range_sink.h"

#include "http/conditional.h"
#include "http/date.h"
#include "http/range.h"

#include <algorithm>
#include <ctime>
#include <vector>

namespace reef::http {

namespace {

ByteCount totalOf(std::span<const ByteView> pieces) noexcept {
    ByteCount total = 0;
    for (const ByteView piece : pieces)
        total += piece.size();
    return total;
}

std::vector<ByteView> partOf(std::span<const ByteView> pieces, ByteRange range) {
    std::vector<ByteView> part;
    for (const ByteView piece : pieces) {
        const auto skipped = std::min<ByteCount>(range.first, piece.size());
        const auto taken = std::min<ByteCount>(range.count, piece.size() - skipped);
        range.first -= skipped;
        range.count -= taken;
        if (taken != 0)
            part.push_back(
                piece.subspan(static_cast<std::size_t>(skipped), static_cast<std::size_t>(taken)));
    }
    return part;
}

bool holds(const Request& request, const ResponseHead& head, std::string_view tag) {
    const auto now = std::time(nullptr);
    const auto date = head.fields.find("Last-Modified");
    return ifRangeHolds(request.fields,
                        Validators(tag, date ? parseDate(*date, now) : std::nullopt, now));
}

} // namespace

bool RangeSink::isWhole(const ResponseHead& head) const {
    const bool reads = request_.method == Method::get || request_.method == Method::head;
    return reads && head.status == 200 && head.fields.find("ETag").value_or("").starts_with('"');
}

Task<Status> RangeSink::send(const ResponseHead& head, std::span<const ByteView> pieces) {
    if (!isWhole(head)) co_return co_await next_.send(head, pieces);
    ResponseHead changed = head;
    changed.fields.set("Accept-Ranges", "bytes");
    const auto asked =
        request_.method == Method::get ? request_.fields.find("Range") : std::nullopt;
    if (!asked || !holds(request_, head, *head.fields.find("ETag")))
        co_return co_await next_.send(changed, pieces);
    const ByteCount size = totalOf(pieces);
    const auto wanted = rangesFor(*asked, size, 1);
    if (wanted.kind == RangeRequest::Kind::none) co_return co_await next_.send(changed, pieces);
    changed.reason = {};
    changed.length.reset();
    if (wanted.kind == RangeRequest::Kind::unsatisfiable) {
        changed.status = 416;
        changed.fields.remove("Cache-Control");
        changed.fields.add("Content-Range", unsatisfiedRange(size, *request_.arena));
        co_return co_await next_.send(changed, {});
    }
    const ByteRange range = wanted.ranges().front();
    changed.status = 206;
    changed.fields.add("Content-Range", contentRange(range, size, *request_.arena));
    const auto part = partOf(pieces, range);
    co_return co_await next_.send(changed, part);
}

} // namespace reef::http
