#include "app/config_table.h"

#include "app/config_values.h"
#include "base/text.h"

#include <algorithm>
#include <numeric>

namespace reef::app {

namespace {

/// How many letters must change to make one word of the other (Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0U);
    for (std::size_t i = 0; i != a.size(); ++i) {
        std::size_t diagonal = row[0]++;
        for (std::size_t j = 0; j != b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, changed});
        }
    }
    return row.back();
}

std::string_view nearest(std::string_view key, const std::vector<std::string>& known) {
    const auto best = std::ranges::min_element(
        known, {}, [&](const std::string& name) { return distance(key, name); });
    if (best == known.end() || distance(key, *best) > std::max<std::size_t>(2, key.size() / 3))
        return {};
    return *best;
}

} // namespace

const toml::node* ConfigTable::take(std::string_view key) {
    known_.emplace_back(key);
    return table_.get(key);
}

void ConfigTable::complain(const toml::node& node, std::string_view key, std::string_view message) {
    const auto place = node.source().begin;
    const std::string where = name_.empty() ? "" : text::concat(" in ", name_);
    errors_.add(place.line, place.column, text::concat('`', key, '`', where, ": ", message));
}

void ConfigTable::finish() {
    for (const auto& [key, node] : table_) {
        const std::string_view name = key.str();
        if (std::ranges::find(known_, name) != known_.end()) continue;
        const auto meant = nearest(name, known_);
        std::string expected;
        if (meant.empty()) {
            expected = "expected one of ";
            for (const std::string& each : known_)
                expected += text::concat(&each == known_.data() ? "" : ", ", each);
        } else {
            expected = text::concat("did you mean `", meant, "`?");
        }
        const auto place = key.source().begin;
        errors_.add(place.line, place.column,
                    text::concat("unknown key `", name, '`',
                                 name_.empty() ? "" : text::concat(" in ", name_), "; ", expected));
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
