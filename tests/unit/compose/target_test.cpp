#include "compose/fakes.h"
#include "compose/target.h"

#include <catch2/catch.hpp>
#include <deque>

using namespace reef;
using namespace reef::compose;
using reef::test::PageRequest;

namespace {

std::string targetOf(FragmentKind kind, std::string_view value, std::string_view page) {
    const PageRequest request(page);
    const auto spec = resolve(kind, value, request.request);
    if (!spec) return "!" + std::string(spec.error());
    // The views agree with each other.
    const auto whole =
        std::string(spec->rawPath) + (spec->hasQuery ? "?" + std::string(spec->query) : "");
    CHECK(whole == spec->target);
    CHECK(spec->page == &request.request);
    CHECK(spec->kind == kind);
    return std::string(spec->target);
}

} // namespace

TEST_CASE("virtual targets are resolved against the page's path") {
    struct Row {
        std::string_view value, page, expected;
    };
    const Row rows[] = {
        {"a", "/", "/a"},
        {"a", "/x/y.shtml", "/x/a"},
        {"a", "/x/y/", "/x/y/a"},
        {"./a/./b//c", "/x/y", "/x/a/b/c"},
        {"../a", "/x/y/z", "/x/a"},
        {"/a/../b", "/x", "/b"},
        {"..", "/x/y/z", "/x/"},
        {"%61", "/x", "/a"},
        {"a b", "/x", "/a%20b"},
        {"a%20b", "/x", "/a%20b"},
        {"\xc3\xa9", "/x", "/%C3%A9"},
        {"a?", "/x", "/a?"},
        {"a?b=c&d", "/x?y", "/a?b=c&d"},
        {"a?b c\r\nHost: d", "/x", "/a?b%20c%0D%0AHost:%20d"},
        {"a?b?c#d", "/x", "/a?b?c"},
        {"a#b?c", "/x", "/a"},
        {"?b", "/x/y?z", "/x/y?b"},
        {"a:b", "/x", "!the target names a scheme or a host"},
        {"./a:b", "/x", "/a:b"},
        {"1a:b", "/x", "!the target names a scheme or a host"},
        {"/a:b", "/x", "/a:b"},
        {"#x", "/x", "!the target is empty"},
        {"%2e%2e/a", "/x", "!the target leads out of the site"},
        {"a\x01", "/x", "!the target has a control character"},
    };
    for (const Row& row : rows) {
        INFO(row.value << " in " << row.page);
        CHECK(targetOf(FragmentKind::virtualPath, row.value, row.page) == row.expected);
    }
}

TEST_CASE("file targets stay below the page's directory and are taken literally") {
    struct Row {
        std::string_view value, page, expected;
    };
    const Row rows[] = {
        {"a", "/x/y", "/x/a"},
        {"a/b", "/x/", "/x/a/b"},
        {"a?b", "/x/y", "/x/a%3Fb"},
        {"a%41", "/x/y", "/x/a%2541"},
        {"a%2fb", "/x/y", "/x/a%252fb"},
        {"..a", "/x/y", "/x/..a"},
        {"./a", "/x/y", "/x/a"},
        {"a/..", "/x/y", "!the file lies outside the page's directory"},
        {"..", "/x/y", "!the file lies outside the page's directory"},
        {"/a", "/x/y", "!the file's path is absolute"},
        {std::string_view("a\0b", 3), "/x/y", "!the target has a control character"},
    };
    for (const Row& row : rows) {
        INFO(row.value << " in " << row.page);
        CHECK(targetOf(FragmentKind::file, row.value, row.page) == row.expected);
    }
}

TEST_CASE("a page may not stand in itself, directly or through others") {
    const PageRequest top("/a?x");
    const PageRequest middle("/b", {&top.request, 1});
    const auto fault = [&](std::string_view value) {
        return lineageFault(resolve(FragmentKind::virtualPath, value, middle.request).value());
    };
    CHECK(fault("/a?x") == "the page would include itself");
    CHECK(fault("/b") == "the page would include itself");
    CHECK(fault("/%61?x") == "the page would include itself");
    CHECK(fault("/a").empty());
    CHECK(fault("/a?y").empty());
    CHECK(fault("/c").empty());
}

TEST_CASE("includes are nested ten deep and not deeper") {
    std::deque<PageRequest> chain;
    chain.emplace_back("/0");
    for (int depth = 1;; ++depth) {
        const auto name = "/" + std::to_string(depth);
        const auto spec = resolve(FragmentKind::virtualPath, name, chain.back().request);
        REQUIRE(spec);
        CHECK(spec->lineage().depth == depth);
        if (depth > 10) {
            CHECK(lineageFault(*spec) == "includes are nested too deeply");
            break;
        }
        CHECK(lineageFault(*spec).empty());
        chain.emplace_back(name, spec->lineage());
    }
}
