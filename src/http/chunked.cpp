#include "http/chunked.h"

#include "base/text.h"
#include "http/characters.h"

#include <algorithm>
#include <charconv>

namespace reef::http {

namespace {

constexpr std::size_t kMaxDigits = 16;
constexpr ByteCount kMaxChunk = ~ByteCount{0} >> 1U; // 2^63 - 1, so that an off_t can hold it

/// Fields that change how a message is framed, routed, trusted or read (RFC 9110 6.5.1): a trailer
/// comes after those decisions.
constexpr std::array<std::string_view, 38> kForbiddenTrailers{"age",
                                                              "authorization",
                                                              "cache-control",
                                                              "connection",
                                                              "content-encoding",
                                                              "content-length",
                                                              "content-location",
                                                              "content-range",
                                                              "content-type",
                                                              "cookie",
                                                              "date",
                                                              "expect",
                                                              "expires",
                                                              "host",
                                                              "if-match",
                                                              "if-modified-since",
                                                              "if-none-match",
                                                              "if-range",
                                                              "if-unmodified-since",
                                                              "keep-alive",
                                                              "location",
                                                              "max-forwards",
                                                              "pragma",
                                                              "proxy-authenticate",
                                                              "proxy-authorization",
                                                              "proxy-connection",
                                                              "range",
                                                              "retry-after",
                                                              "set-cookie",
                                                              "te",
                                                              "trailer",
                                                              "transfer-encoding",
                                                              "upgrade",
                                                              "vary",
                                                              "via",
                                                              "warning",
                                                              "www-authenticate",
                                                              "forwarded"};

constexpr bool isBlank(char c) noexcept {
    return c == ' ' || c == '\t';
}

} // namespace

ChunkedDecoder::ChunkedDecoder(std::pmr::memory_resource& memory, ChunkedLimits limits)
    : limits_(limits), trailerText_(&memory),
      trailerLines_(FieldLimits{limits.trailer, limits.trailerFields}), trailers_(memory) {}

ChunkedDecoder::Piece ChunkedDecoder::take(ByteView input) {
    std::size_t place = 0;
    while (place < input.size() && state_ == State::reading) {
        if (phase_ == Phase::content) {
            const auto count =
                static_cast<std::size_t>(std::min<ByteCount>(left_, input.size() - place));
            skipContent(count);
            return {input.subspan(place, count), place + count};
        }
        if (phase_ == Phase::trailer) {
            place += takeTrailer(input.subspan(place));
        } else if (takeByte(input[place])) {
            ++place;
        }
    }
    return {{}, place};
}

void ChunkedDecoder::skipContent(ByteCount bytes) noexcept {
    left_ -= std::min(bytes, left_);
    if (left_ == 0) phase_ = Phase::contentEnd;
}

bool ChunkedDecoder::takeByte(char c) {
    switch (phase_) {
    case Phase::size:
        return takeSize(c);
    case Phase::extension:
        return takeExtension(c);
    case Phase::sizeEnd:
        if (c != '\n') return reject("bare CR in a chunk size line");
        beginContent();
        return true;
    case Phase::contentEnd:
        return takeContentEnd(c);
    case Phase::content:
    case Phase::trailer:
        break;
    }
    return reject("chunk out of place");
}

bool ChunkedDecoder::takeSize(char c) {
    const int digit = text::hexValue(c);
    if (digit < 0) {
        if (digits_ == 0) return reject("bad chunk size");
        lineBytes_ = digits_;
        extension_ = Extension::itemEnd;
        phase_ = Phase::extension;
        return takeExtension(c);
    }
    if (++digits_ > kMaxDigits || left_ > kMaxChunk >> 4U) return reject("chunk size too large");
    left_ = (left_ << 4U) | static_cast<ByteCount>(digit);
    return true;
}

bool ChunkedDecoder::takeExtension(char c) {
    using enum Extension;
    if (c == '\r' && (extension_ == itemEnd || extension_ == name || extension_ == token)) {
        phase_ = Phase::sizeEnd;
        return true;
    }
    if (++lineBytes_ > limits_.sizeLine || ++extensionBytes_ > limits_.extensions) {
        return reject("chunk extensions too large");
    }
    return stepExtension(c) ||
           reject(digits_ == lineBytes_ - 1 ? "bad chunk size" : "bad chunk extension");
}

bool ChunkedDecoder::stepExtension(char c) noexcept {
    using enum Extension;
    const bool inToken = isIn(c, tokenChar);
    const auto go = [this](bool allowed, Extension next) {
        extension_ = next;
        return allowed;
    };
    switch (extension_) {
    case itemEnd:
    case blankBeforeItem:
        return isBlank(c) ? go(true, blankBeforeItem) : go(c == ';', nameStart);
    case nameStart:
        return isBlank(c) || go(inToken, name);
    case name:
        if (inToken) return true;
        [[fallthrough]];
    case blankAfterName:
        if (isBlank(c)) return go(true, blankAfterName);
        return c == '=' ? go(true, valueStart) : go(c == ';', nameStart);
    case valueStart:
        if (isBlank(c)) return true;
        return c == '"' ? go(true, quoted) : go(inToken, token);
    case token:
        if (inToken) return true;
        return isBlank(c) ? go(true, blankBeforeItem) : go(c == ';', nameStart);
    case quoted:
        if (c == '"') return go(true, itemEnd);
        return c == '\\' ? go(true, quotedPair) : isIn(c, textChar);
    case quotedPair:
        return go(isIn(c, textChar), quoted);
    }
    return false;
}

void ChunkedDecoder::beginContent() noexcept {
    phase_ = left_ == 0 ? Phase::trailer : Phase::content;
    digits_ = 0;
}

bool ChunkedDecoder::takeContentEnd(char c) {
    if (c != (sawCr_ ? '\n' : '\r')) return reject("chunk does not end in CRLF");
    if (sawCr_) phase_ = Phase::size;
    sawCr_ = !sawCr_;
    return true;
}

/// Line by line, so that nothing behind the section is copied.
std::size_t ChunkedDecoder::takeTrailer(ByteView input) {
    const std::string_view rest = textOf(input);
    const auto lineEnd = std::min(rest.find('\n'), rest.size() - 1) + 1;
    const auto line = rest.substr(0, std::min(lineEnd, limits_.trailer + 1));
    if (trailerText_.empty() && line == "\r\n") { // the usual case: no trailers
        state_ = State::ended;
        return line.size();
    }
    trailerText_.append(line);
    switch (trailerLines_.parse(bytesOf(trailerText_), trailers_)) {
    case Verdict::incomplete:
        break;
    case Verdict::complete:
        for (const std::string_view name : kForbiddenTrailers)
            trailers_.remove(name);
        state_ = State::ended;
        break;
    case Verdict::rejected:
        rejection_ = trailerLines_.rejection();
        state_ = State::rejected;
        break;
    }
    return line.size();
}

bool ChunkedDecoder::reject(std::string_view reason) noexcept {
    rejection_ = {400, reason};
    state_ = State::rejected;
    return false;
}

ChunkPrefix::ChunkPrefix(ByteCount size) noexcept {
    char* const begin = text_.data();
    char* end = std::to_chars(begin, begin + 16, size, 16).ptr;
    *end++ = '\r';
    *end++ = '\n';
    length_ = static_cast<std::size_t>(end - begin);
}

} // namespace reef::http
