#pragma once

#include "http/head_filter.h"
#include "http/request.h"

namespace reef::site {

/// Stands before a sink while the server answers with something else than was asked for: the answer
/// gets the fields that routes set for that other request, and those that the island gave which
/// asked for it.
///
/// An island's fields stand in place of others of their name (Set-Cookie beside them). Not passed
/// on are those that tell about the content as it is sent: Accept-Ranges, Content-Encoding,
/// Content-Range, ETag, Last-Modified, the type of several ranges; and Location.
class FieldsSink final : public http::HeadFilter {
public:
    /// All outlive it. `own`: of the island.
    FieldsSink(const http::Request& request, http::ResponseSink& next, const http::HeaderList& own)
        : HeadFilter(next), request_(request), own_(own) {}

private:
    http::ResponseHead changed(const http::ResponseHead& head,
                               std::optional<ByteCount> length) override;

    const http::Request& request_;
    const http::HeaderList& own_;
};

} // namespace reef::site
