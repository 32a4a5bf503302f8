#include "http/decompressor.h"

#include "fuzz.h"
#include "http/targets.h"

#include <algorithm>
#include <string>

namespace reef::fuzz {

namespace {

constexpr std::size_t kMost = 1U << 16U; // of a bomb

struct Decoded {
    explicit Decoded(std::string_view coding) : decoder(http::Decompressor::of(coding)) {}

    void feed(std::string_view part, std::size_t room) {
        const ExactCopy copy(part);
        ByteView in = copy.view();
        std::string out(room, '\0');
        for (bool filled = false;
             fault.empty() && content.size() < kMost && (filled || !in.empty());) {
            const auto step = decoder->decode(in, out);
            if (!step) {
                fault = step.error();
                return;
            }
            require(step->taken <= in.size() && step->made <= room, "takes and makes what it may");
            filled = step->made == room;
            require(filled || step->taken != 0 || in.empty(), "goes on");
            in = in.subspan(step->taken);
            content.append(out, 0, step->made);
        }
    }

    std::unique_ptr<http::Decompressor> decoder;
    std::string content;
    std::string fault;
};

} // namespace

void decompressor(std::string_view input) {
    constexpr std::string_view kCodings[] = {"gzip", "deflate", "zstd"};
    if (input.empty()) return;
    const auto coding = kCodings[static_cast<unsigned char>(input.front()) % 3];
    input.remove_prefix(1);
    Decoded whole(coding);
    whole.feed(input, 4096);
    Decoded pieces(coding);
    Cuts cuts(input);
    for (std::string_view rest = input; !rest.empty();) {
        const auto part = rest.substr(0, cuts.next());
        pieces.feed(part, cuts.next());
        rest.remove_prefix(part.size());
    }
    if (whole.content.size() >= kMost || pieces.content.size() >= kMost) return;
    require(whole.fault.empty() == pieces.fault.empty(), "the fault does not depend on the pieces");
    if (!whole.fault.empty()) return; // how much came out before it may
    require(whole.content == pieces.content, "same content");
    require(whole.decoder->isWhole() == pieces.decoder->isWhole(), "same end");
    require(whole.decoder->hasMore() == pieces.decoder->hasMore(), "same rest");
}

} // namespace reef::fuzz
