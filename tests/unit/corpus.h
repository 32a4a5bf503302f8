#pragma once

#include "scratch.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <string_view>

namespace reef::test {

/// Runs a fuzz target over its corpus (the seeds, and what fuzzing has found since), and over every
/// front of each input. Targets abort when something does not hold. Needs ATOLL_FUZZ_CORPUS.
inline void replay(const std::string& name, void (*target)(std::string_view)) {
    std::size_t inputs = 0;
    for (const auto& file : std::filesystem::directory_iterator(ATOLL_FUZZ_CORPUS "/" + name)) {
        INFO(file.path().string());
        const std::string input = contentOf(file.path());
        for (std::size_t size = 0; size <= input.size(); ++size)
            target(std::string_view(input).substr(0, size));
        ++inputs;
    }
    CHECK(inputs > 5);
}

} // namespace reef::test
