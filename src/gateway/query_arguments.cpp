#include "gateway/query_arguments.h"

#include "base/text.h"

#include <optional>

namespace reef::gateway {

namespace {

constexpr std::size_t kMaxArguments = 256;

std::optional<std::string> decodeWord(std::string_view word) {
    std::string decoded;
    for (std::size_t i = 0; i < word.size(); ++i) {
        if (word[i] == '\0') return std::nullopt;
        if (word[i] != '%') {
            decoded += word[i];
            continue;
        }
        if (i + 2 >= word.size()) return std::nullopt;
        const int high = text::hexValue(word[i + 1]);
        const int low = text::hexValue(word[i + 2]);
        if (high < 0 || low < 0 || (high == 0 && low == 0)) return std::nullopt;
        decoded += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return decoded;
}

} // namespace

std::vector<std::string> queryArguments(http::Method method, std::string_view query) {
    const bool reads = method == http::Method::get || method == http::Method::head;
    if (!reads || query.empty() || query.find('=') != std::string_view::npos) return {};
    std::vector<std::string> words;
    while (true) {
        const auto plus = query.find('+');
        auto word = decodeWord(query.substr(0, plus));
        if (!word || words.size() == kMaxArguments) return {};
        words.push_back(std::move(*word));
        if (plus == std::string_view::npos) return words;
        query.remove_prefix(plus + 1);
    }
}

} // namespace reef::gateway
