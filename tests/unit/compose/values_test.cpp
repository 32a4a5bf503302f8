// The small pure parts that values go through: conditions, encodings, expansion, assignments,
// wildcards, sizes.

#include "compose/assignments.h"
#include "compose/conditions.h"
#include "compose/encoding.h"
#include "compose/expansion.h"
#include "compose/format_size.h"
#include "compose/wildcard.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace reef::compose;

TEST_CASE("conditions beyond the deepest hide, and are closed in balance") {
    Conditions conditions;
    for (std::size_t i = 0; i != Conditions::kMaxDepth; ++i)
        conditions.enter(true);
    CHECK(conditions.shown());
    for (int i = 0; i != 1000; ++i)
        conditions.enter(true);
    CHECK_FALSE(conditions.shown());
    conditions.otherwise();
    CHECK_FALSE(conditions.shown());
    CHECK_FALSE(conditions.undecided());
    for (int i = 0; i != 1000; ++i)
        conditions.leave();
    CHECK(conditions.shown());
    for (std::size_t i = 0; i != Conditions::kMaxDepth; ++i)
        conditions.leave();
    CHECK(conditions.shown());
    CHECK_FALSE(conditions.open());
}

TEST_CASE("every text comes back from its encoding") {
    std::string all;
    for (int byte = 1; byte != 256; ++byte)
        all += static_cast<char>(byte);
    for (const auto encoding : {Encoding::url, Encoding::urlencoded, Encoding::base64}) {
        for (std::size_t length = 0; length != 20; ++length) {
            const auto text = all.substr(length * 11, length);
            CHECK(decoded(encoded(text, encoding), encoding) == text);
        }
        CHECK(decoded(encoded(all, encoding), encoding) == all);
    }
    CHECK(decoded(encoded("<a href='x'>&\"", Encoding::entity), Encoding::entity) ==
          "<a href='x'>&\"");
}

TEST_CASE("what is badly encoded stays, and no NUL comes out of a URL") {
    CHECK(decoded("%", Encoding::url) == "%");
    CHECK(decoded("%4", Encoding::url) == "%4");
    CHECK(decoded("%zz%41", Encoding::url) == "%zzA");
    CHECK(decoded("a%00b", Encoding::url) == "a%00b");
    CHECK(decoded("YQ", Encoding::base64) == "a");
    CHECK(decoded("YW=!", Encoding::base64) == "a");
    CHECK(decoded("", Encoding::base64).empty());
}

TEST_CASE("lists of encodings are read in order, and bounded") {
    const auto list = readEncodings("URL, entity,none,", Dialect::apache);
    REQUIRE(list);
    CHECK(std::vector(list->begin(), list->end()) == std::vector{Encoding::url, Encoding::entity});
    CHECK_FALSE(readEncodings("rot13", Dialect::apache));
    CHECK_FALSE(readEncodings("base64", Dialect::nginx));
    CHECK_FALSE(readEncodings("url,url,url,url,url,url,url,url,url", Dialect::apache));
}

TEST_CASE("an expansion is bounded") {
    struct Source final : VariableSource {
        std::optional<std::string> valueOf(std::string_view) override {
            return std::string(kMaxExpanded, 'x');
        }
    } source;
    std::string scratch;
    const auto out = expand("$a$b$c", Dialect::apache, source, Unknown::dropped, scratch);
    REQUIRE(out);
    CHECK(out->size() == kMaxExpanded);
}

TEST_CASE("a snapshot of what was set does not change") {
    SharedAssignments page;
    CHECK(page.snapshot() == nullptr);
    REQUIRE(page.set("a", "1"));
    const auto before = page.snapshot();
    const auto* const where = before.get();
    REQUIRE(page.set("a", "2"));
    CHECK(before->find("A") == "1");
    CHECK(page.find("a") == "2");
    CHECK(page.snapshot().get() != where);
    SharedAssignments other(before);
    REQUIRE(other.set("a", "3"));
    CHECK(before->find("a") == "1");
    CHECK(other.find("a") == "3");
}

TEST_CASE("only so many variables are kept, and so long ones") {
    Assignments assignments;
    for (std::size_t i = 0; i != Assignments::kMaxNames; ++i)
        REQUIRE(assignments.set("n" + std::to_string(i), "v"));
    CHECK_FALSE(assignments.set("one more", "v"));
    CHECK(assignments.set("n1", "w"));
    CHECK_FALSE(assignments.set("n1", std::string(Assignments::kMaxBytes, 'x')));
    CHECK(assignments.find("n1") == "w");
}

TEST_CASE("wildcards match as they say, in bounded time") {
    CHECK(matchesWildcard("abc", "a*c", Wildcard::anything));
    CHECK(matchesWildcard("abc", "***", Wildcard::anything));
    CHECK_FALSE(matchesWildcard("abc", "a?", Wildcard::anything));
    CHECK(matchesWildcard("a[b", "a[b", Wildcard::anything));
    CHECK(matchesWildcard("/a/b", "/*/b", Wildcard::path));
    CHECK_FALSE(matchesWildcard("/a/b", "/?b", Wildcard::path));
    CHECK_FALSE(matchesWildcard("a/b", "a[/]b", Wildcard::path));
    CHECK(matchesWildcard("a]b", "a[]]b", Wildcard::path));
    CHECK(matchesWildcard("a-b", "a[a-]b", Wildcard::path));
    CHECK(matchesWildcard("a*b", "a\\*b", Wildcard::path));
    CHECK_FALSE(matchesWildcard("axb", "a\\*b", Wildcard::path));
    CHECK(matchesWildcard("a[b", "a[b", Wildcard::path));
    std::string pattern;
    for (int i = 0; i != 500; ++i)
        pattern += "*a";
    CHECK_FALSE(matchesWildcard(std::string(5000, 'a') + "b", pattern, Wildcard::anything));
}

TEST_CASE("sizes are written as Apache writes them") {
    const struct {
        ByteCount size;
        const char* text;
    } cases[] = {{0, "  0 "},       {3, "  3 "},        {972, "972 "},       {973, "1.0K"},
                 {1024, "1.0K"},    {2500, "2.4K"},     {10188, "9.9K"},     {10189, " 10K"},
                 {1048576, "1.0M"}, {17825792, " 17M"}, {1073741824, "1.0G"}};
    for (const auto& c : cases)
        CHECK(formatSize(c.size, SizeFormat::abbreviated) == c.text);
    CHECK(formatSize(0, SizeFormat::bytes) == "0");
    CHECK(formatSize(999, SizeFormat::bytes) == "999");
    CHECK(formatSize(1234567, SizeFormat::bytes) == "1,234,567");
}
