#include "app/config.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <toml++/toml.h>

namespace reef::app {

namespace {

using Errors = std::vector<ConfigError>;

/// Reads the keys of one file into a Config and collects what is wrong with them.
class Reader {
public:
    Reader(const std::string& file, Config& config) : file_(file), config_(config) {}

    void read(const toml::table& table) {
        for (const auto& [key, node] : table) {
            const auto known = std::ranges::find(kKeys, key.str(), &Key::name);
            if (known == kKeys.end()) {
                complain(node, text::concat("unknown key `", key.str(), "`; expected one of ",
                                            keyNames()));
            } else {
                (this->*known->read)(node);
            }
        }
    }

    Errors takeErrors() { return std::move(errors_); }

private:
    struct Key {
        std::string_view name;
        void (Reader::*read)(const toml::node&);
    };
    static const std::array<Key, 6> kKeys;

    static std::string keyNames() {
        std::string names;
        for (const Key& key : kKeys)
            names += text::concat(names.empty() ? "" : ", ", key.name);
        return names;
    }

    void complain(const toml::node& node, std::string message) {
        const auto place = node.source().begin;
        errors_.push_back({file_, place.line, place.column, std::move(message)});
    }

    void readListen(const toml::node& node) {
        if (node.is_string()) return addAddress(node, config_.listen);
        const auto* list = node.as_array();
        if (list == nullptr || list->empty())
            return complain(node, "`listen`: expected an address or a list of them, "
                                  "for example [\"0.0.0.0:80\", \"[::]:80\"]");
        for (const auto& item : *list)
            addAddress(item, config_.listen);
    }

    void addAddress(const toml::node& node, std::vector<io::Address>& addresses) {
        const auto value = node.value_exact<std::string>();
        const auto address = value ? io::Address::parse(*value) : fail(Error::malformed);
        if (!address)
            return complain(
                node,
                "expected an address such as \"127.0.0.1:8080\", \"[::1]:8080\", \":8080\" or "
                "\"unix:/run/site.sock\"");
        addresses.push_back(*address);
    }

    void readPanel(const toml::node& node) {
        if (node.is_boolean() && !*node.value_exact<bool>()) {
            config_.panel.reset();
            return;
        }
        std::vector<io::Address> one;
        addAddress(node, one);
        if (!one.empty()) config_.panel = one.front();
    }

    void readBool(const toml::node& node, std::string_view key, bool& target) {
        const auto value = node.value_exact<bool>();
        if (!value) return complain(node, text::concat("`", key, "`: expected true or false"));
        target = *value;
    }

    void readSsi(const toml::node& node) { readBool(node, "ssi", config_.ssi); }
    void readPageviews(const toml::node& node) { readBool(node, "pageviews", config_.pageviews); }

    void readMaxIslands(const toml::node& node) {
        const auto value = node.value_exact<std::int64_t>();
        if (!value || *value < 1 || *value > 10'000)
            return complain(node, "`max_islands`: expected a number from 1 to 10000");
        config_.maxIslands = static_cast<std::size_t>(*value);
    }

    void readIslandTimeout(const toml::node& node) {
        const auto text = node.value_exact<std::string>();
        const auto duration = text ? parseDuration(*text) : std::nullopt;
        if (!duration)
            return complain(
                node, "`island_timeout`: expected a time such as \"500ms\", \"30s\" or \"5m\"");
        config_.islandTimeout = *duration;
    }

    static std::optional<std::chrono::milliseconds> parseDuration(std::string_view value) {
        const auto unitAt = std::min(value.find_first_not_of("0123456789"), value.size());
        const auto number = text::parseDecimal(value.substr(0, unitAt));
        const auto unit = value.substr(unitAt);
        const std::int64_t factor = unit == "ms"  ? 1
                                    : unit == "s" ? 1000
                                    : unit == "m" ? 60'000
                                                  : 0;
        if (!number || *number == 0 || *number > 86'400'000 || factor == 0) return std::nullopt;
        return std::chrono::milliseconds(static_cast<std::int64_t>(*number) * factor);
    }

    const std::string& file_;
    Config& config_;
    Errors errors_;
};

const std::array<Reader::Key, 6> Reader::kKeys{{
    {"listen", &Reader::readListen},
    {"panel", &Reader::readPanel},
    {"ssi", &Reader::readSsi},
    {"pageviews", &Reader::readPageviews},
    {"max_islands", &Reader::readMaxIslands},
    {"island_timeout", &Reader::readIslandTimeout},
}};

Config defaultsFor(const std::string& directory) {
    Config config;
    config.directory = directory;
    config.panel = *io::Address::parse("127.0.0.1:8081");
    return config;
}

} // namespace

std::string ConfigError::describe() const {
    if (line == 0) return text::concat(file, ": ", message);
    return text::concat(file, ":", line, ":", column, ": ", message);
}

std::expected<Config, Errors> parseConfig(const std::string& text, const std::string& file,
                                          const std::string& directory) {
    Config config = defaultsFor(directory);
    Reader reader(file, config);
    try {
        reader.read(toml::parse(text, file));
    } catch (const toml::parse_error& error) {
        const auto place = error.source().begin;
        return std::unexpected(
            Errors{{file, place.line, place.column, std::string(error.description())}});
    }
    auto errors = reader.takeErrors();
    if (!errors.empty()) return std::unexpected(std::move(errors));
    return config;
}

std::expected<Config, Errors> readConfig(const std::string& directory) {
    std::error_code failed;
    const auto absolute = std::filesystem::canonical(directory, failed);
    if (failed)
        return std::unexpected(
            Errors{{directory, 0, 0, "cannot use this directory: " + failed.message()}});
    const std::string file = absolute.string() + "/atoll.toml";
    if (std::filesystem::is_directory(file, failed))
        return std::unexpected(Errors{{file, 0, 0, "is a directory; expected a file of settings"}});
    std::ifstream stream(file);
    if (!stream) {
        if (errno == ENOENT) return defaultsFor(absolute.string());
        return std::unexpected(Errors{{file, 0, 0, "the file is there, but cannot be read"}});
    }
    std::ostringstream content;
    content << stream.rdbuf();
    return parseConfig(content.str(), file, absolute.string());
}

} // namespace reef::app
