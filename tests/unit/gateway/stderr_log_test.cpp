#include "gateway/stderr_log.h"
#include "pageviews/captured_log.h"

#include <catch2/catch.hpp>
#include <string>

using namespace reef;
using gateway::StderrLog;
using pageviews::test::CapturedLog;

namespace {

std::string logged(std::initializer_list<std::string> pieces) {
    const CapturedLog log;
    StderrLog errors("cgi-bin/x.sh");
    errors.setProcess(123, "id-7");
    for (const std::string& piece : pieces)
        errors.take(bytesOf(piece));
    errors.finish();
    return log.text();
}

int countOf(const std::string& text, const std::string& part) {
    int found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

} // namespace

TEST_CASE("each line becomes one of the log, however it was cut on its way") {
    const auto text = logged({"fir", "st\nsec", "ond\r\nlast"});
    CHECK(countOf(text, "[cgi-bin/x.sh] pid 123 request id-7: ") == 3);
    CHECK(countOf(text, ": first\n") == 1);
    CHECK(countOf(text, ": second\n") == 1);
    CHECK(countOf(text, ": last\n") == 1);
}

TEST_CASE("nothing said is nothing logged") {
    CHECK(logged({}).empty());
    CHECK(logged({""}).empty());
}

TEST_CASE("a long line is cut, and the one after it is whole") {
    const auto text = logged({std::string(1500, 'a'), std::string(1500, 'a'), "\nnext\n"});
    CHECK(countOf(text, std::string(StderrLog::kMaxLineBytes, 'a') + "...\n") == 1);
    CHECK(countOf(text, ": next\n") == 1);
}

TEST_CASE("of a flood the beginning is kept, and the rest counted") {
    std::string flood;
    for (std::size_t i = 0; i < StderrLog::kMaxLines + 50; ++i)
        flood += "flood\n";
    const auto text = logged({flood});
    CHECK(countOf(text, ": flood\n") == static_cast<int>(StderrLog::kMaxLines));
    CHECK(countOf(text, "50 further lines on standard error were dropped") == 1);
}

TEST_CASE("control bytes cannot forge a line or steer a terminal") {
    const auto text = logged({"a\x1b[2Jb\rc\x80\n"});
    CHECK(countOf(text, "\n") == 1);
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find('\r') == std::string::npos);
}

TEST_CASE("what the server says about a run names its process and request too") {
    const CapturedLog log;
    StderrLog errors("cgi-bin/x.sh");
    errors.setProcess(123, "id-7");
    errors.note("exit code 3");
    CHECK(countOf(log.text(), "[cgi-bin/x.sh] pid 123 request id-7: exit code 3\n") == 1);
}
