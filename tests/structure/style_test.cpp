#include "source_tree.h"

#include <catch2/catch.hpp>
#include <regex>

using namespace reef::structure;

namespace {

constexpr std::size_t kMostLines = 600;

std::vector<SourceFile> everySource() {
    auto files = sourcesIn("src");
    for (const char* directory : {"tests", "bench"}) {
        for (SourceFile& file : sourcesIn(directory))
            files.push_back(std::move(file));
    }
    return files;
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("no file is longer than 600 lines") {
    for (const SourceFile& file : everySource()) {
        INFO(file.path);
        CHECK(file.lines.size() <= kMostLines);
    }
}

TEST_CASE("nothing is left that had to be done at once") {
    const std::string urgent = std::string("TODO") + "(now)";
    static const std::regex kUnnamed("\\b(TODO|FIXME|XXX)\\b(?!\\((perf|someday)\\))");
    for (const SourceFile& file : everySource()) {
        for (const Line& line : file.lines) {
            if (file.path.starts_with("tests/structure/")) continue;
            INFO(file.at(line) << ": " << line.text);
            CHECK_FALSE(holds(line.text, urgent));
            CHECK_FALSE(std::regex_search(line.text, kUnnamed));
        }
    }
}

TEST_CASE("files are named in snake_case, headers guarded by pragma once") {
    static const std::regex kName("[a-z0-9_]+\\.(cpp|h)");
    for (const SourceFile& file : everySource()) {
        INFO(file.path);
        CHECK(std::regex_match(file.path.substr(file.path.rfind('/') + 1), kName));
        if (!file.path.ends_with(".h")) continue;
        bool guarded = false;
        for (const Line& line : file.lines)
            guarded = guarded || line.text == "#pragma once";
        CHECK(guarded);
    }
}

TEST_CASE("each source of a room has its header, or is the main of a program") {
    std::set<std::string> paths;
    const auto files = sourcesIn("src");
    for (const SourceFile& file : files)
        paths.insert(file.path);
    for (const SourceFile& file : files) {
        if (!file.path.ends_with(".cpp") || file.path == "src/app/main.cpp") continue;
        INFO(file.path);
        // A source that is one part of a room's header names that header first.
        const auto includes = file.ownIncludes();
        REQUIRE_FALSE(includes.empty());
        CHECK(paths.contains("src/" + includes.front().text));
        CHECK(includes.front().text.starts_with(file.path.substr(4, file.path.find('/', 4) - 3)));
    }
}
