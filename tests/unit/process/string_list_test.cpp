#include "process/string_list.h"

#include <catch2/catch.hpp>
#include <stdexcept>

using reef::process::StringList;
using reef::process::StringListView;
using namespace std::string_view_literals;

TEST_CASE("strings lie one behind the other with a NUL each") {
    StringList list{"sh", "-c"};
    list.add("");
    list.add("PATH", "/bin");
    CHECK(list.view().bytes == "sh\0-c\0\0PATH=/bin\0"sv);
    CHECK(list.count() == 4);
    CHECK(list.view().valid());
}

TEST_CASE("a NUL inside a string is a bug, for it would smuggle in another string") {
    StringList list;
    CHECK_THROWS_AS(list.add("a\0LD_PRELOAD=x"sv), std::invalid_argument);
    CHECK_THROWS_AS(list.add("NAME", "a\0b"sv), std::invalid_argument);
    CHECK_THROWS_AS(list.add("NA\0ME"sv, "a"), std::invalid_argument);
    CHECK(list.count() == 0);
    CHECK(list.view().bytes.empty());
}

TEST_CASE("pointers name each string and end with null") {
    StringList list{"one", "", "three"};
    std::vector<const char*> pointers{"left over"};
    list.view().pointers(pointers);
    REQUIRE(pointers.size() == 4);
    CHECK(pointers[0] == "one"sv);
    CHECK(pointers[1] == ""sv);
    CHECK(pointers[2] == "three"sv);
    CHECK(pointers[3] == nullptr);
}

TEST_CASE("a list is valid only when its count and its NULs agree") {
    CHECK(StringListView{""sv, 0}.valid());
    CHECK_FALSE(StringListView{""sv, 1}.valid());
    CHECK_FALSE(StringListView{"a"sv, 1}.valid());
    CHECK_FALSE(StringListView{"a\0b"sv, 1}.valid());
    CHECK_FALSE(StringListView{"a\0b\0"sv, 1}.valid());
    CHECK_FALSE(StringListView{"a\0"sv, 0}.valid());
    CHECK(StringListView{"a\0b\0"sv, 2}.valid());
}
