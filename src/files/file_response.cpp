#include "files/file_response.h"

#include "base/text.h"
#include "http/conditional.h"
#include "http/date.h"
#include "http/media_type.h"
#include "http/path.h"
#include "http/range.h"

#include <unistd.h>

#include <charconv>
#include <ctime>

namespace reef::files {

namespace {

/// Up to this size a file is read into the request's memory: cheaper than two more system calls.
constexpr ByteCount kMaxCopiedBytes = 32_KiB;

Task<http::Handled> finished(Task<Status> sending) {
    const auto sent = co_await std::move(sending);
    if (!sent) co_return http::failClient(sent.error());
    co_return http::Handled{};
}

/// The part of the file, read whole. Nothing when it has become shorter meanwhile.
std::optional<ByteView> readPart(const OpenFile& file, http::ByteRange part, Arena& memory) {
    char* room = memory.room(static_cast<std::size_t>(part.count));
    ByteCount have = 0;
    while (have < part.count) {
        const auto got =
            ::pread(file.descriptor.get(), room + have, static_cast<std::size_t>(part.count - have),
                    static_cast<off_t>(part.first + have));
        if (got <= 0) return std::nullopt;
        have += static_cast<ByteCount>(got);
    }
    return ByteView(room, static_cast<std::size_t>(have));
}

Task<http::Handled> sendPart(http::Request& request, http::ResponseSink& sink,
                             const http::ResponseHead& head, const OpenFile& file,
                             http::ByteRange part) {
    if (part.count > kMaxCopiedBytes || request.method == http::Method::head)
        co_return co_await finished(
            sink.sendFile(head, file.descriptor.get(), part.first, part.count));
    const auto content = readPart(file, part, *request.arena);
    if (!content)
        co_return http::failWith(500, "the file became shorter while it was read: " + file.name);
    co_return co_await finished(http::sendPiece(sink, head, *content));
}

std::string_view appendHex(char*& out, std::uint64_t value) {
    char* begin = out;
    out = std::to_chars(out, out + 16, value, 16).ptr;
    return {begin, static_cast<std::size_t>(out - begin)};
}

} // namespace

std::string_view entityTagOf(const OpenFile& file, Arena& memory) {
    char* text = memory.room(4 * 17 + 3);
    char* out = text;
    *out++ = '"';
    appendHex(out, file.inode);
    *out++ = '-';
    appendHex(out, file.size);
    *out++ = '-';
    appendHex(out, static_cast<std::uint64_t>(file.modified.tv_sec) * 1'000'000'000U +
                       static_cast<std::uint64_t>(file.modified.tv_nsec));
    *out++ = '"';
    return {text, static_cast<std::size_t>(out - text)};
}

Task<http::Handled> sendFile(http::Request& request, http::ResponseSink& sink, OpenFile file) {
    if (request.method != http::Method::get && request.method != http::Method::head) {
        auto failure = http::Failure(405, "files answer GET and HEAD");
        failure.allow = "GET, HEAD";
        co_return std::unexpected(std::move(failure));
    }
    Arena& memory = *request.arena;
    const http::Validators state(entityTagOf(file, memory), file.modified.tv_sec,
                                 std::time(nullptr));
    http::ResponseHead head(memory);
    head.fields.add("Content-Type", http::mediaTypeOf(file.name));
    head.fields.add("ETag", state.etag);
    head.fields.add("Last-Modified", memory.copy(http::DateText(file.modified.tv_sec).view()));

    switch (http::evaluate(request.method, request.fields, state)) {
    case http::Precondition::failed:
        co_return http::failWith(412, "a condition of the request does not hold");
    case http::Precondition::notModified:
        head.status = 304;
        co_return co_await finished(sink.send(head, {}));
    case http::Precondition::proceed:
        break;
    }
    head.fields.add("Accept-Ranges", "bytes");

    const auto header =
        request.method == http::Method::get ? request.fields.find("Range") : std::nullopt;
    if (header && http::ifRangeHolds(request.fields, state)) {
        const auto wanted = http::rangesFor(*header, file.size);
        if (wanted.kind == http::RangeRequest::Kind::unsatisfiable) {
            head.status = 416;
            head.fields.add("Content-Range", http::unsatisfiedRange(file.size, memory));
            co_return co_await finished(sink.send(head, {}));
        }
        // Several ranges at once are allowed to be answered by the whole (RFC 9110 14.2).
        if (wanted.kind == http::RangeRequest::Kind::list && wanted.ranges().size() == 1) {
            const http::ByteRange part = wanted.ranges().front();
            head.status = 206;
            head.fields.add("Content-Range", http::contentRange(part, file.size, memory));
            co_return co_await sendPart(request, sink, head, file, part);
        }
    }
    co_return co_await sendPart(request, sink, head, file, {0, file.size});
}

Task<http::Handled> sendContent(http::Request& request, http::ResponseSink& sink, const http::ResponseHead& head,
                                const OpenFile& file) {
    return sendPart(request, sink, head, file, {0, file.size});
}

Task<http::Handled> answerAbsence(http::Request& request, http::ResponseSink& sink,
                                  Absence absence) {
    switch (absence) {
    case Absence::notFound:
        co_return http::failWith(404);
    case Absence::noIndex:
        co_return http::failWith(404, "a directory without an index file");
    case Absence::forbidden:
        co_return http::failWith(403, "the server may not read the file");
    case Absence::unavailable:
        co_return http::failWith(503, "out of descriptors or memory");
    case Absence::addSlash:
        break;
    }
    Arena& memory = *request.arena;
    http::ResponseHead head(memory, 301);
    const std::string location = text::concat(http::encodePath(request.path), "/",
                                              request.hasQuery ? "?" : "", request.query);
    head.fields.add("Location", memory.copy(location));
    co_return co_await finished(sink.send(head, {}));
}

} // namespace reef::files
