#include "admin/targets.h"
#include "corpus.h"

#include <catch2/catch.hpp>

using namespace reef;

TEST_CASE("every input that fuzzing the panel has kept passes, and every front of it") {
    test::replay("panel_texts", fuzz::panelTexts);
}
