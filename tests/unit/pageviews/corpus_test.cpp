#include "corpus.h"
#include "pageviews/targets.h"

#include <catch2/catch.hpp>

using namespace reef;

TEST_CASE("every text that fuzzing has kept keeps the promises, and every front of it") {
    test::replay("pageview_texts", fuzz::pageviewTexts);
}
