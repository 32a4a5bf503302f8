#include "base/regex.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

using namespace reef;

namespace {

Regex regex(std::string_view pattern, Regex::Case letters = Regex::Case::matters) {
    auto compiled = Regex::compile(pattern, letters);
    REQUIRE(compiled);
    return *compiled;
}

} // namespace

TEST_CASE("a regular expression finds its groups in the subject") {
    Captures captures;
    const std::string subject = "/blog/2026/harbour";
    REQUIRE(regex("^/blog/(\\d+)/([a-z]+)$").search(subject, captures) == Regex::Verdict::matched);
    CHECK(captures[0] == subject);
    CHECK(captures[1] == "2026");
    CHECK(captures[2] == "harbour");
    CHECK(captures[3].empty());
    CHECK(captures[10].empty());
}

TEST_CASE("a group that took no part is empty, and captures of an earlier match do not stay") {
    Captures captures;
    captures.set(2, "old");
    REQUIRE(regex("a(x)?(b)?").search("a", captures) == Regex::Verdict::matched);
    CHECK(captures[0] == "a");
    CHECK(captures[1].empty());
    CHECK(captures[2].empty());
}

TEST_CASE("what does not match leaves the captures alone") {
    Captures captures;
    captures.set(1, "kept");
    CHECK(regex("^b").search("ab", captures) == Regex::Verdict::unmatched);
    CHECK(captures[1] == "kept");
}

TEST_CASE("case can be ignored, and bytes that are no text are only bytes") {
    Captures captures;
    CHECK(regex("\\.PHP$", Regex::Case::ignored).search("/x.php", captures) ==
          Regex::Verdict::matched);
    CHECK(regex("^.$").search("\xff", captures) == Regex::Verdict::matched);
}

TEST_CASE("the groups of a pattern that have names are told with their numbers") {
    using Names = std::vector<std::pair<std::string, std::size_t>>;
    CHECK(Regex::compile("(a)(b)").value().names().empty());
    CHECK(Regex::compile("(?<second>b)").value().names() == Names{{"second", 1}});
    CHECK(Regex::compile("(a)(?<z>b)(?<y>c)").value().names() == Names{{"y", 3}, {"z", 2}});
}

TEST_CASE("only the first ten captures are kept of a pattern with more groups") {
    Captures captures;
    const auto many = regex("(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)");
    CHECK(many.groups() == 11);
    REQUIRE(many.search("abcdefghijk", captures) == Regex::Verdict::matched);
    CHECK(captures[9] == "i");
}

TEST_CASE("a pattern that would try for ever gives up") {
    Captures captures;
    const std::string subject = std::string(64, 'a') + "!";
    CHECK(regex("^(a+)+$").search(subject, captures) == Regex::Verdict::exhausted);
}

TEST_CASE("a malformed pattern is refused with the place of the fault") {
    const auto compiled = Regex::compile("/a(b");
    REQUIRE_FALSE(compiled);
    CHECK(compiled.error().offset == 4);
    CHECK_FALSE(compiled.error().message.empty());
}
