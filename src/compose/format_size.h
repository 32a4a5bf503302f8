#pragma once

#include "base/bytes.h"

#include <cstdint>
#include <string>

namespace reef::compose {

enum class SizeFormat : std::uint8_t {
    abbreviated, ///< four characters, as Apache writes them: "  3 ", "2.4K", " 17M"
    bytes,       ///< "2,500"
};

std::string formatSize(ByteCount size, SizeFormat format);

} // namespace reef::compose
