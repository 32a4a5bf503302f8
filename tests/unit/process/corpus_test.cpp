#include "corpus.h"
#include "process/targets.h"

#include <catch2/catch.hpp>

using namespace reef;

TEST_CASE("every packet that fuzzing has kept passes, and every front of it") {
    test::replay("packet", fuzz::packet);
    test::replay("zygote_answers", fuzz::zygoteAnswers);
}
