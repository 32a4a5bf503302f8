#include "site/path_pattern.h"

#include <catch2/catch.hpp>

using reef::site::PathPattern;

TEST_CASE("a pattern is a path, or has one star for any text") {
    struct Case {
        const char* pattern;
        const char* path;
        const char* star; ///< null: no match
    };
    const auto c = GENERATE(
        Case{"/a", "/a", ""}, Case{"/a", "/ab", nullptr}, Case{"/a", "/a/", nullptr},
        Case{"/a/*", "/a/", ""}, Case{"/a/*", "/a/b/c", "b/c"}, Case{"/a/*", "/a", nullptr},
        Case{"*.css", "/x/y.css", "/x/y"}, Case{"*.css", "/x.css.map", nullptr},
        Case{"/img/*.png", "/img/a.png", "a"}, Case{"/img/*.png", "/img.png", nullptr},
        Case{"/aa*aa", "/aaa", nullptr}, Case{"*", "/anything", "/anything"});
    CAPTURE(c.pattern, c.path);
    const auto star = PathPattern::parse(c.pattern).value().match(c.path);
    CHECK(star.has_value() == (c.star != nullptr));
    if (star && c.star != nullptr) CHECK(*star == c.star);
}

TEST_CASE("what is no pattern is refused") {
    const auto* const text = GENERATE("", "a", "/a/*/*", "**", "http://x/", "/a%20b", "/%2e%2E/x",
                                      "/a//b", "//a", "/a//*", "/./a", "/a/.", "/a/../b", "/..",
                                      "/a?b", "/a#b", "/a\tb", "/a\x7f", "/a\r\n");
    CAPTURE(text);
    CHECK_FALSE(PathPattern::parse(text));
}

TEST_CASE("what looks like an escape or a dot segment, and is none, is a pattern") {
    const auto* const text =
        GENERATE("/100%", "/a%zz", "/..a", "/a.", "/.well-known/*", "*.", "/\xc3\xa4");
    CAPTURE(text);
    CHECK(PathPattern::parse(text));
}

TEST_CASE("the refusal of a pattern that never matches says what to write instead") {
    CHECK(PathPattern::parse("/my%20page").error().find("write the character itself") !=
          std::string::npos);
    CHECK(PathPattern::parse("/a//b").error().find("write one slash") != std::string::npos);
    CHECK(PathPattern::parse("/a/../b").error().find("the path that it leads to") !=
          std::string::npos);
}

TEST_CASE("a directory can stand behind patterns of the kind /below/*") {
    CHECK(PathPattern::parse("/a/*")->isBelow());
    CHECK(PathPattern::parse("/*")->isBelow());
    CHECK_FALSE(PathPattern::parse("/a*")->isBelow());
    CHECK_FALSE(PathPattern::parse("/a/*.png")->isBelow());
    CHECK_FALSE(PathPattern::parse("*")->isBelow());
    CHECK_FALSE(PathPattern::parse("/a/")->isBelow());
}
