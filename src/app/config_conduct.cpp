#include "app/config_auth.h"
#include "app/config_cache.h"
#include "app/config_islands.h"
#include "app/config_site.h"
#include "app/config_values.h"
#include "base/text.h"
#include "http/characters.h"

#include <algorithm>
#include <filesystem>

namespace reef::app {

namespace {

template<class Value>
void readOptional(ConfigTable& table, std::string_view key, std::optional<Value>& target) {
    Value value{};
    table.read(key, value);
    if (table.take(key) != nullptr) target = std::move(value);
}

void readNetworks(ConfigTable& table, std::string_view key, io::Networks& target) {
    std::vector<std::string> texts;
    table.read(key, texts);
    for (const std::string& text : texts) {
        auto network = io::Network::parse(text);
        if (network) {
            target.push_back(*network);
            continue;
        }
        table.complain(*table.take(key), key,
                       text::concat("expected addresses such as \"192.0.2.7\" or networks such as "
                                    "\"10.0.0.0/8\" (no bits behind the prefix); found \"",
                                    text, '"'));
    }
}

void readAccess(ConfigTable& table, std::optional<site::AccessRules>& target) {
    site::AccessRules rules;
    readNetworks(table, "allow", rules.allow);
    readNetworks(table, "deny", rules.deny);
    if (table.take("allow") != nullptr || table.take("deny") != nullptr) target = std::move(rules);
}

/// Fields that the server alone may set, because how an answer is read hangs on them.
bool isReserved(std::string_view name) {
    constexpr std::string_view kReserved[] = {
        "Connection", "Content-Length", "Date",         "Transfer-Encoding", "Keep-Alive",
        "Trailer",    "Upgrade",        "Content-Type", "Content-Encoding",  "Content-Range",
        "ETag",       "Last-Modified",  "Accept-Ranges"};
    return std::ranges::any_of(
        kReserved, [&](std::string_view other) { return text::equalsIgnoreCase(name, other); });
}

void readHeaders(ConfigTable& outer, std::vector<std::pair<std::string, std::string>>& headers) {
    const toml::table* const table = outer.readTable("headers");
    if (table == nullptr) return;
    for (const auto& [key, node] : *table) {
        const auto value = node.value_exact<std::string>();
        if (!http::isToken(key.str()) || isReserved(key.str()))
            outer.complain(node, "headers",
                           text::concat('"', key.str(), "\" is no field that can be set here"));
        else if (!value || !isFieldValue(*value))
            outer.complain(node, "headers", "expected text without line breaks");
        else
            headers.emplace_back(key.str(), *value);
    }
}

void readInterpreters(ConfigTable& outer, std::shared_ptr<const gateway::Interpreters>& target) {
    const toml::table* const table = outer.readTable("interpreters");
    if (table == nullptr) return;
    auto interpreters = std::make_shared<gateway::Interpreters>();
    for (const auto& [key, node] : *table) {
        const auto program = node.value_exact<std::string>();
        const std::string_view extension = key.str();
        const bool named = extension.starts_with('.') && extension.size() > 1 &&
                           extension.find_first_of("./", 1) == std::string_view::npos;
        if (!named || !program || !program->starts_with('/') ||
            program->find('\0') != std::string::npos)
            outer.complain(node, "interpreters",
                           "expected an extension and the absolute name of the program that runs "
                           "its files, as in \".php\" = \"/usr/bin/php-cgi\"");
        else if (!std::filesystem::is_regular_file(*program))
            outer.complain(node, "interpreters", text::concat("there is no program ", *program));
        else
            interpreters->add(extension, *program);
    }
    target = std::move(interpreters);
}

void readRate(ConfigTable& table, std::shared_ptr<site::RateLimit>& target) {
    site::Rate rate;
    table.readAs<site::Rate>(
        "rate", rate, [](std::string_view text) -> std::expected<site::Rate, std::string> {
            if (const auto parsed = parseRate(text)) return *parsed;
            return std::unexpected("expected requests for each client and time, such as "
                                   "\"10/s\", \"100/m\" or \"1000/h\"");
        });
    std::size_t burst = rate.burst;
    table.readCount("burst", 1, 100'000, burst);
    rate.burst = static_cast<std::uint32_t>(burst);
    if (table.take("rate") == nullptr && table.take("burst") != nullptr)
        table.warn(*table.take("burst"), "burst", "has no meaning without `rate` beside it");
    if (table.take("rate") != nullptr) target = std::make_shared<site::RateLimit>(rate);
}

/// The file's own `max_islands` is the whole machine's.
void readIslandGroup(ConfigTable& table, std::shared_ptr<gateway::IslandGroup>& target) {
    if (table.name().empty()) return;
    std::size_t most = 0;
    table.readCount("max_islands", 1, 10'000, most);
    if (most != 0) target = std::make_shared<gateway::IslandGroup>(most);
}

/// The file's own are for all sites.
void readRules(ConfigTable& table, std::optional<gateway::IslandRules>& target) {
    if (table.name().empty()) return;
    gateway::IslandRules rules;
    readIslandRules(table, rules);
    if (saysAnything(rules)) target = std::move(rules);
}

void readPages(ConfigTable& table, site::Conduct& conduct) {
    using compose::Dialect;
    using site::XBitHack;
    Dialect dialect{};
    table.readAs<Dialect>(
        "ssi_dialect", dialect, [](std::string_view text) -> std::expected<Dialect, std::string> {
            if (text == "apache") return Dialect::apache;
            if (text == "apache-legacy") return Dialect::apacheLegacy;
            if (text == "nginx") return Dialect::nginx;
            return std::unexpected("expected \"apache\", \"apache-legacy\" or \"nginx\"");
        });
    if (table.take("ssi_dialect") != nullptr) conduct.ssiDialect = dialect;
    XBitHack hack{};
    table.readAs<XBitHack>("xbithack", hack,
                           [](std::string_view text) -> std::expected<XBitHack, std::string> {
                               if (text == "off") return XBitHack::off;
                               if (text == "on") return XBitHack::on;
                               if (text == "full") return XBitHack::full;
                               return std::unexpected("expected \"off\", \"on\" or \"full\"");
                           });
    if (table.take("xbithack") != nullptr) conduct.xBitHack = hack;
}

} // namespace

void readConduct(ConfigTable& table, const std::string& directory, site::Conduct& conduct) {
    readOptional(table, "ssi", conduct.ssi);
    readOptional(table, "ssi_exec", conduct.ssiExec);
    readPages(table, conduct);
    readOptional(table, "listing", conduct.listing);
    readOptional(table, "compress", conduct.compress);
    readOptional(table, "warm", conduct.warm);
    readOptional(table, "pass_authorization", conduct.passAuthorization);
    readOptional(table, "query_arguments", conduct.queryArguments);
    readOptional(table, "server_timing", conduct.serverTiming);
    readOptional(table, "internal", conduct.internal);
    readInterpreters(table, conduct.interpreters);
    readResponseCache(table, conduct);
    readOptional(table, "cache", conduct.cacheControl);
    if (conduct.cacheControl && !isFieldValue(*conduct.cacheControl))
        table.complain(*table.take("cache"), "cache", "expected text without line breaks");
    readAccess(table, conduct.access);
    readAuth(table, directory, conduct.auth);
    readRate(table, conduct.rate);
    readIslandGroup(table, conduct.islands);
    readRules(table, conduct.islandRules);
    readHeaders(table, conduct.headers);
}

} // namespace reef::app
