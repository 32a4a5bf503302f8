#include "source_tree.h"

#include <catch2/catch.hpp>
#include <functional>

using namespace reef::structure;

namespace {

std::string roomOf(const std::string& path) {
    return path.substr(0, path.find('/'));
}

} // namespace

TEST_CASE("every room of the tree stands in the map, and every one of the map exists or will") {
    const auto arrows = arrowsInMap();
    for (const std::string& room : roomsInTree()) {
        INFO(room);
        CHECK(arrows.contains(room));
    }
    for (const auto& [room, allowed] : arrows) {
        for (const std::string& other : allowed) {
            INFO(room << " may include " << other);
            CHECK(arrows.contains(other));
        }
    }
}

TEST_CASE("the map's arrows lead down only: there is no circle") {
    const auto arrows = arrowsInMap();
    std::map<std::string, int> state; // 1: being walked, 2: done
    std::function<void(const std::string&)> walk = [&](const std::string& room) {
        INFO("a circle through " << room);
        REQUIRE(state[room] != 1);
        if (state[room] == 2) return;
        state[room] = 1;
        for (const std::string& other : arrows.at(room)) {
            if (other != room) walk(other);
        }
        state[room] = 2;
    };
    for (const auto& [room, unused] : arrows)
        walk(room);
}

TEST_CASE("a room includes only the rooms that the map allows it") {
    const auto arrows = arrowsInMap();
    const auto rooms = roomsInTree();
    std::size_t seen = 0;
    for (const SourceFile& file : sourcesIn("src")) {
        const auto room = roomOf(file.path.substr(4));
        for (const Line& include : file.ownIncludes()) {
            if (include.text == "build_values.h") continue; // made by the build
            const auto other = roomOf(include.text);
            INFO(file.at(include) << " includes " << include.text);
            CHECK(rooms.contains(other)); // as "room/file.h", never relative
            CHECK((other == room || arrows.at(room).contains(other)));
            ++seen;
        }
    }
    CHECK(seen > 100);
}

TEST_CASE("POCO stays in the rooms that are off the request path") {
    for (const SourceFile& file : sourcesIn("src")) {
        const bool allowed = file.path.starts_with("src/app/") ||
                             file.path.starts_with("src/admin/") || file.path == "src/base/log.cpp";
        for (const Line& include : file.foreignIncludes()) {
            INFO(file.at(include) << " includes " << include.text);
            CHECK((allowed || !include.text.starts_with("Poco/")));
        }
    }
}

TEST_CASE("SQLite is the business of pageviews alone") {
    for (const SourceFile& file : sourcesIn("src")) {
        const bool allowed =
            file.path.starts_with("src/pageviews/") || file.path == "src/app/libraries.cpp";
        for (const Line& include : file.foreignIncludes()) {
            INFO(file.at(include) << " includes " << include.text);
            CHECK((allowed || include.text != "sqlite3.h"));
        }
    }
}

TEST_CASE("the end-to-end tests share no codec with the server") {
    for (const SourceFile& file : sourcesIn("tests/e2e")) {
        for (const Line& include : file.ownIncludes()) {
            INFO(file.at(include) << " includes " << include.text);
            CHECK((include.text.starts_with("harness/") || include.text.starts_with("base/")));
        }
    }
}
