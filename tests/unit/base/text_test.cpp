#include "base/text.h"

#include <catch2/catch.hpp>

using namespace reef;

TEST_CASE("a decimal is digits only, and never overflows") {
    CHECK(text::parseDecimal("0") == 0U);
    CHECK(text::parseDecimal("1048576") == 1048576U);
    for (const char* bad : {"", "+1", "-1", " 1", "1 ", "1,0", "0x10", "99999999999999999999"})
        CHECK_FALSE(text::parseDecimal(bad));
}

TEST_CASE("items are taken off a list one by one") {
    std::string_view rest = "gzip, br ,,";
    CHECK(text::trim(text::takeUntil(rest, ',')) == "gzip");
    CHECK(text::trim(text::takeUntil(rest, ',')) == "br");
    CHECK(text::takeUntil(rest, ',').empty());
    CHECK(rest.empty());
}

TEST_CASE("hostile text cannot leave its place in HTML or in a log line") {
    CHECK(text::escapeHtml("<a href='x'>&\"") == "&lt;a href=&#39;x&#39;&gt;&amp;&quot;");
    CHECK(text::escapeControls("a\nb\x1b[2J\xff\\") == "a\\x0ab\\x1b[2J\\xff\\\\");
}

TEST_CASE("case is folded for ASCII letters alone") {
    CHECK(text::equalsIgnoreCase("Content-LENGTH", "content-length"));
    CHECK_FALSE(text::equalsIgnoreCase("\xc4", "\xe4"));
    CHECK(text::startsWithIgnoreCase("Text/HTML; charset=x", "text/html"));
}
