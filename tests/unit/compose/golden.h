#pragma once

#include "compose/fakes.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace reef::test {

/// A file of golden/: the page, a line of dashes, what comes out; and, where there are any, another
/// line of dashes and the reported problems ("..." stands for any).
struct Golden {
    std::string name;
    std::string page;
    std::string expected;
    std::vector<std::string> problems;
};

inline std::string readText(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline std::string upToDashes(std::string& rest) {
    const auto end = rest.find("\n----------\n");
    auto part = rest.substr(0, end);
    rest = end == std::string::npos ? std::string() : rest.substr(end + 12);
    return part;
}

inline Golden readGolden(const std::filesystem::path& path) {
    std::string rest = readText(path);
    if (rest.ends_with('\n')) rest.pop_back();
    Golden golden{path.stem().string(), upToDashes(rest), upToDashes(rest), {}};
    while (!rest.empty()) {
        const auto end = rest.find('\n');
        golden.problems.push_back(rest.substr(0, end));
        rest = end == std::string::npos ? std::string() : rest.substr(end + 1);
    }
    return golden;
}

/// In the order of their names.
inline std::vector<Golden> goldensIn(const std::filesystem::path& directory) {
    std::vector<Golden> goldens;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
        if (entry.path().extension() == ".txt" && entry.path().stem() != "differences")
            goldens.push_back(readGolden(entry.path()));
    }
    std::ranges::sort(goldens, {}, &Golden::name);
    return goldens;
}

struct Produced {
    std::string text;
    std::vector<std::string> problems;
    bool sound = false;
};

inline Produced produced(Composition& composition) {
    return {composition.client.content, composition.host.problems,
            composition.outcome && *composition.outcome && composition.client.ended};
}

std::vector<std::string> piecesOf(const std::string& page, auto nextSize) {
    std::vector<std::string> pieces;
    for (std::size_t at = 0; at < page.size();) {
        const std::size_t size = nextSize();
        pieces.push_back(page.substr(at, size));
        at += size;
    }
    return pieces;
}

inline void check(const Golden& golden, const Produced& got) {
    CHECK(got.text == golden.expected);
    if (golden.problems == std::vector<std::string>{"..."}) {
        CHECK_FALSE(got.problems.empty());
    } else {
        CHECK(got.problems == golden.problems);
    }
    CHECK(got.sound);
}

} // namespace reef::test
