#include "files/representation.h"

#include "base/text.h"
#include "files/multipart.h"
#include "http/conditional.h"
#include "http/other_methods.h"

namespace reef::files {

namespace {

/// Up to this size a file is read into the request's memory: cheaper than two more system calls.
constexpr ByteCount kMaxCopiedBytes = 32_KiB;

bool isStrong(std::string_view entityTag) noexcept {
    return entityTag.starts_with('"');
}

/// The ranges that are asked for and may be given.
http::RangeRequest wantedRanges(const http::Request& request, const http::Validators& state,
                                const Representation& what) {
    const auto header =
        request.method == http::Method::get ? request.fields.find("Range") : std::nullopt;
    if (!header || !isStrong(what.entityTag) || !http::ifRangeHolds(request.fields, state))
        return {};
    auto wanted = http::rangesFor(*header, what.size);
    if (wanted.ranges().size() > 1 && what.coding != http::ContentCoding::identity) return {};
    return wanted;
}

void describe(http::HeaderList& fields, const Representation& what, std::string_view cacheControl) {
    fields.reserve(9);
    fields.add("Content-Type", what.mediaType);
    fields.add("ETag", what.entityTag);
    fields.add("Last-Modified", what.lastModified);
    if (what.varies) fields.add("Vary", "Accept-Encoding");
    if (!cacheControl.empty()) fields.add("Cache-Control", cacheControl);
}

Task<http::Handled> refuseRanges(http::Request& request, http::ResponseSink& sink,
                                 http::ResponseHead& head, ByteCount size) {
    head.status = 416;
    head.fields.remove("Cache-Control");
    head.fields.add("Content-Range", http::unsatisfiedRange(size, *request.arena));
    co_return co_await finished(sink.send(head, {}));
}

} // namespace

Task<http::Handled> finished(Task<Status> sending) {
    const auto sent = co_await std::move(sending);
    if (!sent) co_return http::failClient(sent.error());
    co_return http::Handled{};
}

Task<http::Handled> sendPart(http::Request& request, http::ResponseSink& sink,
                             const http::ResponseHead& head, const Representation& what,
                             http::ByteRange part) {
    if (what.content != nullptr)
        co_return co_await finished(http::sendPiece(
            sink, head, {what.content + part.first, static_cast<std::size_t>(part.count)}));
    if (part.count > kMaxCopiedBytes || request.method == http::Method::head)
        co_return co_await finished(sink.sendFile(head, what.file, part.first, part.count));
    const ByteRoom room(request.arena->room(static_cast<std::size_t>(part.count)),
                        static_cast<std::size_t>(part.count));
    const auto got = http::readAt(what.file, part.first, room);
    if (!got || *got != room.size())
        co_return http::failWith(
            500, text::concat("the file became shorter while it was read: ", what.name));
    co_return co_await finished(http::sendPiece(sink, head, room));
}

Task<http::Handled> sendRepresentation(http::Request& request, http::ResponseSink& sink,
                                       const Representation& what, std::string_view cacheControl) {
    if (!http::isReading(request.method))
        co_return co_await http::answerOtherMethod(request, sink, http::kReadingMethods);
    const http::Validators state(what.entityTag, what.modified, std::time(nullptr));
    http::ResponseHead head(*request.arena);
    describe(head.fields, what, cacheControl);

    switch (http::evaluate(request.method, request.fields, state)) {
    case http::Precondition::failed:
        co_return http::failWith(412, "a condition of the request does not hold");
    case http::Precondition::notModified:
        head.status = 304;
        co_return co_await finished(sink.send(head, {}));
    case http::Precondition::proceed:
        break;
    }
    if (isStrong(what.entityTag)) head.fields.add("Accept-Ranges", "bytes");
    if (what.coding != http::ContentCoding::identity)
        head.fields.add("Content-Encoding", http::tokenOf(what.coding));
    const auto wanted = wantedRanges(request, state, what);
    if (wanted.kind == http::RangeRequest::Kind::none)
        co_return co_await sendPart(request, sink, head, what, {0, what.size});
    if (wanted.kind == http::RangeRequest::Kind::unsatisfiable)
        co_return co_await refuseRanges(request, sink, head, what.size);
    head.status = 206;
    if (wanted.ranges().size() > 1) co_return co_await sendParts(request, sink, head, what, wanted);
    const http::ByteRange part = wanted.ranges().front();
    head.fields.add("Content-Range", http::contentRange(part, what.size, *request.arena));
    co_return co_await sendPart(request, sink, head, what, part);
}

} // namespace reef::files
