#include "http/conditional_sink.h"

#include "http/conditional.h"
#include "http/date.h"

#include <algorithm>
#include <array>
#include <ctime>

namespace reef::http {

namespace {

constexpr std::array<std::string_view, 4> kConditions{"If-None-Match", "If-Modified-Since",
                                                      "If-Match", "If-Unmodified-Since"};

} // namespace

bool ConditionalSink::concerns(const Request& request) noexcept {
    return std::ranges::any_of(
        kConditions, [&](std::string_view name) { return request.fields.contains(name); });
}

bool ConditionalSink::replaces(const ResponseHead& head) {
    const bool reads = request_.method == Method::get || request_.method == Method::head;
    if (!reads || head.status != 200) return false;
    const auto tag = head.fields.find("ETag");
    const auto date = head.fields.find("Last-Modified");
    if (!tag && !date) return false;
    const auto now = std::time(nullptr);
    const Validators current(tag.value_or(std::string_view{}),
                             date ? parseDate(*date, now) : std::nullopt, now);
    const auto verdict = evaluate(request_.method, request_.fields, current);
    if (verdict == Precondition::notModified) status_ = 304;
    if (verdict == Precondition::failed) status_ = 412;
    return status_ != 0;
}

Task<Status> ConditionalSink::sendInstead(const ResponseHead& head) {
    ResponseHead instead = head;
    instead.status = status_;
    instead.reason = {};
    instead.length.reset();
    if (status_ == 412)
        for (const auto* const name : {"Content-Type", "Content-Encoding", "ETag", "Last-Modified"})
            instead.fields.remove(name);
    co_return co_await next_.send(instead, {});
}

Task<Status> ConditionalSink::begin(const ResponseHead& head) {
    return replaces(head) ? sendInstead(head) : next_.begin(head);
}

Task<Status> ConditionalSink::write(std::span<const ByteView> pieces) {
    if (status_ == 0) co_return co_await next_.write(pieces);
    co_return Status{};
}

Task<Status> ConditionalSink::writeFile(int file, ByteCount offset, ByteCount count) {
    if (status_ == 0) co_return co_await next_.writeFile(file, offset, count);
    co_return Status{};
}

Task<Status> ConditionalSink::flush() {
    if (status_ == 0) co_return co_await next_.flush();
    co_return Status{};
}

Task<Status> ConditionalSink::end() {
    if (status_ == 0) co_return co_await next_.end();
    co_return Status{};
}

Task<Status> ConditionalSink::send(const ResponseHead& head, std::span<const ByteView> pieces) {
    return replaces(head) ? sendInstead(head) : next_.send(head, pieces);
}

Task<Status> ConditionalSink::sendFile(const ResponseHead& head, int file, ByteCount offset,
                                       ByteCount count) {
    return replaces(head) ? sendInstead(head) : next_.sendFile(head, file, offset, count);
}

} // namespace reef::http
