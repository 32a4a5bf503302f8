#include "corpus.h"
#include "files/targets.h"

#include <catch2/catch.hpp>

using namespace reef;

TEST_CASE("every directory that fuzzing has kept is listed, and every front of it") {
    test::replay("listing", fuzz::listing);
}
