#include "pageviews/agent.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace reef::pageviews {

namespace {

/// A needle in small letters, and the name to show.
struct Word {
    std::string_view needle;
    std::string_view name;
};

constexpr Word kScanners[] = {
    {"sqlmap", "sqlmap"},        {"nmap scripting", "Nmap"},
    {"nikto", "Nikto"},          {"nuclei", "Nuclei"},
    {"masscan", "masscan"},      {"zgrab", "zgrab"},
    {"wpscan", "WPScan"},        {"gobuster", "gobuster"},
    {"dirbuster", "DirBuster"},  {"feroxbuster", "feroxbuster"},
    {"fuzz faster", "ffuf"},     {"whatweb", "WhatWeb"},
    {"acunetix", "Acunetix"},    {"nessus", "Nessus"},
    {"openvas", "OpenVAS"},      {"qualys", "Qualys"},
    {"burpcollab", "Burp"},      {"netsparker", "Netsparker"},
    {"censysinspect", "Censys"}, {"internet-measurement", "internet-measurement"},
    {"expanse", "Expanse"},      {"leakix", "LeakIX"},
    {"httpx - open", "httpx"},
};

constexpr Word kLibraries[] = {
    {"curl/", "curl"},
    {"libcurl", "curl"},
    {"wget/", "Wget"},
    {"python-requests", "python-requests"},
    {"python-urllib", "python-urllib"},
    {"python-httpx", "python-httpx"},
    {"aiohttp", "aiohttp"},
    {"go-http-client", "Go-http-client"},
    {"java/", "Java"},
    {"java-http-client", "Java"},
    {"apache-httpclient", "Apache-HttpClient"},
    {"okhttp", "okhttp"},
    {"libwww-perl", "libwww-perl"},
    {"http-tiny", "HTTP-Tiny"},
    {"mojolicious", "Mojolicious"},
    {"axios/", "axios"},
    {"node-fetch", "node-fetch"},
    {"undici", "undici"},
    {"guzzlehttp", "GuzzleHttp"},
    {"symfony httpclient", "Symfony HttpClient"},
    {"php/", "PHP"},
    {"faraday", "Faraday"},
    {"httparty", "HTTParty"},
    {"reqwest", "reqwest"},
    {"hyper/", "hyper"},
    {"dart/", "Dart"},
    {"lua-resty-http", "lua-resty-http"},
    {"winhttp", "WinHTTP"},
    {"powershell", "PowerShell"},
    {"httpie/", "HTTPie"},
    {"postmanruntime", "Postman"},
    {"insomnia/", "Insomnia"},
    {"apachebench", "ApacheBench"},
    {"wrk/", "wrk"},
    {"jmeter", "JMeter"},
};

constexpr Word kKnown[] = {
    {"headlesschrome", "HeadlessChrome"},
    {"phantomjs", "PhantomJS"},
    {"puppeteer", "Puppeteer"},
    {"playwright", "Playwright"},
    {"selenium", "Selenium"},
    {"lighthouse", "Lighthouse"},
    {"pagespeed", "PageSpeed"},
    {"google-inspectiontool", "Google-InspectionTool"},
    {"mediapartners-google", "Mediapartners-Google"},
    {"googleother", "GoogleOther"},
    {"feedfetcher", "FeedFetcher"},
    {"apis-google", "APIs-Google"},
    {"bingpreview", "BingPreview"},
    {"slurp", "Yahoo Slurp"},
    {"facebookexternalhit", "facebookexternalhit"},
    {"meta-externalagent", "meta-externalagent"},
    {"whatsapp/", "WhatsApp"},
    {"skypeuripreview", "SkypeUriPreview"},
    {"embedly", "Embedly"},
    {"chatgpt-user", "ChatGPT-User"},
    {"perplexity-user", "Perplexity-User"},
    {"claude-user", "Claude-User"},
    {"anthropic-ai", "anthropic-ai"},
    {"cohere-ai", "cohere-ai"},
    {"ia_archiver", "ia_archiver"},
    {"heritrix", "Heritrix"},
    {"nutch", "Nutch"},
    {"scrapy", "Scrapy"},
    {"httrack", "HTTrack"},
    {"screaming frog", "Screaming Frog"},
    {"pingdom", "Pingdom"},
    {"statuscake", "StatusCake"},
    {"site24x7", "Site24x7"},
    {"newrelicpinger", "NewRelicPinger"},
    {"uptime-kuma", "Uptime-Kuma"},
    {"better uptime", "Better Uptime"},
    {"check_http", "check_http"},
    {"zabbix", "Zabbix"},
    {"blackbox exporter", "Blackbox Exporter"},
    {"kube-probe", "kube-probe"},
    {"elb-healthchecker", "ELB-HealthChecker"},
    {"googlehc", "GoogleHC"},
    {"cloudflare-healthchecks", "Cloudflare-Healthchecks"},
    {"wordpress/", "WordPress"},
    {"mastodon/", "Mastodon"},
    {"pleroma", "Pleroma"},
    {"validator", "Validator"},
};

/// Products that hold a bot word and are none.
constexpr std::string_view kInnocent[] = {"cubot", "studobrowser"};

constexpr std::string_view kBotWords[] = {"bot", "crawl", "spider"};

/// In this order: many browsers name those below them as well.
constexpr Word kBrowsers[] = {
    {"duckduckgo/", "DuckDuckGo"},
    {"ddg/", "DuckDuckGo"},
    {"edg/", "Edge"},
    {"edga/", "Edge"},
    {"edgios/", "Edge"},
    {"edge/", "Edge"},
    {"opr/", "Opera"},
    {"opera/", "Opera"},
    {"vivaldi/", "Vivaldi"},
    {"yabrowser/", "Yandex"},
    {"samsungbrowser/", "Samsung Internet"},
    {"ucbrowser/", "UC Browser"},
    {"seamonkey/", "SeaMonkey"},
    {"palemoon/", "Pale Moon"},
    {"fxios/", "Firefox"},
    {"firefox/", "Firefox"},
    {"crios/", "Chrome"},
    {"chromium/", "Chromium"},
    {"chrome/", "Chrome"},
    {"epiphany/", "Epiphany"},
    {"konqueror", "Konqueror"},
    {"netsurf/", "NetSurf"},
    {"ladybird/", "Ladybird"},
    {"dillo/", "Dillo"},
    {"lynx/", "Lynx"},
    {"elinks", "ELinks"},
    {"links (", "Links"},
    {"w3m/", "w3m"},
    {"msie ", "Internet Explorer"},
    {"trident/", "Internet Explorer"},
    {"safari/", "Safari"},
    {"applewebkit/", "WebKit"},
};

/// User agents beyond this length are read so far only; browsers stay below 300.
constexpr std::size_t kReadBytes = 512;
constexpr std::size_t kShortestBrowser = 10;

std::optional<std::string_view> find(std::span<const Word> words, std::string_view agent) noexcept {
    for (const auto& word : words)
        if (agent.find(word.needle) != std::string_view::npos) return word.name;
    return std::nullopt;
}

bool isNameCharacter(char c) noexcept {
    return text::isAlpha(c) || text::isDigit(c) || c == '-' || c == '_' || c == '.';
}

/// The product name around a place, for example where a bot word was found.
std::string_view nameAround(std::string_view agent, std::size_t place) noexcept {
    std::size_t first = place;
    while (first > 0 && isNameCharacter(agent[first - 1]))
        --first;
    std::size_t last = place;
    while (last < agent.size() && isNameCharacter(agent[last]))
        ++last;
    if (first == last) return "other";
    return agent.substr(first, std::min(last - first, kMaxAgentName));
}

/// The product name of an agent that is no browser: after "compatible; ", else at the front.
std::string_view productName(std::string_view agent) noexcept {
    static constexpr std::string_view kIntroduction = "compatible; ";
    const auto found = agent.find(kIntroduction);
    return nameAround(agent, found == std::string_view::npos ? 0 : found + kIntroduction.size());
}

/// Where a bot word stands outside the innocent names.
std::optional<std::size_t> findBotWord(std::string_view agent) noexcept {
    std::optional<std::size_t> found;
    for (const auto word : kBotWords) {
        for (auto at = agent.find(word); at != std::string_view::npos;
             at = agent.find(word, at + 1)) {
            const bool innocent = std::ranges::any_of(kInnocent, [&](std::string_view name) {
                const auto inName = name.find(word);
                return inName != std::string_view::npos && at >= inName &&
                       agent.substr(at - inName).starts_with(name);
            });
            if (innocent) continue;
            found = std::min(found.value_or(at), at);
            break;
        }
    }
    return found;
}

} // namespace

Agent agentOf(std::string_view userAgent) noexcept {
    const auto shown = text::trim(userAgent).substr(0, kReadBytes);
    if (shown.empty()) return {Verdict::agentMissing, "none"};
    std::array<char, kReadBytes> folded;
    std::ranges::transform(shown, folded.begin(), text::lower);
    const std::string_view agent(folded.data(), shown.size());

    if (const auto name = find(kScanners, agent)) return {Verdict::scanner, *name};
    if (const auto name = find(kLibraries, agent)) return {Verdict::clientLibrary, *name};
    if (const auto name = find(kKnown, agent)) return {Verdict::knownBot, *name};
    if (const auto place = findBotWord(agent)) return {Verdict::botWord, nameAround(shown, *place)};
    if (agent.find("://") != std::string_view::npos)
        return {Verdict::agentAddress, productName(shown)};
    if (const auto name = find(kBrowsers, agent)) return {Verdict::person, *name};
    const bool plain =
        agent.find(' ') == std::string_view::npos || agent.find('/') == std::string_view::npos;
    if (plain || agent.size() < kShortestBrowser) return {Verdict::agentShort, productName(shown)};
    return {Verdict::person, "other"};
}

} // namespace reef::pageviews
