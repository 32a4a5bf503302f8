#include "app/config_islands.h"

#include "base/quantity.h"
#include "base/text.h"
#include "process/limit_check.h"

#include <algorithm>

namespace reef::app {

namespace {

constexpr std::string_view kUnlimited = "unlimited";

template<class Value>
using Parsed = std::expected<std::optional<Value>, std::string>;

Parsed<std::chrono::seconds> parseCpuTime(std::string_view text) {
    if (text == kUnlimited) return process::kUnlimited<std::chrono::seconds>;
    const auto time = parseDuration(text);
    if (time && *time >= std::chrono::seconds(1))
        return std::chrono::ceil<std::chrono::seconds>(*time);
    return std::unexpected("expected a time of at least \"1s\", or \"unlimited\"");
}

Parsed<ByteCount> parseBytes(std::string_view text) {
    if (text == kUnlimited) return process::kUnlimited<ByteCount>;
    if (const auto size = parseSize(text)) return *size;
    return std::unexpected("expected a size such as \"256MB\", or \"unlimited\"");
}

void readNumber(ConfigTable& table, std::string_view key, std::uint32_t least,
                std::optional<std::uint32_t>& target) {
    const toml::node* const node = table.take(key);
    if (node == nullptr) return;
    if (node->value_exact<std::string>() == kUnlimited) {
        target = process::kUnlimited<std::uint32_t>;
        return;
    }
    const auto value = node->value_exact<std::int64_t>();
    if (!value || *value < least || *value > 1'000'000)
        return table.complain(
            *node, key,
            text::concat("expected a number from ", least, " to 1000000, or \"unlimited\""));
    target = static_cast<std::uint32_t>(*value);
}

void readNice(ConfigTable& table, std::optional<int>& target) {
    const toml::node* const node = table.take("nice");
    if (node == nullptr) return;
    const auto value = node->value_exact<std::int64_t>();
    if (!value || *value < -20 || *value > 19)
        return table.complain(*node, "nice",
                              "expected a number from -20 (served first) to 19 (served last)");
    target = static_cast<int>(*value);
}

void readLimitTable(ConfigTable& outer, process::Limits& limits) {
    const toml::table* const node = outer.readTable("island_limits");
    if (node == nullptr) return;
    constexpr std::uint32_t kLeastFiles = 16; // a program's own, and its libraries'
    ConfigTable table(*node, "island_limits", outer.errors());
    table.readAs<std::optional<std::chrono::seconds>>("cpu", limits.cpuTime, parseCpuTime);
    table.readAs<std::optional<ByteCount>>("memory", limits.dataSize, parseBytes);
    table.readAs<std::optional<ByteCount>>("address_space", limits.addressSpace, parseBytes);
    table.readAs<std::optional<ByteCount>>("file_size", limits.fileSize, parseBytes);
    table.readAs<std::optional<ByteCount>>("core", limits.coreSize, parseBytes);
    readNumber(table, "files", kLeastFiles, limits.openFiles);
    readNumber(table, "processes", 1, limits.processes);
    readNice(table, limits.nice);
    table.finish();
}

void readUser(ConfigTable& table, std::optional<gateway::IslandUser>& target) {
    gateway::IslandUser user;
    table.read("user", user.user);
    table.read("group", user.group);
    const toml::node* const group = table.take("group");
    const toml::node* const name = table.take("user");
    if (name != nullptr && user.user.empty())
        table.complain(*name, "user", "expected the name or number of a user");
    if (group != nullptr && name == nullptr)
        table.complain(*group, "group", "expected `user` beside it: whose group?");
    if (name != nullptr) target = std::move(user);
}

void readTime(ConfigTable& table, std::string_view key,
              std::optional<std::chrono::milliseconds>& target) {
    constexpr auto kEndless = std::chrono::hours(366 * 24);
    const toml::node* const node = table.take(key);
    if (node != nullptr && node->value_exact<std::string>() == kUnlimited) {
        target = kEndless;
        return;
    }
    std::chrono::milliseconds time{};
    table.read(key, time);
    if (time.count() != 0) target = time;
}

} // namespace

void readIslandRules(ConfigTable& table, gateway::IslandRules& rules) {
    readTime(table, "island_timeout", rules.timeout);
    readTime(table, "island_idle_timeout", rules.idleTimeout);
    readUser(table, rules.user);
    readLimitTable(table, rules.limits);
}

bool saysAnything(const gateway::IslandRules& rules) {
    return rules.timeout || rules.idleTimeout || rules.user ||
           rules.limits != process::Limits::none();
}

void forEachRules(Config& config, const std::function<void(gateway::IslandRules&)>& visit) {
    visit(config.islands.rules);
    for (site::SiteSettings& site : config.sites) {
        if (site.conduct.islandRules) visit(*site.conduct.islandRules);
        for (site::Route& route : site.routes)
            if (route.conduct.islandRules) visit(*route.conduct.islandRules);
    }
}

std::vector<gateway::IslandUser> islandUsers(const Config& config) {
    std::vector<gateway::IslandUser> users;
    Config copy = config;
    forEachRules(copy, [&users](const gateway::IslandRules& rules) {
        if (rules.user && std::ranges::find(users, *rules.user) == users.end())
            users.push_back(*rules.user);
    });
    return users;
}

std::vector<std::string> faultsOfIslandLimits(const Config& config, pid_t keeper) {
    std::vector<std::string> faults;
    Config copy = config;
    const auto rights = process::LimitRights::of(keeper);
    forEachRules(copy, [&](const gateway::IslandRules& rules) {
        for (std::string& fault : process::faultsOfLimits(rules.limits, rights))
            if (std::ranges::find(faults, fault) == faults.end())
                faults.push_back(std::move(fault));
    });
    return faults;
}

} // namespace reef::app
