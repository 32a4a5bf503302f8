#include "app/config_cache.h"

#include "base/text.h"
#include "http/characters.h"

#include <algorithm>

namespace reef::app {

namespace {

/// Fields that are not a matter of what an answer says: they are applied to what is kept, or are
/// the connection's; and cookies have a key of their own.
bool isNoKey(std::string_view name) {
    constexpr std::string_view kNone[] = {"accept-encoding",
                                          "connection",
                                          "content-length",
                                          "content-type",
                                          "cookie",
                                          "expect",
                                          "host",
                                          "if-match",
                                          "if-modified-since",
                                          "if-none-match",
                                          "if-range",
                                          "if-unmodified-since",
                                          "keep-alive",
                                          "proxy",
                                          "proxy-authorization",
                                          "range",
                                          "te",
                                          "transfer-encoding",
                                          "upgrade"};
    return std::ranges::find(kNone, name) != std::end(kNone);
}

void readNames(ConfigTable& table, cache::Rules& rules) {
    table.read("headers", rules.headers);
    for (std::string& name : rules.headers) {
        name = text::toLower(name);
        if (!http::isToken(name) || isNoKey(name))
            table.complain(*table.take("headers"), "headers",
                           text::concat('"', text::escapeControls(name),
                                        "\" is no field that answers can be kept by; expected "
                                        "names such as \"Accept-Language\"",
                                        name == "cookie" ? " (and `cookies` for cookies)" : ""));
    }
    table.read("cookies", rules.cookies);
    for (const std::string& name : rules.cookies)
        if (!http::isToken(name))
            table.complain(*table.take("cookies"), "cookies",
                           "expected names of cookies, such as \"lang\"");
    std::ranges::sort(rules.headers);
    const auto twice = std::ranges::unique(rules.headers);
    rules.headers.erase(twice.begin(), twice.end());
}

} // namespace

void readResponseCache(ConfigTable& outer, site::Conduct& conduct) {
    constexpr std::string_view kKey = "response_cache";
    const toml::node* const node = outer.take(kKey);
    if (node == nullptr) return;
    if (node->value_exact<bool>() == false) {
        conduct.responseCache = nullptr;
        return;
    }
    auto rules = std::make_shared<cache::Rules>();
    if (const auto* const details = node->as_table()) {
        ConfigTable table(*details, std::string(kKey), outer.errors());
        table.read("ttl", rules->ttl);
        table.read("stale", rules->stale);
        table.read("stale_if_error", rules->staleIfError);
        readNames(table, *rules);
        table.finish();
    } else if (node->value_exact<bool>() != true) {
        return outer.complain(*node, kKey,
                              "expected true, false, or a table such as { ttl = \"60s\", stale = "
                              "\"10m\" }");
    }
    conduct.responseCache = std::move(rules);
}

} // namespace reef::app
