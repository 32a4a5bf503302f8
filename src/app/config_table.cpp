#include "app/config_table.h"

#include "base/quantity.h"
#include "base/text.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace reef::app {

namespace {

/// How many letters must change, or change places, to make one word of the other (Damerau).
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before;
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0U);
    for (std::size_t i = 0; i != a.size(); ++i) {
        std::vector<std::size_t> next{i + 1};
        for (std::size_t j = 0; j != b.size(); ++j) {
            const std::size_t changed = row[j] + (a[i] == b[j] ? 0 : 1);
            next.push_back(std::min({next[j] + 1, row[j + 1] + 1, changed}));
            if (i != 0 && j != 0 && a[i] == b[j - 1] && a[i - 1] == b[j])
                next[j + 1] = std::min(next[j + 1], before[j - 1] + 1);
        }
        before = std::exchange(row, std::move(next));
    }
    return row.back();
}

/// The one that was meant: two letters away at most, and fewer than half of the word.
std::string_view nearest(std::string_view key, const std::vector<std::string>& known) {
    constexpr std::size_t kFar = 3;
    std::string_view best;
    std::size_t least = std::min(kFar, (key.size() + 1) / 2);
    for (const std::string& name : known) {
        if (name.size() + kFar <= key.size() || key.size() + kFar <= name.size()) continue;
        const auto away = distance(key, name);
        if (away >= least) continue;
        least = away;
        best = name;
    }
    return best;
}

/// Keys of the file itself, which no table has.
bool isOfTopLevel(std::string_view key) {
    constexpr std::string_view kKeys[] = {"listen",          "panel",
                                          "trusted_proxies", "access_log",
                                          "request_id",      "limits",
                                          "timeouts",        "pageviews",
                                          "island_queue",    "site",
                                          "island_timeout",  "island_queue_timeout",
                                          "max_islands",     "max_islands_per_client"};
    return std::ranges::find(kKeys, key) != std::end(kKeys);
}

} // namespace

const toml::node* ConfigTable::take(std::string_view key) {
    known_.emplace_back(key);
    return table_.get(key);
}

std::string ConfigTable::sentence(std::string_view key, std::string_view message) const {
    const std::string where = name_.empty() ? "" : text::concat(" in ", name_);
    return text::concat('`', key, '`', where, ": ", message);
}

void ConfigTable::complain(const toml::node& node, std::string_view key, std::string_view message) {
    const auto place = node.source().begin;
    errors_.add(place.line, place.column, sentence(key, message));
}

void ConfigTable::warn(const toml::node& node, std::string_view key, std::string_view message) {
    const auto place = node.source().begin;
    errors_.warn(place.line, place.column, sentence(key, message));
}

std::string ConfigTable::advice(std::string_view unknown) const {
    if (!name_.empty() && isOfTopLevel(unknown))
        return "only the top level has it: move it above the first line in brackets";
    if (const auto meant = nearest(unknown, known_); !meant.empty())
        return text::concat("did you mean `", meant, "`?");
    std::string expected = "expected one of ";
    for (const std::string& each : known_)
        if (&each == &*std::ranges::find(known_, each))
            expected += text::concat(&each == known_.data() ? "" : ", ", each);
    return expected;
}

void ConfigTable::finish() {
    constexpr std::size_t kShown = 100; // bytes of a key
    for (const auto& [key, node] : table_) {
        const std::string_view name = key.str();
        if (std::ranges::find(known_, name) != known_.end()) continue;
        const auto place = key.source().begin;
        errors_.add(place.line, place.column,
                    text::concat("unknown key `", text::escapeControls(name.substr(0, kShown)), '`',
                                 name_.empty() ? "" : text::concat(" in ", name_), "; ",
                                 advice(name)));
    }
}

void ConfigTable::read(std::string_view key, bool& target) {
    const toml::node* const node = take(key);
    if (node == nullptr) return;
    const auto value = node->value_exact<bool>();
    if (!value) return complain(*node, key, "expected true or false");
    target = *value;
}

void ConfigTable::read(std::string_view key, std::string& target) {
    readAs<std::string>(key, target,
                        [](std::string_view text) -> std::expected<std::string, std::string> {
                            return std::string(text);
                        });
}

void ConfigTable::read(std::string_view key, std::vector<std::string>& target) {
    const toml::node* const node = take(key);
    if (node == nullptr) return;
    target.clear();
    if (const auto single = node->value_exact<std::string>()) {
        target.push_back(*single);
        return;
    }
    const toml::array* const list = node->as_array();
    if (list == nullptr) return complain(*node, key, "expected text, or a list of texts");
    for (const toml::node& item : *list) {
        const auto text = item.value_exact<std::string>();
        if (!text) return complain(item, key, "expected a list of texts");
        target.push_back(*text);
    }
}

void ConfigTable::read(std::string_view key, std::chrono::milliseconds& target) {
    readAs<std::chrono::milliseconds>(
        key, target,
        [](std::string_view text) -> std::expected<std::chrono::milliseconds, std::string> {
            const auto value = parseDuration(text);
            if (value && value->count() != 0) return *value;
            return std::unexpected("expected a time such as \"500ms\", \"30s\" or \"5m\"");
        });
}

void ConfigTable::readSize(std::string_view key, ByteCount& target) {
    readAs<ByteCount>(key, target,
                      [](std::string_view text) -> std::expected<ByteCount, std::string> {
                          const auto value = parseSize(text);
                          if (value) return *value;
                          return std::unexpected("expected a size such as \"64KB\" or \"10MB\"");
                      });
}

void ConfigTable::readCount(std::string_view key, std::uint64_t least, std::uint64_t most,
                            std::size_t& target) {
    const toml::node* const node = take(key);
    if (node == nullptr) return;
    const auto value = node->value_exact<std::int64_t>();
    if (!value || *value < static_cast<std::int64_t>(least) ||
        *value > static_cast<std::int64_t>(most))
        return complain(*node, key, text::concat("expected a number from ", least, " to ", most));
    target = static_cast<std::size_t>(*value);
}

const toml::table* ConfigTable::readTable(std::string_view key) {
    const toml::node* const node = take(key);
    if (node == nullptr) return nullptr;
    if (!node->is_table())
        complain(*node, key,
                 text::concat("expected a table, that is, a line [", key, "] and keys below it"));
    return node->as_table();
}

std::vector<const toml::table*> ConfigTable::readTables(std::string_view key) {
    const toml::node* const node = take(key);
    std::vector<const toml::table*> tables;
    if (node == nullptr) return tables;
    const toml::array* const list = node->as_array();
    if (list == nullptr || !list->is_homogeneous(toml::node_type::table)) {
        complain(*node, key,
                 text::concat("expected [[", key, "]] (with two brackets) and keys below it"));
        return tables;
    }
    for (const toml::node& item : *list)
        tables.push_back(item.as_table());
    return tables;
}

} // namespace reef::app
