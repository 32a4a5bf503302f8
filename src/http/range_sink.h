#pragma once

#include "http/request.h"
#include "http/response.h"

namespace reef::http {

/// A filter before a sink that gives GET the range it asks for (RFC 9110 14): of a 200 that comes
/// whole, by `send`, and has a strong entity tag, so that the parts that a client puts together are
/// of the same. Several ranges, and all other answers, pass as they are.
///
/// Lives in the frame of the task that answers; request and sink outlive it.
class RangeSink final : public ResponseSink {
public:
    RangeSink(const Request& request, ResponseSink& next) noexcept
        : request_(request), next_(next) {}

    Task<Status> begin(const ResponseHead& head) override { return next_.begin(head); }
    Task<Status> write(std::span<const ByteView> pieces) override { return next_.write(pieces); }
    Task<Status> writeFile(int file, ByteCount offset, ByteCount count) override {
        return next_.writeFile(file, offset, count);
    }
    Task<Status> flush() override { return next_.flush(); }
    Task<Status> end() override { return next_.end(); }
    Task<Status> send(const ResponseHead& head, std::span<const ByteView> pieces) override;
    Task<Status> sendFile(const ResponseHead& head, int file, ByteCount offset,
                          ByteCount count) override {
        return next_.sendFile(head, file, offset, count);
    }
    bool begun() const noexcept override { return next_.begun(); }

private:
    bool isWhole(const ResponseHead& head) const;

    const Request& request_;
    ResponseSink& next_;
};

} // namespace reef::http
