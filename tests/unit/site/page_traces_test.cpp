#include "site/page_traces.h"
#include "site/traced_sink.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace std::chrono_literals;

namespace {

site::PageRecord recordOf(const std::string& id) {
    site::PageRecord record;
    record.requestId = id;
    return record;
}

} // namespace

TEST_CASE("the last pages are kept, the latest first, and older ones make room") {
    site::PageTraces pages;
    for (std::size_t i = 0; i != site::PageTraces::kPages + 5; ++i)
        pages.keep(recordOf(std::to_string(i)));
    const auto recent = pages.recent();
    REQUIRE(recent.size() == site::PageTraces::kPages);
    CHECK(recent.front()->requestId == "104");
    CHECK(recent.back()->requestId == "5");
    CHECK(pages.find("4") == nullptr);
    CHECK(pages.find("50")->requestId == "50");
}

TEST_CASE("of a flood of pages so many are traced in a second, and no more") {
    site::PageTraces pages;
    int due = 0;
    for (int i = 0; i != 1000; ++i)
        due += pages.isDue() ? 1 : 0;
    CHECK(due >= site::PageTraces::kPagesPerSecond);
    CHECK(due <= 2 * site::PageTraces::kPagesPerSecond); // a second may end meanwhile
}

TEST_CASE("Server-Timing holds a page and its first parts, and nothing that could end the field") {
    compose::PageTrace trace;
    trace.began = compose::FragmentTrace::Time(1s);
    auto* const part = trace.add("/a?\"x\\y\"\r\nSet-Cookie: a=b", 1, 7);
    part->read = trace.began;
    part->ended = trace.began + 1500us;
    for (int i = 0; i != 30; ++i)
        trace.add("/b", 1, 8)->read = trace.began + 1ms;
    const auto text = site::serverTiming(trace, trace.began + 12'340us);
    CHECK(text.starts_with("page;dur=12.3, f1;desc=\"/a?\\\"x\\\\y\\\"Set-Cookie: a=b\";dur=1.5, "
                           "f2;desc=\"/b\";dur=11.3, "));
    CHECK(text.find("f20;") != std::string::npos);
    CHECK(text.find("f21;") == std::string::npos);
    CHECK(text.find('\n') == std::string::npos);
}
