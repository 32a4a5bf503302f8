// The seeds of the fuzz target, and what fuzzing has found since, through the same checks: they
// abort when something does not hold.
#include "serve/targets.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

TEST_CASE("every input that fuzzing the fields of proxies has kept passes, and every front of it") {
    std::size_t inputs = 0;
    for (const auto& file :
         std::filesystem::directory_iterator(ATOLL_FUZZ_CORPUS "/forwarded_client")) {
        INFO(file.path().string());
        std::ifstream stream(file.path(), std::ios::binary);
        const std::string input(std::istreambuf_iterator<char>(stream), {});
        REQUIRE(stream);
        for (std::size_t size = 0; size <= input.size(); ++size)
            reef::fuzz::forwardedClient(std::string_view(input).substr(0, size));
        ++inputs;
    }
    CHECK(inputs > 5);
}
