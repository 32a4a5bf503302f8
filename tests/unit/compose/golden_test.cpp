#include "compose/fakes.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

using namespace reef;
using namespace reef::test;

namespace {

/// golden/*.txt: the page, a line of dashes, what comes out; and, where there are any, another line
/// of dashes and the reported problems. The page is /dir/page.shtml?q=1; an include comes out as
/// its kind and target in braces.
struct Golden {
    std::string name;
    std::string page;
    std::string expected;
    std::vector<std::string> problems;
};

std::string upToDashes(std::string& rest) {
    const auto end = rest.find("\n----------\n");
    auto part = rest.substr(0, end);
    rest = end == std::string::npos ? std::string() : rest.substr(end + 12);
    return part;
}

Golden readGolden(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::string rest{std::istreambuf_iterator<char>(in), {}};
    if (rest.ends_with('\n')) rest.pop_back();
    Golden golden{path.stem().string(), upToDashes(rest), upToDashes(rest), {}};
    while (!rest.empty()) {
        const auto end = rest.find('\n');
        golden.problems.push_back(rest.substr(0, end));
        rest = end == std::string::npos ? std::string() : rest.substr(end + 1);
    }
    return golden;
}

std::vector<Golden> allGoldens() {
    std::vector<Golden> goldens;
    for (const auto& entry : std::filesystem::directory_iterator(ATOLL_GOLDEN_DIRECTORY)) {
        if (entry.path().extension() == ".txt") goldens.push_back(readGolden(entry.path()));
    }
    std::ranges::sort(goldens, {}, &Golden::name);
    return goldens;
}

struct Produced {
    std::string text;
    std::vector<std::string> problems;
    bool sound = false;
};

Produced produced(Composition& composition) {
    return {composition.client.content, composition.host.problems,
            composition.outcome && *composition.outcome && composition.client.ended};
}

Produced whole(const Golden& golden) {
    Composition composition("/dir/page.shtml?q=1");
    composition.send(golden.page);
    return produced(composition);
}

Produced inPieces(const Golden& golden, auto nextSize) {
    std::vector<std::string> pieces;
    for (std::size_t at = 0; at < golden.page.size();) {
        const std::size_t size = nextSize();
        pieces.push_back(golden.page.substr(at, size));
        at += size;
    }
    Composition composition("/dir/page.shtml?q=1");
    composition.stream(std::move(pieces));
    return produced(composition);
}

void check(const Golden& golden, const Produced& got) {
    CHECK(got.text == golden.expected);
    CHECK(got.problems == golden.problems);
    CHECK(got.sound);
}

} // namespace

TEST_CASE("golden pages come out the same however they are split") {
    setenv("TZ", "UTC", 1);
    const auto goldens = allGoldens();
    REQUIRE(goldens.size() >= 10);
    for (const Golden& golden : goldens) {
        INFO(golden.name);
        check(golden, whole(golden));
        check(golden, inPieces(golden, [] { return std::size_t{1}; }));
        std::mt19937 random(4711);
        for (std::size_t round = 0; round != 20; ++round) {
            std::uniform_int_distribution<std::size_t> sizes(1, 1 + round);
            check(golden, inPieces(golden, [&] { return sizes(random); }));
        }
    }
}
