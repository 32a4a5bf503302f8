#include "corpus.h"
#include "serve/targets.h"

#include <catch2/catch.hpp>

using namespace reef;

TEST_CASE("every input that fuzzing the fields of proxies has kept passes, and every front of it") {
    test::replay("forwarded_client", fuzz::forwardedClient);
}
