// The seeds of the fuzz targets, and what fuzzing has found since, through the same checks: they
// abort when something does not hold.
#include "http/targets.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

using namespace reef;

void replay(const char* name, void (*target)(std::string_view)) {
    std::size_t inputs = 0;
    for (const auto& file :
         std::filesystem::directory_iterator(std::string(ATOLL_FUZZ_CORPUS "/") + name)) {
        INFO(file.path().string());
        std::ifstream stream(file.path(), std::ios::binary);
        const std::string input(std::istreambuf_iterator<char>(stream), {});
        REQUIRE(stream);
        target(input);
        for (std::size_t size = 0; size < input.size(); ++size)
            target(input.substr(0, size));
        ++inputs;
    }
    CHECK(inputs > 5);
}

} // namespace

TEST_CASE("every input that fuzzing has kept passes, and every front of it") {
    replay("request_head", fuzz::requestHead);
    replay("field_lines", fuzz::fieldLines);
    replay("chunked", fuzz::chunked);
    replay("path", fuzz::path);
    replay("conditional", fuzz::conditional);
    replay("accept", fuzz::accept);
    replay("content_coding", fuzz::contentCoding);
    replay("proxy_header", fuzz::proxyHeader);
    replay("response_head", fuzz::responseHead);
}
