#include "corpus.h"
#include "site/targets.h"

#include <catch2/catch.hpp>

using namespace reef;

TEST_CASE("every text of a route that fuzzing has kept passes, and every front of it") {
    test::replay("route_texts", fuzz::routeTexts);
}
