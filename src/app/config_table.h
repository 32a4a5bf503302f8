#pragma once

#include "app/config_error.h"
#include "base/bytes.h"

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <toml++/toml.h>
#include <vector>

namespace reef::app {

/// One table of `atoll.toml` while it is read: hands out values by key, collects what is wrong with
/// them, and at the end complains of keys that nobody has asked for. A key that is absent leaves
/// its target as it is.
class ConfigTable {
public:
    /// `name` is for the messages: "[limits]", "" for the file's own keys.
    ConfigTable(const toml::table& table, std::string name, ConfigErrors& errors)
        : table_(table), name_(std::move(name)), errors_(errors) {}

    void read(std::string_view key, bool& target);
    void read(std::string_view key, std::string& target);
    void read(std::string_view key,
              std::vector<std::string>& target); ///< a string or a list of them
    void read(std::string_view key, std::chrono::milliseconds& target);
    void readSize(std::string_view key, ByteCount& target);
    void readCount(std::string_view key, std::uint64_t least, std::uint64_t most,
                   std::size_t& target);

    /// Text that `parse` turns into a value, or into a sentence about what was expected.
    template<class Value>
    void readAs(std::string_view key, Value& target,
                const std::function<std::expected<Value, std::string>(std::string_view)>& parse) {
        const toml::node* const node = take(key);
        if (node == nullptr) return;
        const auto text = node->value_exact<std::string>();
        if (!text) return complain(*node, key, "expected text");
        auto value = parse(*text);
        if (!value) return complain(*node, key, value.error());
        target = std::move(*value);
    }

    /// A table below this one, or null.
    const toml::table* readTable(std::string_view key);

    /// Each table of an array of tables ("[[route]]").
    std::vector<const toml::table*> readTables(std::string_view key);

    /// The node of a key, which is known from now on; null when it is absent.
    const toml::node* take(std::string_view key);

    void complain(const toml::node& node, std::string_view key, std::string_view message);
    void warn(const toml::node& node, std::string_view key, std::string_view message);

    /// Complains of the keys that were not taken. Call it last.
    void finish();

    const std::string& name() const noexcept { return name_; }
    ConfigErrors& errors() noexcept { return errors_; }

private:
    std::string sentence(std::string_view key, std::string_view message) const;
    std::string advice(std::string_view unknown) const;

    const toml::table& table_;
    std::string name_;
    ConfigErrors& errors_;
    std::vector<std::string> known_;
};

} // namespace reef::app
