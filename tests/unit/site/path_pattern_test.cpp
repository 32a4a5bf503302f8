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
    const auto* const text = GENERATE("", "a", "/a/*/*", "**", "http://x/");
    CAPTURE(text);
    CHECK_FALSE(PathPattern::parse(text));
}

TEST_CASE("a directory can stand behind patterns of the kind /below/*") {
    CHECK(PathPattern::parse("/a/*")->isBelow());
    CHECK(PathPattern::parse("/*")->isBelow());
    CHECK_FALSE(PathPattern::parse("/a*")->isBelow());
    CHECK_FALSE(PathPattern::parse("/a/*.png")->isBelow());
    CHECK_FALSE(PathPattern::parse("*")->isBelow());
    CHECK_FALSE(PathPattern::parse("/a/")->isBelow());
}
