#pragma once

#include "http/request.h"
#include "http/response.h"

namespace reef::http {

/// A filter before a sink that holds the conditions of a request (RFC 9110 13) against the answer
/// which a program has made: when that is a 200 to GET or HEAD with ETag or Last-Modified, and the
/// client has it already, a 304 goes out in its place, and a 412 when If-Match or
/// If-Unmodified-Since do not hold. Content then goes nowhere. All other answers pass as they are.
///
/// Lives in the frame of the task that answers; request and sink outlive it.
class ConditionalSink final : public ResponseSink {
public:
    ConditionalSink(const Request& request, ResponseSink& next) noexcept
        : request_(request), next_(next) {}

    /// Whether a request has a condition at all.
    static bool concerns(const Request& request) noexcept;

    Task<Status> begin(const ResponseHead& head) override;
    Task<Status> write(std::span<const ByteView> pieces) override;
    Task<Status> writeFile(int file, ByteCount offset, ByteCount count) override;
    Task<Status> flush() override;
    Task<Status> end() override;
    Task<Status> send(const ResponseHead& head, std::span<const ByteView> pieces) override;
    Task<Status> sendFile(const ResponseHead& head, int file, ByteCount offset,
                          ByteCount count) override;
    bool begun() const noexcept override { return next_.begun(); }

private:
    bool replaces(const ResponseHead& head);
    Task<Status> sendInstead(const ResponseHead& head);

    const Request& request_;
    ResponseSink& next_;
    int status_ = 0; ///< of the answer in place of the program's; 0: none
};

} // namespace reef::http
