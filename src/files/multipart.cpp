#include "files/multipart.h"

#include "base/text.h"

#include <array>
#include <random>

namespace reef::files {

namespace {

/// A line that stands in no file, by all odds: 32 digits drawn anew for each answer.
std::string_view makeBoundary(Arena& memory) {
    static constexpr char kDigits[] = "0123456789abcdef";
    static thread_local std::mt19937_64 engine{(std::uint64_t{std::random_device{}()} << 32U) ^
                                               std::random_device{}()};
    constexpr std::size_t kLength = 32;
    char* const text = memory.room(kLength);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i != kLength; ++i) {
        if (i % 16 == 0) bits = engine();
        text[i] = kDigits[bits & 15U];
        bits >>= 4U;
    }
    return {text, kLength};
}

std::string_view partHead(const Representation& what, http::ByteRange part,
                          std::string_view boundary, Arena& memory) {
    return memory.copy(text::concat(
        "\r\n--", boundary, "\r\nContent-Type: ", what.mediaType,
        "\r\nContent-Range: ", http::contentRange(part, what.size, memory), "\r\n\r\n"));
}

Task<Status> writePart(http::ResponseSink& sink, const Representation& what, std::string_view head,
                       http::ByteRange part) {
    if (what.content == nullptr) {
        const auto begun = co_await http::writePiece(sink, bytesOf(head));
        if (!begun) co_return begun;
        co_return co_await sink.writeFile(what.file, part.first, part.count);
    }
    const std::array<ByteView, 2> pieces{
        bytesOf(head), {what.content + part.first, static_cast<std::size_t>(part.count)}};
    co_return co_await sink.write(pieces);
}

} // namespace

Task<http::Handled> sendParts(http::Request& request, http::ResponseSink& sink,
                              http::ResponseHead& head, const Representation& what,
                              const http::RangeRequest& wanted) {
    Arena& memory = *request.arena;
    const auto boundary = makeBoundary(memory);
    const std::string last = text::concat("\r\n--", boundary, "--\r\n");
    std::array<std::string_view, http::RangeRequest::kMaxRanges> heads;
    ByteCount length = last.size();
    for (std::size_t i = 0; i != wanted.ranges().size(); ++i) {
        heads[i] = partHead(what, wanted.ranges()[i], boundary, memory);
        if (i == 0) heads[i].remove_prefix(2); // no empty line before the first
        length += heads[i].size() + wanted.ranges()[i].count;
    }
    head.fields.set("Content-Type",
                    memory.copy(text::concat("multipart/byteranges; boundary=", boundary)));
    head.length = length;
    auto sent = co_await sink.begin(head);
    for (std::size_t i = 0; sent && i != wanted.ranges().size(); ++i)
        sent = co_await writePart(sink, what, heads[i], wanted.ranges()[i]);
    if (sent) sent = co_await http::writePiece(sink, bytesOf(last));
    if (!sent) co_return http::failClient(sent.error());
    co_return co_await finished(sink.end());
}

} // namespace reef::files
