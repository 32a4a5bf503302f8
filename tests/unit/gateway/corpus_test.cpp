#include "corpus.h"
#include "gateway/targets.h"

#include <catch2/catch.hpp>

using namespace reef;

TEST_CASE("every answer of an island that fuzzing has kept passes, and every front of it") {
    test::replay("script_head", fuzz::scriptHead);
}

TEST_CASE("every query that fuzzing has kept makes arguments or none, and every front of it") {
    test::replay("query_arguments", fuzz::queryArguments);
}
