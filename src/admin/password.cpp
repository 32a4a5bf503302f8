#include "admin/password.h"

#include "base/text.h"

#include <set>

namespace reef::admin {
namespace {

/// Code points, if it is UTF-8; a byte of a stray sequence counts at most as one.
std::size_t charactersIn(std::string_view text) {
    std::size_t count = 0;
    for (const char c : text)
        count += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U ? 1 : 0;
    return count;
}

} // namespace

std::optional<std::string> faultOfPassword(std::string_view password, std::string_view name) {
    if (charactersIn(password) < kLeastPasswordCharacters)
        return text::concat("The password needs at least ", kLeastPasswordCharacters,
                            " characters. Four or five random words are a good one.");
    if (password.size() > kMostPasswordBytes)
        return text::concat("The password is longer than ", kMostPasswordBytes, " bytes.");
    if (std::set<char>(password.begin(), password.end()).size() < 5)
        return "The password repeats too few different characters.";
    const std::string lower = text::toLower(password);
    if (name.size() >= 3 && lower.find(text::toLower(name)) != std::string::npos)
        return "The password holds the name of the account.";
    return std::nullopt;
}

} // namespace reef::admin
