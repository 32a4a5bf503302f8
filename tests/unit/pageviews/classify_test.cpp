#include "fixture.h"
#include "pageviews/classify.h"

#include <catch2/catch.hpp>

using namespace reef::pageviews;
using reef::pageviews::test::pageEvent;

namespace {

Verdict verdictOf(const Event& event) {
    return classify(event, agentOf(event.userAgent));
}

} // namespace

TEST_CASE("a page served to a browser is a view") {
    CHECK(verdictOf(pageEvent("/")) == Verdict::person);
}

TEST_CASE("only GET is a view") { // nextlytics PR#47, mautic PR#17263
    for (const auto method : {"HEAD", "POST", "OPTIONS", "PUT", "get", ""}) {
        auto event = pageEvent("/");
        event.method = method;
        CHECK(verdictOf(event) == Verdict::notGet);
    }
}

TEST_CASE("200 and 304 count; errors, redirects and pieces do not") { // Readplace PR#934,
                                                                      // readthedocs#8849
    const std::pair<std::uint16_t, Verdict> cases[] = {
        {200, Verdict::person},    {304, Verdict::person},    {206, Verdict::partial},
        {204, Verdict::notServed}, {301, Verdict::notServed}, {302, Verdict::notServed},
        {404, Verdict::notServed}, {403, Verdict::notServed}, {500, Verdict::notServed},
        {0, Verdict::notServed}};
    for (const auto& [status, verdict] : cases) {
        auto event = pageEvent("/");
        event.status = status;
        CAPTURE(status);
        CHECK(verdictOf(event) == verdict);
    }
}

TEST_CASE("pages are HTML; feeds are counted apart; the rest is not counted") {
    const std::pair<std::string_view, Verdict> cases[] = {
        {"text/html", Verdict::person},
        {"Text/HTML ;charset=utf-8", Verdict::person},
        {"application/xhtml+xml", Verdict::person},
        {"application/rss+xml", Verdict::feed},
        {"application/atom+xml; charset=utf-8", Verdict::feed},
        {"text/css", Verdict::notPage},
        {"text/html2", Verdict::notPage},
        {"application/json", Verdict::notPage},
        {"", Verdict::notPage}};
    for (const auto& [type, verdict] : cases) {
        auto event = pageEvent("/");
        event.contentType = type;
        CAPTURE(type);
        CHECK(verdictOf(event) == verdict);
    }
}

TEST_CASE("a 304 whose type nobody knows counts when the address bar asked for it") {
    auto event = pageEvent("/");
    event.status = 304;
    event.contentType = "";
    CHECK(verdictOf(event) == Verdict::notPage);
    event.fetchDestination = "document";
    CHECK(verdictOf(event) == Verdict::person);
    event.fetchDestination = "image";
    CHECK(verdictOf(event) == Verdict::notPage);
}

TEST_CASE("what a browser loads ahead is no view") { // plausible#5343, matomo#22627
    for (const auto purpose : {"prefetch", "prefetch;prerender", "preview", "anything"}) {
        auto event = pageEvent("/");
        event.purpose = purpose;
        CHECK(verdictOf(event) == Verdict::prefetch);
    }
}

TEST_CASE("what a script fetches is no view") { // freehire PR#2118
    const std::pair<std::string_view, Verdict> cases[] = {{"", Verdict::person},
                                                          {"document", Verdict::person},
                                                          {"empty", Verdict::notDocument},
                                                          {"iframe", Verdict::notDocument},
                                                          {"image", Verdict::notDocument}};
    for (const auto& [destination, verdict] : cases) {
        auto event = pageEvent("/");
        event.fetchDestination = destination;
        CAPTURE(destination);
        CHECK(verdictOf(event) == verdict);
    }
}

TEST_CASE("a bot is counted as one, with its reason, and a feed reader as a feed") {
    auto event = pageEvent("/");
    event.userAgent = "curl/7.88.1";
    CHECK(verdictOf(event) == Verdict::clientLibrary);
    CHECK(classOf(verdictOf(event)) == Class::bots);
    CHECK(isRecorded(verdictOf(event)));
    event.contentType = "application/rss+xml"; // goatcounter#899
    CHECK(verdictOf(event) == Verdict::feed);
}

TEST_CASE("every verdict has a class and a name") {
    CHECK(classOf(Verdict::person) == Class::people);
    CHECK(classOf(Verdict::agentMissing) == Class::bots);
    CHECK(classOf(Verdict::scanner) == Class::bots);
    CHECK(classOf(Verdict::prefetch) == Class::prefetched);
    CHECK(classOf(Verdict::feed) == Class::feeds);
    CHECK(classOf(Verdict::notGet) == Class::unrecorded);
    CHECK(nameOf(Verdict::clientLibrary) == "client-library");
    CHECK(nameOf(static_cast<Verdict>(99)) == "unknown"); // out of a database of a later version
}
