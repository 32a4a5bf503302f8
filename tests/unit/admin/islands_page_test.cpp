#include "admin/islands_page.h"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>

using namespace reef;
using namespace reef::admin;
using namespace std::chrono;

namespace {

bool contains(const Html& html, std::string_view text) {
    return html.text().find(text) != std::string::npos;
}

std::size_t countOf(const Html& html, std::string_view text) {
    std::size_t count = 0;
    for (auto at = html.text().find(text); at != std::string::npos;
         at = html.text().find(text, at + 1))
        ++count;
    return count;
}

IslandFacts islandNamed(std::string name, microseconds p95) {
    IslandFacts island;
    island.name = std::move(name);
    island.runs = 1234;
    island.wallP50 = 12ms;
    island.wallP95 = p95;
    island.wallP99 = 2s;
    island.cpuP50 = 7ms;
    island.queueP99 = 3ms;
    island.peakMemory = ByteCount{5} << 20U;
    island.bytes = 2048;
    return island;
}

PageCourse::Part partOf(std::string target, milliseconds from, milliseconds to) {
    PageCourse::Part part;
    part.target = std::move(target);
    part.status = 200;
    part.attempts = 1;
    part.read = from;
    part.starts = from;
    part.firstByte = to;
    part.ended = to;
    return part;
}

PageCourse someCourse() {
    PageCourse page;
    page.target = "/page.shtml?x=1";
    page.host = "tide.example";
    page.when = sys_days(2026y / November / 30) + 14h + 20min + 9s;
    page.status = 200;
    page.bytes = 4096;
    page.complete = true;
    page.head = 4ms;
    page.took = 320ms;
    page.parts = {partOf("/part.html", 1ms, 2ms), partOf("/cgi-bin/nap.sh", 2ms, 310ms)};
    return page;
}

/// Every text of the page is `text`.
IslandsFacts factsWith(const std::string& text) {
    IslandsFacts facts;
    facts.islands.push_back(islandNamed(text, 30ms));
    facts.islands.front().failures = 1;
    facts.islands.front().errors = {text};
    PageCourse page = someCourse();
    page.target = page.host = text;
    auto& part = page.parts.front();
    part.target = part.source = part.why = part.lastError = text;
    page.parts.back().target = text;
    facts.pages.push_back(page);
    return facts;
}

} // namespace

TEST_CASE("the page about islands shows who runs and waits, and each island's numbers") {
    IslandsFacts facts;
    facts.running = 3;
    facts.waiting = 17;
    facts.waited = 4711;
    facts.refused = 29;
    facts.islands.push_back(islandNamed("/cgi-bin/tide.sh", 345ms));
    const Html page = islandsPage(facts);
    for (const char* text : {"<b>3</b>", "<b>17</b>", "<b>4,711</b>", "<b>29</b>",
                             ">/cgi-bin/tide.sh</bdi>", "1,234", R"(data-label="Wall p50">12 ms<)",
                             R"(data-label="Wall p95">345 ms<)", R"(data-label="Wall p99">2 s<)",
                             R"(data-label="CPU p50">7 ms<)", R"(data-label="Queue p99">3 ms<)",
                             R"(data-label="Peak memory">5 MB<)", R"(data-label="Output">2 KB<)"}) {
        INFO(text);
        CHECK(contains(page, text));
    }
    CHECK_FALSE(contains(page, "No island has run"));
    CHECK_FALSE(contains(page, "class=\"said\""));
}

TEST_CASE("the slowest island stands first, and those that are as slow by name") {
    const Html section = islandsSection(
        {islandNamed("/quick", 1ms), islandNamed("/slow", 9s), islandNamed("/also-quick", 1ms)});
    const auto at = [&](std::string_view name) { return section.text().find(name); };
    REQUIRE(at("/also-quick") != std::string::npos);
    CHECK(at("/slow") < at("/also-quick"));
    CHECK(at("/also-quick") < at("/quick"));
}

TEST_CASE("an island that fails has its last words below it, one that does not has none") {
    auto island = islandNamed("/cgi-bin/dies.sh", 1ms);
    island.errors = {"no tide table", "for 1870"};
    CHECK_FALSE(contains(islandsSection({island}), "no tide table"));
    island.failures = 2;
    const Html section = islandsSection({island});
    CHECK(contains(section, R"(<td class="number failed" data-label="Failed">2</td>)"));
    CHECK(contains(section, "<li><code>no tide table</code></li><li><code>for 1870</code></li>"));
    island.errors.clear();
    CHECK(contains(islandsSection({island}), "It wrote nothing to its standard error."));
}

TEST_CASE("a page that was composed opens into its waterfall") {
    const Html section = lastPagesSection({someCourse()});
    for (const char* text :
         {"<details class=\"page\"><summary>", "2026-11-30T14:20:09Z", "30 Nov 14:20:09",
          "/page.shtml?x=1", ">320 ms<", ">2 parts<",
          R"(slowest <bdi>/cgi-bin/nap.sh</bdi> <span class="nowrap">308 ms</span>)",
          "4 KB of content in 320 ms, the first of it after 4 ms; asked of "
          "<bdi>tide.example</bdi>"}) {
        INFO(text);
        CHECK(contains(section, text));
    }
    CHECK(countOf(section, "<svg class=\"course\"") == 2);
    CHECK_FALSE(contains(section, "<details class=\"page\" open"));

    auto one = someCourse();
    one.parts.pop_back();
    one.parts.front().failed = true;
    CHECK(contains(lastPagesSection({one}), "<span class=\"count failed\">1 part<"));
}

TEST_CASE("a server whose islands have not run says how to get some") {
    const Html page = islandsPage({});
    CHECK(contains(page, "No island has run since the server began"));
    CHECK(contains(page, "cgi-bin/"));
    CHECK(contains(page, "No page was composed"));
    CHECK(contains(page, "&lt;!--#include virtual="));
    CHECK(countOf(page, "<table") == 0);
    CHECK(countOf(page, "<!--") == 0);
}

TEST_CASE("hostile text in every place of islands and pages is shown as text") {
    const std::string attacks[] = {
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "'onmouseover='alert(1)",
        "</td></table></details><form action=//evil.example>",
        "{}{}<b>",
        std::string("a\0b\x1b[31m\r\nSet-Cookie: x", 22),
        "\xe2\x80\xae\xff<svg/onload=alert(1)>",
    };
    const Html plain = islandsPage(factsWith("x"));
    for (const std::string& attack : attacks) {
        INFO(attack);
        const Html hostile = islandsPage(factsWith(attack));
        for (const char* sign : {"<", ">", "\"", "'"}) {
            INFO(sign);
            CHECK(countOf(hostile, sign) == countOf(plain, sign));
        }
        for (const char* raw : {"\r", "\x1b", "\xe2\x80\xae", "\xff"})
            CHECK_FALSE(contains(hostile, raw));
        CHECK(hostile.text().find('\0') == std::string::npos);
    }
}
