#include "http/path.h"

#include "fuzz.h"
#include "http/targets.h"

namespace reef::fuzz {

using namespace http;

void path(std::string_view input) {
    const ExactCopy copy(input);
    Arena arena;
    const auto decoded = decodePath({copy.view().data(), copy.view().size()}, arena);
    if (!decoded) {
        require(statusOf(decoded.error()) >= 400, "a fault is an error");
        return;
    }
    require(decoded->starts_with('/'), "absolute");
    require(!decoded->contains("//"), "no empty segment");
    require(!decoded->contains("/./") && !decoded->ends_with("/."), "no dot segment");
    require(!decoded->contains("/../") && !decoded->ends_with("/.."), "no way up");
    require(decoded->size() <= input.size(), "never longer");
    for (const char c : *decoded) {
        const auto byte = static_cast<unsigned char>(c);
        require(byte >= 0x20 && byte != 0x7f, "no control byte");
    }
    const std::string encoded = encodePath(*decoded);
    const auto again = decodePath(encoded, arena);
    require(again && *again == *decoded, "comes back from its encoding");
    for (const char c : encoded)
        require(c > 0x20 && c < 0x7f && c != '"' && c != '<', "safe in a link");
}

} // namespace reef::fuzz
