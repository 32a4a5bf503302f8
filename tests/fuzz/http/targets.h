#pragma once

#include <string_view>

/// The fuzz targets of the http room, one a source file; see ../fuzz.h.
namespace reef::fuzz {

/// The bytes are what a client sends. The verdict is the same in pieces, and a complete head keeps
/// the promises of request_parser.h.
void requestHead(std::string_view input);

/// The bytes are what a CGI program prints: lines end in LF or CRLF.
void fieldLines(std::string_view input);

/// The bytes are a chunked body. It decodes the same in pieces, and again when it is encoded anew.
void chunked(std::string_view input);

/// The bytes are the path of a target. What is decoded is normal, and comes back from its encoding.
void path(std::string_view input);

/// Lines: size, Range, then conditional fields in turn. Ranges lie within the size; dates come
/// back.
void conditional(std::string_view input);

/// Lines of Accept. What is malformed, or speaks of other types, changes no weight.
void accept(std::string_view input);

/// Lines of Accept-Encoding. What is chosen was named, and nothing malformed changes it.
void contentCoding(std::string_view input);

/// A byte that chooses a coding, then content in it. What comes out does not depend on the pieces.
void decompressor(std::string_view input);

/// Lines `name:value` that a handler sets, after a line with the status. The head that is written
/// holds no line that was not set, and parses.
void responseHead(std::string_view input);

/// The start of a connection behind a proxy, whole and in pieces.
void proxyHeader(std::string_view input);

} // namespace reef::fuzz
