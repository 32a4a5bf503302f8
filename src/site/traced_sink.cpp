#include "site/traced_sink.h"

#include "base/text.h"

#include <cstdio>

namespace reef::site {

namespace {

constexpr std::size_t kTold = 20; ///< fragments
constexpr std::string_view kName = "Server-Timing";

std::string milliseconds(std::chrono::steady_clock::duration time) {
    std::array<char, 32> text{};
    const auto value = std::chrono::duration<double, std::milli>(time).count();
    return {text.data(),
            static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%.1f", value))};
}

/// RFC 9110 5.6.4; what may not stand in a field is left out.
std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (c >= ' ' && c <= '~') out += c;
    }
    return out + '"';
}

ByteCount sizeOf(std::span<const ByteView> pieces) {
    ByteCount size = 0;
    for (const ByteView piece : pieces)
        size += piece.size();
    return size;
}

} // namespace

std::string serverTiming(const compose::PageTrace& trace,
                         std::chrono::steady_clock::time_point now) {
    std::string out = text::concat("page;dur=", milliseconds(now - trace.began));
    std::size_t number = 0;
    for (const compose::FragmentTrace& fragment : trace.fragments) {
        if (++number > kTold) break;
        const bool over = fragment.ended != compose::FragmentTrace::Time{};
        const auto took = (over ? fragment.ended : now) - fragment.read;
        out += text::concat(", f", number, ";desc=", quoted(fragment.target),
                            ";dur=", milliseconds(took));
    }
    return out;
}

http::ResponseHead TracedSink::changed(const http::ResponseHead& head,
                                       std::optional<ByteCount> length) {
    record_.status = head.status;
    http::ResponseHead sent = head;
    if (!timing_) return sent;
    if (length) {
        const auto timing = serverTiming(record_.trace, std::chrono::steady_clock::now());
        sent.fields.add(kName, request_.arena->copy(timing));
    } else if (request_.fields.hasToken("TE", "trailers")) {
        request_.trailers.names = kName;
    }
    return sent;
}

Task<Status> TracedSink::write(std::span<const ByteView> pieces) {
    record_.bytes += sizeOf(pieces);
    return HeadFilter::write(pieces);
}

Task<Status> TracedSink::end() {
    if (!request_.trailers.names.empty()) {
        const auto timing = serverTiming(record_.trace, std::chrono::steady_clock::now());
        request_.trailers.lines = request_.arena->copy(text::concat(kName, ": ", timing, "\r\n"));
    }
    const auto status = co_await HeadFilter::end();
    record_.complete = status.has_value();
    co_return status;
}

Task<Status> TracedSink::send(const http::ResponseHead& head, std::span<const ByteView> pieces) {
    record_.bytes += sizeOf(pieces);
    const auto status = co_await HeadFilter::send(head, pieces);
    record_.complete = status.has_value();
    co_return status;
}

} // namespace reef::site
