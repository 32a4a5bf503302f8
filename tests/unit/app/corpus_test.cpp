#include "app/targets.h"
#include "corpus.h"

#include <catch2/catch.hpp>

using namespace reef;

TEST_CASE("every format of the access log that fuzzing has kept passes, and every front of it") {
    test::replay("log_line", fuzz::logLine);
}
