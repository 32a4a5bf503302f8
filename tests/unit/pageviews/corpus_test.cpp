#include "pageviews/targets.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

using namespace reef;

TEST_CASE("every seed of the fuzz corpus keeps the promises") {
    int seeds = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(ATOLL_FUZZ_CORPUS "/pageview_texts")) {
        CAPTURE(entry.path());
        std::ifstream in(entry.path(), std::ios::binary);
        fuzz::pageviewTexts(std::string(std::istreambuf_iterator<char>(in), {})); // aborts if not
        ++seeds;
    }
    CHECK(seeds >= 8);
}
