#include "corpus.h"
#include "http/targets.h"

#include <catch2/catch.hpp>

using namespace reef;

TEST_CASE("every input that fuzzing has kept passes, and every front of it") {
    test::replay("request_head", fuzz::requestHead);
    test::replay("field_lines", fuzz::fieldLines);
    test::replay("chunked", fuzz::chunked);
    test::replay("path", fuzz::path);
    test::replay("conditional", fuzz::conditional);
    test::replay("accept", fuzz::accept);
    test::replay("content_coding", fuzz::contentCoding);
    test::replay("proxy_header", fuzz::proxyHeader);
    test::replay("decompressor", fuzz::decompressor);
    test::replay("response_head", fuzz::responseHead);
}
