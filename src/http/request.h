#pragma once

#include "base/arena.h"
#include "http/answer_fields.h"
#include "http/body.h"
#include "http/header_list.h"
#include "http/method.h"

#include <chrono>
#include <cstdint>
#include <string_view>

namespace reef::http {

/// A minor version of HTTP/1 (RFC 9112 2.3).
enum class Version : std::uint8_t { http10, http11 };

/// Who speaks to whom, in text as CGI and logs want it. Lives as long as the connection.
struct Endpoints {
    std::string_view remoteAddress; ///< "192.0.2.7", "2001:db8::1"; "" over a unix socket
    std::uint16_t remotePort = 0;
    std::string_view localAddress;
    std::uint16_t localPort = 0;
    bool secure = false; ///< the client speaks TLS, to us or to a trusted proxy
};

/// Where a request stands in a composition. A client's request has depth 0 and no parent.
struct Lineage {
    const struct Request* parent = nullptr; ///< the page that includes this fragment; outlives it
    int depth = 0;                          ///< includes between the client's request and this one
    int redirects = 0;                      ///< local redirects that led to this request
};

/// Fields behind the content of an answer that goes in chunks (RFC 9110 6.5). Without them, or in
/// another framing, there are none: nothing may depend on them.
struct Trailers {
    std::string_view names; ///< what will come, for the field Trailer; before the head is made
    std::string_view lines; ///< "Name: value\r\n" each; before the end of the content
};

/// One request, the same for HTTP/1 and later HTTP/2, for a client's request and for a fragment of
/// a page. All views live until the response has ended: they point into the connection's buffer or
/// the arena.
struct Request {
    Request(Arena& memory, Body& content, const Endpoints& ends)
        : fields(memory), answerFields(memory), body(&content), endpoints(&ends), arena(&memory) {}
    Request(const Request&) = delete;
    Request& operator=(const Request&) = delete;

    Method method = Method::get;
    std::string_view methodName = "GET";
    Version version = Version::http11;

    std::string_view target;  ///< request-target as it was sent
    std::string_view rawPath; ///< its path, still percent-encoded
    std::string_view query;   ///< after the `?`, still encoded; empty when there is none
    bool hasQuery = false;    ///< tells `/x?` from `/x`

    /// Decoded once, dot segments resolved, begins with `/`; holds no NUL. Encoded slashes were
    /// refused.
    std::string_view path;

    /// Host without port, lower case; and the whole authority as sent.
    std::string_view host;
    std::string_view authority;

    HeaderList fields;
    AnswerFields answerFields;  ///< what the answer shall carry; of a client's request
    Trailers trailers;          ///< of its answer; of a client's request
    Body* body;                 ///< content of the request
    const Endpoints* endpoints; ///< never null
    Arena* arena;               ///< of this request; never null
    Lineage lineage;
    std::string_view
        remoteUser;            ///< who has shown a password for this site (RFC 7617); empty: nobody
    std::string_view document; ///< name of the file that answers, "index.shtml"; empty: none does
    bool byIsland = false;     ///< a program writes the answer, perhaps out of what it was sent
    bool traced = false;       ///< the course of its page is kept, however many pages there are
    std::string_view id;       ///< request id, for logs and islands

    /// Number of the run that makes an answer for several askers, of which this is a part; 0: it is
    /// for one client. Such a request has nothing of any client's own.
    std::uint64_t sharedRun = 0;
    std::string_view admittedAs; ///< of a shared run: the address of the client that it began for

    std::chrono::steady_clock::time_point began;
};

} // namespace reef::http
