#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reef::e2e {

/// An answer as a client got it.
struct Response {
    std::string version; ///< "HTTP/1.1"
    int status = 0;
    std::string reason;
    std::vector<std::pair<std::string, std::string>> fields;
    std::string body;     ///< content, transfer coding removed
    bool chunked = false; ///< it came in chunks
    bool complete = true; ///< false: the connection ended before the content did

    /// Value of the first field of this name (any case); "" when there is none.
    std::string field(std::string_view name) const;
    std::vector<std::string> all(std::string_view name) const;
    bool has(std::string_view name) const { return !all(name).empty(); }

    bool contains(std::string_view text) const { return body.find(text) != std::string::npos; }

    /// Status line, fields and the beginning of the content, for the report of a failed test.
    std::string describe() const;
};

/// Status line and fields of `head` (everything before the empty line). Strict, and written apart
/// from the server's own codec. Throws when it is not what RFC 9112 says.
Response parseHead(std::string_view head);

} // namespace reef::e2e
