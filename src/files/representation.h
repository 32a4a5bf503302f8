#pragma once

#include "files/file_options.h"
#include "http/content_coding.h"
#include "http/handler.h"
#include "http/range.h"

#include <ctime>
#include <string_view>

namespace reef::files {

/// What is sent of a file, in memory or on disk: one of its codings. Views of what the caller's
/// frame holds.
struct Representation {
    std::string_view name; ///< for the log
    std::string_view mediaType;
    std::string_view entityTag; ///< weak: its bytes are not fixed, so there are no ranges
    std::string_view lastModified;
    std::time_t modified = 0;
    ByteCount size = 0;
    http::ContentCoding coding = http::ContentCoding::identity;
    bool varies = false;           ///< by Accept-Encoding
    const char* content = nullptr; ///< null: on disk
    int file = -1;
};

/// Answers GET and HEAD with it: conditions (RFC 9110 13.2.2), then ranges, one or several
/// (multipart/byteranges). Several ranges of a coded representation are answered with the whole:
/// where the parts would state their coding is not defined.
Task<http::Handled> sendRepresentation(http::Request& request, http::ResponseSink& sink,
                                       const Representation& what, std::string_view cacheControl);

/// Sends a part behind `head`: small ones in one write with it, large ones by sendfile.
Task<http::Handled> sendPart(http::Request& request, http::ResponseSink& sink,
                             const http::ResponseHead& head, const Representation& what,
                             http::ByteRange part);

/// The outcome of the last call to a sink.
Task<http::Handled> finished(Task<Status> sending);

} // namespace reef::files
