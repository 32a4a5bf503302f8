#include "site/status_sink.h"

namespace reef::site {

http::ResponseHead StatusSink::failed(const http::ResponseHead& head) const {
    http::ResponseHead changed = head;
    changed.status = failure_.status;
    for (const auto* const name :
         {"ETag", "Last-Modified", "Accept-Ranges", "Cache-Control", "Expires"})
        changed.fields.remove(name);
    for (const auto& [name, value] : failure_.fields)
        changed.fields.set(name, value);
    return changed;
}

Task<Status> StatusSink::begin(const http::ResponseHead& head) {
    const auto changed = failed(head);
    co_return co_await sink_.begin(changed);
}

Task<Status> StatusSink::send(const http::ResponseHead& head, std::span<const ByteView> pieces) {
    const auto changed = failed(head);
    co_return co_await sink_.send(changed, pieces);
}

Task<Status> StatusSink::sendFile(const http::ResponseHead& head, int file, ByteCount offset,
                                  ByteCount count) {
    const auto changed = failed(head);
    co_return co_await sink_.sendFile(changed, file, offset, count);
}

} // namespace reef::site
