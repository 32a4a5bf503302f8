// golden/DIALECT/*.txt: what pages of each dialect become. Most are measured on the real servers:
// golden/measure.py runs them there, and golden/differences.txt says where Atoll means to differ.
#include "compose/fakes.h"
#include "compose/golden.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

using namespace reef;
using namespace reef::test;

namespace {

struct DialectName {
    const char* directory;
    compose::Dialect dialect;
};

constexpr DialectName kDialects[] = {{"apache", compose::Dialect::apache},
                                     {"apache-legacy", compose::Dialect::apacheLegacy},
                                     {"nginx", compose::Dialect::nginx}};

/// The files of golden/site, as what the fake site answers.
std::map<std::string, Island> siteFiles() {
    const std::filesystem::path root(ATOLL_GOLDEN_DIRECTORY "/site");
    std::map<std::string, Island> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
        if (!entry.is_regular_file()) continue;
        Island file(readText(entry.path()));
        file.composed = entry.path().extension() == ".shtml";
        files["/" + entry.path().lexically_relative(root).string()] = file;
    }
    return files;
}

void prepare(Composition& composition, const std::map<std::string, Island>& files) {
    composition.host.islands = files;
    composition.host.strict = true;
    composition.host.documentRoot = "/srv/www";
    composition.lastModified = "Tue, 14 Nov 2023 22:13:20 GMT";
    composition.page.ends.remoteAddress = "127.0.0.1";
    composition.page.request.fields.add("Host", "site.example");
}

compose::PageRules rulesFor(compose::Dialect dialect) {
    compose::PageRules rules(compose::Compose::all);
    rules.dialect = dialect;
    return rules;
}

Produced whole(const Golden& golden, compose::Dialect dialect,
               const std::map<std::string, Island>& files) {
    Composition composition("/dir/page.shtml?q=1", {}, rulesFor(dialect));
    prepare(composition, files);
    composition.send(golden.page);
    return produced(composition);
}

Produced inPieces(const Golden& golden, compose::Dialect dialect,
                  const std::map<std::string, Island>& files, auto nextSize) {
    Composition composition("/dir/page.shtml?q=1", {}, rulesFor(dialect));
    prepare(composition, files);
    composition.stream(piecesOf(golden.page, nextSize));
    return produced(composition);
}

} // namespace

TEST_CASE("pages of every dialect come out as on its server, however they are split") {
    setenv("TZ", "UTC", 1);
    const auto files = siteFiles();
    REQUIRE(files.size() >= 7);
    for (const auto& [directory, dialect] : kDialects) {
        const auto goldens = goldensIn(std::filesystem::path(ATOLL_GOLDEN_DIRECTORY) / directory);
        REQUIRE(goldens.size() >= 5);
        for (const Golden& golden : goldens) {
            INFO(directory << "/" << golden.name);
            check(golden, whole(golden, dialect, files));
            check(golden, inPieces(golden, dialect, files, [] { return std::size_t{1}; }));
            std::mt19937 random(4711);
            for (std::size_t round = 0; round != 5; ++round) {
                std::uniform_int_distribution<std::size_t> sizes(1, 3 + 7 * round);
                check(golden, inPieces(golden, dialect, files, [&] { return sizes(random); }));
            }
        }
    }
}
