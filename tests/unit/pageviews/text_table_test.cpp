#include "pageviews/text_table.h"

#include <catch2/catch.hpp>

using namespace reef::pageviews;
using Align = TextTable::Align;

TEST_CASE("columns line up as a terminal shows them") {
    TextTable table(
        {{"n", Align::right, 100}, {"name", Align::left, 100}, {"of", Align::left, 100}});
    table.add({"1", "\xe4\xbd\xa0\xe5\xa5\xbd", "a"});
    table.add({"100", "abcde", "b"});
    CHECK(table.print(80, 1) == "  n  name   of\n"
                                "  1  \xe4\xbd\xa0\xe5\xa5\xbd   a\n"
                                "100  abcde  b\n");
}

TEST_CASE("what is too wide gives way, and says so") {
    TextTable table({{"page", Align::left, 100}, {"by", Align::left, 4}});
    table.add({"/a-long-page-name", "Firefox"});
    table.add(
        {"/\xe4\xbd\xa0\xe4\xbd\xa0\xe4\xbd\xa0\xe4\xbd\xa0\xe4\xbd\xa0\xe4\xbd\xa0\xe4\xbd\xa0",
         "x"});
    CHECK(table.print(16, 0) == "page        by\n"
                                "/a-long-p…  Fir…\n"
                                "/\xe4\xbd\xa0\xe4\xbd\xa0\xe4\xbd\xa0\xe4\xbd\xa0…  x\n");
    CHECK(table.print(1, 0).find("/a-long…") != std::string::npos); // no narrower than 8
}

TEST_CASE("a cell cannot steer the terminal") {
    TextTable table({{"page", Align::left, 100}});
    table.add({"/\x1b[31m\n"});
    CHECK(table.print(80, 0) == "page\n/\\x1b[31m\\x0a\n");
}
