#include "app/pageview_log.h"
#include "pageviews/captured_log.h"

#include <catch2/catch.hpp>

using namespace reef;
using pageviews::test::CapturedLog;

namespace {

struct Fixture {
    Fixture() {
        request.target = "/a?x";
        request.id = "id-1";
    }

    std::string logged(int status, bool complete, bool clientLeft, std::string_view detail) {
        const CapturedLog log;
        serve::RequestRecord record{};
        record.request = &request;
        record.status = status;
        record.complete = complete;
        record.clientLeft = clientLeft;
        record.detail = detail;
        app::PageviewLog(nullptr).record(record);
        return log.text();
    }

    Arena arena;
    http::EmptyBody body;
    http::Endpoints ends;
    http::Request request{arena, body, ends};
};

bool holds(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE_METHOD(Fixture, "failures of ours are errors of the log, with request and reason") {
    const auto failed = logged(502, true, false, "the island died");
    CHECK(holds(failed, " error [request] GET /a?x -> 502: the island died (request id-1)\n"));
    CHECK(holds(logged(200, false, false, "it died"), "GET /a?x -> 200 (cut): it died"));
    CHECK(holds(logged(403, true, false, "chmod +x it"), " warning [request] GET /a?x -> 403"));
}

TEST_CASE_METHOD(Fixture, "what clients do, and what goes well, is no news") {
    CHECK(logged(200, true, false, "").empty());
    CHECK(logged(404, true, false, "").empty());
    CHECK(logged(400, true, false, "bad method").empty());
    CHECK(logged(499, false, true, "connection closed by peer").empty());
    CHECK(logged(200, false, true, "connection closed by peer").empty());
}

TEST_CASE_METHOD(Fixture, "a request cannot forge a line of the log") {
    request.target = "/a\x1b[2J\nerror";
    const auto text = logged(502, true, false, "x\ny");
    CHECK(text.find('\n') == text.size() - 1);
    CHECK_FALSE(holds(text, "\x1b"));
}
