#include "compose/targets.h"
#include "corpus.h"

#include <catch2/catch.hpp>

using namespace reef;

TEST_CASE("every page that fuzzing has kept passes, and every front of it") {
    test::replay("ssi_parser", fuzz::ssiParser);
    test::replay("ssi_page", fuzz::ssiPage);
    test::replay("ssi_expression", fuzz::ssiExpression);
}
