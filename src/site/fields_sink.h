#pragma once

#include "http/request.h"
#include "http/response.h"

namespace reef::site {

/// Stands before a sink while the server answers with something else than was asked for: the answer
/// gets the fields that routes set for that other request, and those that the island gave which
/// asked for it.
///
/// An island's fields stand in place of others of their name (Set-Cookie beside them). Not passed
/// on are those that tell about the content as it is sent: Accept-Ranges, Content-Encoding,
/// Content-Range, ETag, Last-Modified, the type of several ranges; and Location.
class FieldsSink final : public http::ResponseSink {
public:
    /// All outlive it. `own`: of the island.
    FieldsSink(const http::Request& request, http::ResponseSink& next, const http::HeaderList& own)
        : request_(request), next_(next), own_(own) {}

    Task<Status> begin(const http::ResponseHead& head) override;
    Task<Status> write(std::span<const ByteView> pieces) override { return next_.write(pieces); }
    Task<Status> writeFile(int file, ByteCount offset, ByteCount count) override {
        return next_.writeFile(file, offset, count);
    }
    Task<Status> flush() override { return next_.flush(); }
    Task<Status> end() override { return next_.end(); }
    Task<Status> send(const http::ResponseHead& head, std::span<const ByteView> pieces) override;
    Task<Status> sendFile(const http::ResponseHead& head, int file, ByteCount offset,
                          ByteCount count) override;
    bool begun() const noexcept override { return next_.begun(); }

private:
    http::ResponseHead changed(const http::ResponseHead& head) const;

    const http::Request& request_;
    http::ResponseSink& next_;
    const http::HeaderList& own_;
};

} // namespace reef::site
