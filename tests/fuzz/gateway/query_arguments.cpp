#include "gateway/query_arguments.h"

#include "fuzz.h"
#include "gateway/targets.h"

namespace reef::fuzz {

void queryArguments(std::string_view input) {
    const ExactCopy copy(input);
    const std::string_view query(copy.view().data(), copy.view().size());
    const auto words = gateway::queryArguments(http::Method::get, query);
    require(gateway::queryArguments(http::Method::post, query).empty(), "GET and HEAD alone");
    if (words.empty()) return;
    require(query.find('=') == std::string_view::npos, "no bare =");
    const auto plusses = static_cast<std::size_t>(std::ranges::count(query, '+'));
    require(words.size() == plusses + 1 && words.size() <= 256, "a word between two +");
    std::size_t bytes = 0;
    for (const std::string& word : words) {
        require(word.find('\0') == std::string::npos, "fit for an argument");
        bytes += word.size();
    }
    const auto escapes = static_cast<std::size_t>(std::ranges::count(query, '%'));
    require(bytes + 2 * escapes + plusses == query.size(), "decoded once");
}

} // namespace reef::fuzz
