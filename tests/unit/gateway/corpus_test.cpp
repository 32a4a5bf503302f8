#include "corpus.h"
#include "gateway/targets.h"

#include <catch2/catch.hpp>

using namespace reef;

TEST_CASE("every answer of an island that fuzzing has kept passes, and every front of it") {
    test::replay("script_head", fuzz::scriptHead);
}
