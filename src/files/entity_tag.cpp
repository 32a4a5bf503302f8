#include "files/entity_tag.h"

#include <array>
#include <charconv>

namespace reef::files {

namespace {

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

} // namespace reef::files
