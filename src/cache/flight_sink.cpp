#include "cache/flight_sink.h"

namespace reef::cache {

namespace {

Chunk joined(std::span<const ByteView> pieces) {
    std::size_t size = 0;
    for (const ByteView piece : pieces)
        size += piece.size();
    auto chunk = std::make_shared<std::string>();
    chunk->reserve(size);
    for (const ByteView piece : pieces)
        chunk->append(textOf(piece));
    return chunk;
}

} // namespace

Status FlightSink::show(const http::ResponseHead& head) {
    begun_ = true;
    auto verdict = verdictOn(head, run_.rules(), run_.keeping(), std::time(nullptr));
    if (cache_.show(flight_, std::make_shared<const Head>(head), std::move(verdict), loop_))
        return {};
    return fail(Error::peerClosed);
}

Status FlightSink::complete() {
    if (cache_.complete(flight_, loop_)) return {};
    return fail(Error::malformed);
}

Task<Status> FlightSink::begin(const http::ResponseHead& head) {
    co_return show(head);
}

Task<Status> FlightSink::write(std::span<const ByteView> pieces) {
    using Progress = SharedCache::Progress;
    auto chunk = joined(pieces);
    if (chunk->empty()) co_return Status{};
    auto progress = cache_.add(flight_, std::move(chunk), loop_);
    while (progress == Progress::wait) {
        run_.stepAside();
        co_await flight_.run->wait();
        progress = cache_.progressOf(flight_);
    }
    if (progress == Progress::stop) co_return fail(Error::peerClosed);
    co_return Status{};
}

Task<Status> FlightSink::flush() {
    co_return Status{}; // who follows has it
}

Task<Status> FlightSink::end() {
    co_return complete();
}

Task<Status> FlightSink::send(const http::ResponseHead& head, std::span<const ByteView> pieces) {
    http::ResponseHead sent = head;
    sent.length = 0;
    for (const ByteView piece : pieces)
        *sent.length += piece.size();
    if (const auto shown = show(sent); !shown) co_return shown;
    if (const auto written = co_await write(pieces); !written) co_return written;
    co_return complete();
}

Task<Status> FlightSink::sendFile(const http::ResponseHead& head, int file, ByteCount offset,
                                  ByteCount count) {
    http::ResponseHead sent = head;
    sent.length = count;
    if (const auto shown = show(sent); !shown) co_return shown;
    if (const auto written = co_await writeFile(file, offset, count); !written) co_return written;
    co_return complete();
}

} // namespace reef::cache
