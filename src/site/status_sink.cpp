#include "site/status_sink.h"

namespace reef::site {

http::ResponseHead StatusSink::changed(const http::ResponseHead& head,
                                       std::optional<ByteCount> /*length*/) {
    http::ResponseHead sent = head;
    sent.status = failure_.status;
    for (const auto* const name :
         {"ETag", "Last-Modified", "Accept-Ranges", "Cache-Control", "Expires"})
        sent.fields.remove(name);
    for (const auto& [name, value] : failure_.fields)
        sent.fields.set(name, value);
    return sent;
}

} // namespace reef::site
