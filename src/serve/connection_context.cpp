#include "serve/connection_context.h"

#include "http/date.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>

namespace reef::serve {

namespace {

std::string randomPrefix() {
    std::array<unsigned char, 5> bytes{};
    if (::getrandom(bytes.data(), bytes.size(), 0) < 0)
        bytes.fill(0); // ids need to differ, not to be secret
    std::string prefix;
    for (const unsigned char byte : bytes) {
        prefix += "0123456789abcdef"[byte >> 4U];
        prefix += "0123456789abcdef"[byte & 15U];
    }
    return prefix + '-';
}

} // namespace

std::string_view ConnectionContext::date() {
    const auto second =
        std::chrono::duration_cast<std::chrono::seconds>(loop.now().time_since_epoch()).count();
    if (second != dateSecond_) {
        dateSecond_ = second;
        dateText_ = http::DateText(std::time(nullptr)).view();
    }
    return dateText_;
}

std::string_view ConnectionContext::nextRequestId(Arena& memory) {
    if (idPrefix_.empty()) idPrefix_ = randomPrefix();
    constexpr std::size_t kMaxDigits = 20;
    char* text = memory.room(idPrefix_.size() + kMaxDigits);
    char* digits = std::ranges::copy(idPrefix_, text).out;
    const auto end = std::to_chars(digits, digits + kMaxDigits, ++idCounter_).ptr;
    return {text, static_cast<std::size_t>(end - text)};
}

} // namespace reef::serve
