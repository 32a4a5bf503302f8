#pragma once

#include "base/bytes.h"
#include "http/request.h"

#include <chrono>
#include <string_view>

namespace reef::serve {

/// What is known when a response has ended. Views are valid during the call.
struct RequestRecord {
    const http::Request* request; ///< never null; of a rejected request only what could be read
    int status;                   ///< as sent; 499 when the client left before there was one
    ByteCount received;           ///< bytes of the request, head and chunk sizes included
    ByteCount sent;               ///< bytes of the response, head and chunk sizes included
    ByteCount content;            ///< of these, content alone
    ByteView head;                ///< of the response, as it was sent; empty when there was none
    bool complete;                ///< false: the response was cut
    bool clientLeft;              ///< it was the client that went, or took nothing more
    std::string_view contentType; ///< of the response; "" when it has none
    std::string_view detail;      ///< why it failed; "" when it did not
    std::chrono::steady_clock::duration duration;
};

/// Told of each client request once, on its loop: access log, pageviews. Must not block.
class RequestLog {
public:
    virtual ~RequestLog() = default;
    virtual void record(const RequestRecord& record) noexcept = 0;
};

} // namespace reef::serve
