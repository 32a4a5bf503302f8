// The seeds of the fuzz targets, and what fuzzing has found since, through the same checks: they
// abort when something does not hold.
#include "compose/targets.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

void replay(const char* name, void (*target)(std::string_view)) {
    std::size_t inputs = 0;
    for (const auto& file :
         std::filesystem::directory_iterator(std::string(ATOLL_FUZZ_CORPUS "/") + name)) {
        INFO(file.path().string());
        std::ifstream stream(file.path(), std::ios::binary);
        const std::string input(std::istreambuf_iterator<char>(stream), {});
        REQUIRE(stream);
        for (std::size_t size = 0; size <= input.size(); ++size)
            target(input.substr(0, size));
        ++inputs;
    }
    CHECK(inputs > 5);
}

} // namespace

TEST_CASE("every page that fuzzing has kept passes, and every front of it") {
    replay("ssi_parser", reef::fuzz::ssiParser);
    replay("ssi_page", reef::fuzz::ssiPage);
}
