#include "base/utf8.h"

#include <catch2/catch.hpp>

using namespace reef;

TEST_CASE("only shortest forms of Unicode's own code points are UTF-8") {
    const struct {
        std::string_view bytes;
        char32_t value;
        std::size_t length;
    } cases[] = {
        {"a", 'a', 1},
        {"\xc3\xa4", 0xe4, 2},
        {"\xe4\xbd\xa0", 0x4f60, 3},
        {"\xf0\x9f\x98\x80", 0x1f600, 4},
        {"\xf4\x8f\xbf\xbf", 0x10ffff, 4},
        {"", 0, 0},
        {"\x80", 0, 0},     // a follower first
        {"\xc0\xaf", 0, 0}, // "/" in two bytes
        {"\xc1\xbf", 0, 0},
        {"\xe0\x80\xaf", 0, 0},     // "/" in three
        {"\xf0\x80\x80\xaf", 0, 0}, // "/" in four
        {"\xed\xa0\x80", 0, 0},     // a surrogate
        {"\xf4\x90\x80\x80", 0, 0}, // beyond U+10FFFF
        {"\xf5\x80\x80\x80", 0, 0},
        {"\xe4\xbd", 0, 0}, // cut short
        {"\xe4\xbd\x41", 0, 0},
        {"\xff", 0, 0},
    };
    for (const auto& c : cases) {
        CAPTURE(c.bytes.size(), c.value);
        CHECK(utf8::first(c.bytes).length == c.length);
        CHECK(utf8::first(c.bytes).value == c.value);
    }
}

TEST_CASE("a text is cut between code points") {
    CHECK(utf8::cut("abc", 5) == "abc");
    CHECK(utf8::cut("abc", 2) == "ab");
    CHECK(utf8::cut("a\xe4\xbd\xa0", 3) == "a");
    CHECK(utf8::cut("\xf0\x9f\x98\x80", 3).empty());
    CHECK(utf8::cut("\xf0\x9f\x98\x80z", 4) == "\xf0\x9f\x98\x80");
}

TEST_CASE("columns are those of a terminal") {
    CHECK(utf8::columns("abc") == 3);
    CHECK(utf8::columns("\xe4\xbd\xa0\xe5\xa5\xbd") == 4); // 你好
    CHECK(utf8::columns("e\xcc\x81") == 1);                // e with a combining acute
    CHECK(utf8::columns("\xf0\x9f\x98\x80") == 2);
    CHECK(utf8::columns("\xff") == 1);
}

TEST_CASE("nothing a stranger sends can steer the terminal or turn its text around") {
    CHECK(utf8::escapeForTerminal("/caf\xc3\xa9 \xe4\xbd\xa0") == "/caf\xc3\xa9 \xe4\xbd\xa0");
    CHECK(utf8::escapeForTerminal("\x1b[2J\r\n\x7f") == "\\x1b[2J\\x0d\\x0a\\x7f");
    CHECK(utf8::escapeForTerminal("\xc2\x9b"
                                  "2J") == "\\xc2\\x9b"
                                           "2J"); // CSI as one C1 control
    CHECK(utf8::escapeForTerminal("a\xe2\x80\xae"
                                  "cod") == "a\\xe2\\x80\\xae"
                                            "cod"); // right-to-left override
    CHECK(utf8::escapeForTerminal("\xff\\") == "\\xff\\\\");
}
