#include "pageviews/agent.h"

#include <catch2/catch.hpp>
#include <string>

using namespace reef::pageviews;

TEST_CASE("browsers are people, and known by name") {
    const struct {
        std::string_view agent;
        std::string_view name;
    } cases[] = {
        {"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox"},
        {"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
         "Chrome/126.0.0.0 "
         "Safari/537.36",
         "Chrome"},
        {"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
         "Chrome/126.0.0.0 "
         "Safari/537.36 Edg/126.0.0.0",
         "Edge"},
        {"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
         "Version/17.5 "
         "Safari/605.1.15",
         "Safari"},
        {"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
         "Gecko) "
         "CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1",
         "Chrome"},
        {"Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) "
         "SamsungBrowser/25.0 "
         "Chrome/121.0.0.0 Mobile Safari/537.36",
         "Samsung Internet"},
        {"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
         "Chrome/124.0.0.0 "
         "Safari/537.36 OPR/110.0.0.0",
         "Opera"},
        {"Lynx/2.8.9rel.1 libwww-FM/2.14 SSL-MM/1.4.1 GNUTLS/3.7.1", "Lynx"},
        {"w3m/0.5.3+git20230121", "w3m"},
        {"w3m/0.5", "w3m"}, // short, and still a browser
        {"Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0)", "Internet Explorer"},
        {"Mozilla/5.0 (Linux; Android 9; CUBOT X20 PRO) AppleWebKit/537.36 (KHTML, like Gecko) "
         "Chrome/88.0.4324.152 "
         "Mobile Safari/537.36",
         "Chrome"}, // a telephone, not a bot
        {"Some Unheard-Of Browser/1.0 (Plan 9)", "other"},
    };
    for (const auto& c : cases) {
        CAPTURE(c.agent);
        CHECK(agentOf(c.agent).verdict == Verdict::person);
        CHECK(agentOf(c.agent).name == c.name);
    }
}

TEST_CASE("what is no browser is a bot, and the reason is told") {
    const struct {
        std::string_view agent;
        Verdict verdict;
        std::string_view name;
    } cases[] = {
        {"", Verdict::agentMissing, "none"},
        {"  ", Verdict::agentMissing, "none"},
        {"curl/7.88.1", Verdict::clientLibrary, "curl"}, // grav#4274
        {"Wget/1.21.3", Verdict::clientLibrary, "Wget"},
        {"python-requests/2.31.0", Verdict::clientLibrary, "python-requests"},
        {"Go-http-client/1.1", Verdict::clientLibrary, "Go-http-client"},
        {"Java/17.0.9", Verdict::clientLibrary, "Java"},
        {"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; "
         "+https://openai.com/gptbot)",
         Verdict::botWord, "GPTBot"},
        {"Mozilla/5.0 (Macintosh) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 "
         "Safari/537.36; "
         "compatible; OAI-SearchBot/1.0",
         Verdict::botWord, "OAI-SearchBot"}, // goaccess#2856: bot words win
        {"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
         Verdict::botWord, "Googlebot"},
        {"Mozilla/5.0 (compatible; Baiduspider/2.0)", Verdict::botWord, "Baiduspider"},
        {"Mozilla/5.0 (compatible; AwarioSmartCrawler/1.0)", Verdict::botWord,
         "AwarioSmartCrawler"},
        {"Mozilla/5.0 (Linux; CUBOT X20) Googlebot/2.1", Verdict::botWord, "Googlebot"},
        {"Mozilla/5.0 (X11) AppleWebKit/537.36 HeadlessChrome/120.0 Safari/537.36",
         Verdict::knownBot, "HeadlessChrome"},
        {"facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
         Verdict::knownBot, "facebookexternalhit"},
        {"Mozilla/5.0 (compatible; PageFetcher/3.0; +http://example.net/)", Verdict::agentAddress,
         "PageFetcher"},
        {"sqlmap/1.7#stable (https://sqlmap.org)", Verdict::scanner, "sqlmap"}, // goaccess#1221
        {"Mozilla/5.0 (compatible; Nmap Scripting Engine; https://nmap.org/book/nse.html)",
         Verdict::scanner, "Nmap"},
        {"Mozilla/5.0", Verdict::agentShort, "Mozilla"},
        {"x", Verdict::agentShort, "x"},
        {"\xff\xfe", Verdict::agentShort, "other"},
    };
    for (const auto& c : cases) {
        CAPTURE(c.agent);
        CHECK(agentOf(c.agent).verdict == c.verdict);
        CHECK(agentOf(c.agent).name == c.name);
    }
}

TEST_CASE("a name holds no more than a name, whatever the agent") {
    const auto agent =
        agentOf("Mozilla/5.0 (compatible; " + std::string(400, 'x') + "bot<script>)");
    CHECK(agent.verdict == Verdict::botWord);
    CHECK(agent.name.size() == kMaxAgentName);
    CHECK(agentOf("<b>bot\x1b[0m").name == "bot");
    CHECK(agentOf(std::string(100'000, 'a') + " bot/").verdict ==
          Verdict::agentShort); // read to a limit
}
