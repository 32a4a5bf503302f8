#include "cache/targets.h"
#include "corpus.h"

#include <catch2/catch.hpp>

using namespace reef;

TEST_CASE("every Cache-Control that fuzzing has kept passes, and every front of it") {
    test::replay("cache_control", fuzz::cacheControl);
}
