#include "compose/fakes.h"
#include "compose/golden.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <random>

using namespace reef;
using namespace reef::test;

namespace {

// The page is /dir/page.shtml?q=1; an include comes out as its kind and target in braces.

Produced whole(const Golden& golden) {
    Composition composition("/dir/page.shtml?q=1");
    composition.send(golden.page);
    return produced(composition);
}

Produced inPieces(const Golden& golden, auto nextSize) {
    Composition composition("/dir/page.shtml?q=1");
    composition.stream(piecesOf(golden.page, nextSize));
    return produced(composition);
}

} // namespace

TEST_CASE("golden pages come out the same however they are split") {
    setenv("TZ", "UTC", 1);
    const auto goldens = goldensIn(ATOLL_GOLDEN_DIRECTORY);
    REQUIRE(goldens.size() >= 10);
    for (const Golden& golden : goldens) {
        INFO(golden.name);
        check(golden, whole(golden));
        check(golden, inPieces(golden, [] { return std::size_t{1}; }));
        std::mt19937 random(4711);
        for (std::size_t round = 0; round != 20; ++round) {
            std::uniform_int_distribution<std::size_t> sizes(1, 1 + round);
            check(golden, inPieces(golden, [&] { return sizes(random); }));
        }
    }
}
