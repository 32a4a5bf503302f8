// The seeds of the fuzz target, and what fuzzing has found since, through the same checks.
#include "app/scratch.h"
#include "files/targets.h"

#include <catch2/catch.hpp>
#include <filesystem>

using namespace reef;

TEST_CASE("every directory that fuzzing has kept is listed, and every front of it") {
    std::size_t inputs = 0;
    for (const auto& file : std::filesystem::directory_iterator(ATOLL_FUZZ_CORPUS "/listing")) {
        INFO(file.path().string());
        const std::string input = test::contentOf(file.path());
        for (std::size_t size = 0; size <= input.size(); ++size)
            fuzz::listing(std::string_view(input).substr(0, size));
        ++inputs;
    }
    CHECK(inputs > 5);
}
