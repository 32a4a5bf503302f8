#include "app/config.h"

#include "app/access_log_format.h"
#include "app/config_islands.h"
#include "app/config_site.h"
#include "app/config_text.h"
#include "app/never_sent.h"
#include "base/text.h"
#include "process/limit_check.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace reef::app {

namespace {

constexpr std::string_view kAddressWanted =
    "expected an address such as \"127.0.0.1:8080\", \"[::1]:8080\", \":8080\" or "
    "\"unix:/run/site.sock\"";

/// Any free port: nobody would know which.
bool isPortZero(const io::Address& address) {
    return !address.isUnix() && address.port() == 0;
}

void addListener(ConfigTable& table, const toml::node& node, Config& config) {
    const toml::table* const details = node.as_table();
    std::string text;
    bool proxyProtocol = false;
    if (details != nullptr) {
        ConfigTable entry(*details, "listen", table.errors());
        entry.read("address", text);
        entry.read("proxy_protocol", proxyProtocol);
        entry.finish();
    } else {
        text = node.value_exact<std::string>().value_or("");
    }
    const auto address = io::Address::parse(text);
    if (!address || isPortZero(*address)) return table.complain(node, "listen", kAddressWanted);
    config.listen.emplace_back(*address).proxyProtocol = proxyProtocol;
}

void readListen(ConfigTable& table, Config& config) {
    const toml::node* const node = table.take("listen");
    if (node == nullptr) return;
    const toml::array* const list = node->as_array();
    if (list == nullptr) return addListener(table, *node, config);
    if (list->empty()) table.complain(*node, "listen", kAddressWanted);
    for (const toml::node& item : *list)
        addListener(table, item, config);
}

void readPanel(ConfigTable& table, Config& config) {
    const toml::node* const node = table.take("panel");
    if (node == nullptr) return;
    const auto text = node->value_exact<std::string>();
    if (node->value_exact<bool>() == false || text == "off") {
        config.panel.reset();
        return;
    }
    const auto address = text ? io::Address::parse(*text) : fail(Error::malformed);
    if (!address || isPortZero(*address))
        return table.complain(*node, "panel",
                              "expected an address such as \"127.0.0.1:8081\", or false");
    config.panel = *address;
}

void readProxies(ConfigTable& table, serve::Settings& settings) {
    std::vector<std::string> names;
    table.read("trusted_proxies", names);
    for (const std::string& name : names) {
        const auto network = io::Network::parse(name);
        if (name == "unix") {
            settings.trustUnixSockets = true;
        } else if (network) {
            settings.trustedProxies.push_back(*network);
        } else {
            table.complain(
                *table.take("trusted_proxies"), "trusted_proxies",
                text::concat(
                    "expected addresses, networks such as \"10.0.0.0/8\", or \"unix\"; found \"",
                    name, '"'));
        }
    }
}

void readCacheLimits(ConfigTable& table, cache::Limits& limits) {
    constexpr ByteCount kMost = 1ULL << 40U;
    table.readSize("cache_memory", limits.memory);
    table.readSize("cache_answer", limits.answer);
    if (limits.memory > kMost)
        table.complain(*table.take("cache_memory"), "cache_memory", "expected at most \"1TB\"");
    if (limits.memory != 0 && limits.answer > limits.memory)
        table.warn(*table.take("cache_answer"), "cache_answer",
                   "is more than `cache_memory`: no answer of that size is ever kept");
}

void readLimits(ConfigTable& outer, serve::Settings& settings, cache::Limits& kept) {
    const toml::table* const node = outer.readTable("limits");
    if (node == nullptr) return;
    ConfigTable table(*node, "[limits]", outer.errors());
    ByteCount head = settings.head.head;
    table.readSize("head", head);
    if (head < 1024 || head > 1_MiB)
        table.complain(*table.take("head"), "head", "expected a size from 1KB to 1MB");
    settings.head.head = static_cast<std::size_t>(head);
    settings.head.requestLine = std::min(settings.head.requestLine, settings.head.head);
    table.readSize("body", settings.maxBody);
    table.readCount("connections", 1, 1'000'000, settings.maxConnections);
    table.readCount("connections_per_client", 0, 1'000'000, settings.maxConnectionsPerAddress);
    table.readSize("receive_rate", settings.receiveRate.bytesPerSecond);
    table.readSize("send_rate", settings.sendRate.bytesPerSecond);
    readCacheLimits(table, kept);
    table.finish();
}

void readTimeouts(ConfigTable& outer, serve::Settings& settings) {
    const toml::table* const node = outer.readTable("timeouts");
    if (node == nullptr) return;
    ConfigTable table(*node, "[timeouts]", outer.errors());
    table.read("head", settings.headTimeout);
    table.read("body", settings.bodyTimeout);
    table.read("send", settings.sendTimeout);
    table.read("idle", settings.idleTimeout);
    table.read("request", settings.totalTimeout);
    table.finish();
}

std::expected<std::string, std::string> checkedFormat(std::string_view text) {
    const auto format = AccessLogFormat::parse(text);
    if (format) return std::string(text);
    return std::unexpected(
        text::concat("at byte ", format.error().column, ": ", format.error().message));
}

/// `access_log = "data/access.log"`, or a table with more about it.
void readAccessLog(ConfigTable& outer, Config& config) {
    const toml::node* const node = outer.take("access_log");
    if (node == nullptr || node->value_exact<bool>() == false) return;
    AccessLogOptions options;
    std::string file = "data/access.log";
    if (const auto* const details = node->as_table()) {
        ConfigTable table(*details, "access_log", outer.errors());
        table.read("file", file);
        table.readAs<std::string>("format", options.format, checkedFormat);
        table.readSize("max_size", options.maxBytes);
        table.readCount("keep", 0, 1000, options.keep);
        table.finish();
    } else if (const auto name = node->value_exact<std::string>()) {
        file = *name;
    } else if (node->value_exact<bool>() != true) {
        return outer.complain(*node, "access_log",
                              "expected the name of a file, a table with `file`, or false");
    }
    options.file = nameBelow(config.directory, file);
    config.accessLog = std::move(options);
}

/// One client alone leaves half for the others, if the file says nothing else.
void readAdmission(ConfigTable& table, gateway::AdmissionLimits& limits) {
    table.readCount("max_islands", 1, 10'000, limits.running);
    limits.perClient = (limits.running + 1) / 2;
    table.readCount("max_islands_per_client", 0, 10'000, limits.perClient);
    table.readCount("island_queue", 0, 100'000, limits.waiting);
    table.read("island_queue_timeout", limits.patience);
}

void readOtherSites(ConfigTable& outer, Config& config) {
    const site::SiteSettings defaults = config.sites.front();
    for (const toml::table* const node : outer.readTables("site")) {
        ConfigTable table(*node, "[[site]]", outer.errors());
        site::SiteSettings site;
        site.islands.clear();
        readSite(table, config.directory, site);
        const auto* const hosts = node->get("hosts");
        if (hosts == nullptr || (hosts->is_array() && hosts->as_array()->empty()))
            outer.complain(*node, "site", "expected `hosts`: the names this site answers to");
        if (!node->contains("root") && !node->contains("islands") && !node->contains("route"))
            outer.complain(*node, "site",
                           "expected `root`, `islands` or routes: nothing would answer");
        table.finish();
        config.sites.push_back(std::move(site));
    }
}

/// A name that two sites claim would go to one of them by chance.
void checkHosts(ConfigTable& table, const Config& config) {
    std::set<std::string> seen;
    for (const site::SiteSettings& site : config.sites)
        for (const std::string& host : site.hosts)
            if (!seen.insert(host).second)
                table.complain(*table.take("site"), "site",
                               text::concat("two sites have the host \"", host, '"'));
}

bool holdsNul(std::string_view text) {
    return text.find('\0') != std::string_view::npos;
}

/// The system's names end at a NUL, and so would what a person believes to have written.
void checkForNul(const toml::node& node, ConfigErrors& errors) {
    const auto add = [&errors](const toml::source_position& place) {
        errors.add(place.line, place.column, "holds a NUL byte, which nothing here may hold");
    };
    if (const auto* const text = node.as_string(); text != nullptr && holdsNul(text->get()))
        add(node.source().begin);
    if (const auto* const list = node.as_array())
        for (const toml::node& item : *list)
            checkForNul(item, errors);
    if (const auto* const table = node.as_table())
        for (const auto& [key, item] : *table) {
            if (holdsNul(key.str())) add(key.source().begin);
            checkForNul(item, errors);
        }
}

void readAll(ConfigTable& table, Config& config) {
    readListen(table, config);
    readPanel(table, config);
    readProxies(table, config.serve);
    readLimits(table, config.serve, config.cache);
    readTimeouts(table, config.serve);
    readAccessLog(table, config);
    table.read("request_id", config.serve.requestIdField);
    table.read("pageviews", config.pageviews);
    readAdmission(table, config.islands.admission);
    readIslandRules(table, config.islands.rules);
    readSite(table, config.directory, config.sites.front());
    readOtherSites(table, config);
    checkHosts(table, config);
    table.finish();
    fillNeverSent(config);
}

Config defaultsFor(const std::string& directory) {
    Config config;
    config.directory = directory;
    config.panel = *io::Address::parse("127.0.0.1:8081");
    config.islands.spool = config.data();
    config.islands.rules.timeout = std::chrono::seconds(60);
    config.islands.rules.limits = process::usualLimits();
    site::SiteSettings& site = config.sites.emplace_back();
    site.documents = directory + "/www";
    site.islands = directory + "/cgi-bin";
    fillNeverSent(config);
    return config;
}

std::unexpected<std::vector<ConfigError>> wrongFile(const std::string& file, std::string message) {
    return std::unexpected(std::vector<ConfigError>{{file, 0, 0, std::move(message)}});
}

} // namespace

std::expected<Config, std::vector<ConfigError>>
parseConfig(const std::string& text, const std::string& file, const std::string& directory) {
    if (auto fault = faultOfText(text, file)) return std::unexpected(std::vector{*fault});
    Config config = defaultsFor(directory);
    ConfigErrors errors(file);
    try {
        const toml::table root = toml::parse(text, file);
        checkForNul(root, errors);
        if (!errors.empty()) return std::unexpected(errors.take());
        ConfigTable table(root, "", errors);
        readAll(table, config);
    } catch (const toml::parse_error& error) {
        const auto place = error.source().begin;
        errors.add(place.line, place.column, std::string(error.description()));
    }
    if (!errors.empty()) return std::unexpected(errors.take());
    config.text = text;
    config.warnings = errors.takeWarnings();
    return config;
}

std::expected<Config, std::vector<ConfigError>> readConfig(const std::string& file,
                                                           const std::string& directory) {
    const auto text = readConfigText(file);
    if (!text) return std::unexpected(std::vector{text.error()});
    if (!*text) return defaultsFor(directory);
    return parseConfig(**text, file, directory);
}

std::expected<Config, std::vector<ConfigError>> readConfig(const std::string& directory) {
    std::error_code failed;
    const auto absolute = std::filesystem::canonical(directory, failed);
    if (failed) return wrongFile(directory, "cannot use this directory: " + failed.message());
    if (!std::filesystem::is_directory(absolute, failed))
        return wrongFile(directory, "is no directory; expected the directory of a site");
    return readConfig(absolute.string() + "/atoll.toml", absolute.string());
}

} // namespace reef::app
