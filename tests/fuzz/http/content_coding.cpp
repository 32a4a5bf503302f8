#include "http/content_coding.h"

#include "base/arena.h"
#include "base/text.h"
#include "fuzz.h"
#include "http/targets.h"

#include <array>

namespace reef::fuzz {

using http::ContentCoding;

void contentCoding(std::string_view input) {
    constexpr std::array<ContentCoding, 3> kAll{ContentCoding::br, ContentCoding::zstd,
                                                ContentCoding::gzip};
    const ExactCopy copy(input);
    std::string_view rest(copy.view().data(), copy.view().size());
    Arena arena;
    http::HeaderList fields(arena);
    for (std::size_t i = 0; !rest.empty() && i < 20; ++i)
        fields.add("Accept-Encoding", text::takeUntil(rest, '\n'));
    const auto chosen = http::chooseCoding(fields, kAll);
    require(http::chooseCoding(fields, {}) == ContentCoding::identity, "nothing comes of nothing");
    if (chosen == ContentCoding::identity) return;
    require(fields.hasToken("Accept-Encoding", "*") || input.find('*') != std::string_view::npos ||
                text::toLower(input).find(http::tokenOf(chosen)) != std::string_view::npos,
            "a coding is chosen that the client has named");
    require(http::chooseCoding(fields, {&chosen, 1}) == chosen, "the best stays so alone");
    fields.add("Accept-Encoding", "garbage;q=7, ,;");
    require(http::chooseCoding(fields, kAll) == chosen, "what is malformed changes nothing");
}

} // namespace reef::fuzz
