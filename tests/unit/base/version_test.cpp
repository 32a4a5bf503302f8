#include "base/version.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string_view>

using namespace reef;

namespace {

bool hasDigit(std::string_view text) {
    return std::ranges::any_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

TEST_CASE("a build says its version, commit, type and compiler") {
    const auto& info = buildInfo();
    CHECK(std::ranges::count(info.version, '.') == 2);
    CHECK(hasDigit(info.version));
    CHECK(info.commit.size() >= 7);
    CHECK_FALSE(info.buildType.empty());
    CHECK(info.compiler.find("Clang ") != std::string_view::npos);
}

TEST_CASE("the C and C++ libraries are named with their versions") {
    const auto components = runtimeComponents();
    REQUIRE(components.size() == 2);
    CHECK((components[0].name == "glibc" || components[0].name == "musl"));
    CHECK(components[1].name == "libstdc++");
    for (const auto& component : components)
        CHECK(hasDigit(component.version));
}
