#include "files/file_response.h"

#include "base/text.h"
#include "http/conditional.h"
#include "http/date.h"
#include "http/media_type.h"
#include "http/path.h"
#include "http/range.h"

#include <unistd.h>

#include <array>
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

/// What is sent of a file, in memory or on disk. Views of what the caller's frame holds.
struct Representation {
    std::string_view name;
    std::string_view mediaType;
    std::string_view entityTag;
    std::string_view lastModified;
    std::time_t modified = 0;
    ByteCount size = 0;
    const char* content = nullptr; ///< null: on disk
    int file = -1;
};

/// The part of a file, read whole. Nothing when it has become shorter meanwhile.
std::optional<ByteView> readPart(int file, http::ByteRange part, Arena& memory) {
    char* room = memory.room(static_cast<std::size_t>(part.count));
    ByteCount have = 0;
    while (have < part.count) {
        const auto got = ::pread(file, room + have, static_cast<std::size_t>(part.count - have),
                                 static_cast<off_t>(part.first + have));
        if (got <= 0) return std::nullopt;
        have += static_cast<ByteCount>(got);
    }
    return ByteView(room, static_cast<std::size_t>(have));
}

Task<http::Handled> sendPart(http::Request& request, http::ResponseSink& sink,
                             const http::ResponseHead& head, const Representation& what,
                             http::ByteRange part) {
    if (what.content != nullptr)
        co_return co_await finished(http::sendPiece(
            sink, head, {what.content + part.first, static_cast<std::size_t>(part.count)}));
    if (part.count > kMaxCopiedBytes || request.method == http::Method::head)
        co_return co_await finished(sink.sendFile(head, what.file, part.first, part.count));
    const auto content = readPart(what.file, part, *request.arena);
    if (!content)
        co_return http::failWith(
            500, text::concat("the file became shorter while it was read: ", what.name));
    co_return co_await finished(http::sendPiece(sink, head, *content));
}

/// The range that is asked for and may be given: one. Several at once may be answered by the whole
/// (RFC 9110 14.2).
http::RangeRequest wantedRange(const http::Request& request, const http::Validators& state,
                               ByteCount size) {
    const auto header =
        request.method == http::Method::get ? request.fields.find("Range") : std::nullopt;
    if (!header || !http::ifRangeHolds(request.fields, state)) return {};
    auto wanted = http::rangesFor(*header, size);
    if (wanted.kind == http::RangeRequest::Kind::list && wanted.ranges().size() != 1) return {};
    return wanted;
}

Task<http::Handled> sendRepresentation(http::Request& request, http::ResponseSink& sink,
                                       const Representation& what) {
    if (request.method != http::Method::get && request.method != http::Method::head) {
        co_return std::unexpected(
            http::Failure(405, "files answer GET and HEAD").with("Allow", "GET, HEAD"));
    }
    Arena& memory = *request.arena;
    const http::Validators state(what.entityTag, what.modified, std::time(nullptr));
    http::ResponseHead head(memory);
    head.fields.add("Content-Type", what.mediaType);
    head.fields.add("ETag", state.etag);
    head.fields.add("Last-Modified", what.lastModified);

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
    const auto wanted = wantedRange(request, state, what.size);
    switch (wanted.kind) {
    case http::RangeRequest::Kind::none:
        co_return co_await sendPart(request, sink, head, what, {0, what.size});
    case http::RangeRequest::Kind::list:
        head.status = 206;
        head.fields.add("Content-Range",
                        http::contentRange(wanted.ranges().front(), what.size, memory));
        co_return co_await sendPart(request, sink, head, what, wanted.ranges().front());
    case http::RangeRequest::Kind::unsatisfiable:
        break;
    }
    head.status = 416;
    head.fields.add("Content-Range", http::unsatisfiedRange(what.size, memory));
    co_return co_await finished(sink.send(head, {}));
}

Representation contentOf(const Document& document) {
    Representation what;
    what.name = document.name();
    if (document.cached) {
        what.size = document.cached->content.size();
        what.content = document.cached->content.data();
    } else {
        what.size = document.file.size;
        what.file = document.file.descriptor.get();
    }
    return what;
}

void appendHex(std::string& out, std::uint64_t value) {
    std::array<char, 16> digits;
    const auto end = std::to_chars(digits.begin(), digits.end(), value, 16).ptr;
    out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

} // namespace

std::string entityTagOf(const OpenFile& file) {
    std::string tag = "\"";
    appendHex(tag, file.inode);
    tag += '-';
    appendHex(tag, file.size);
    tag += '-';
    appendHex(tag, static_cast<std::uint64_t>(file.modified.tv_sec) * 1'000'000'000U +
                       static_cast<std::uint64_t>(file.modified.tv_nsec));
    return tag + '"';
}

Task<http::Handled> sendDocument(http::Request& request, http::ResponseSink& sink,
                                 Document document) {
    if (document.cached) {
        const CachedFile& cached = *document.cached;
        Representation what = contentOf(document);
        what.mediaType = cached.mediaType;
        what.entityTag = cached.entityTag;
        what.lastModified = cached.lastModified;
        what.modified = cached.modified;
        co_return co_await sendRepresentation(request, sink, what);
    }
    const OpenFile& file = document.file;
    const std::string tag = entityTagOf(file);
    const http::DateText modified(file.modified.tv_sec);
    Representation what = contentOf(document);
    what.mediaType = http::mediaTypeOf(file.name);
    what.entityTag = tag;
    what.lastModified = modified.view();
    what.modified = file.modified.tv_sec;
    co_return co_await sendRepresentation(request, sink, what);
}

Task<http::Handled> sendContent(http::Request& request, http::ResponseSink& sink,
                                const http::ResponseHead& head, const Document& document) {
    const Representation what = contentOf(document);
    co_return co_await sendPart(request, sink, head, what, {0, what.size});
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
