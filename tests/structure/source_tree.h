#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace reef::structure {

/// A line of a source file.
struct Line {
    std::size_t number; ///< from 1
    std::string text;
};

struct SourceFile {
    std::string path; ///< from the top of the tree: "src/http/date.cpp"
    std::vector<Line> lines;

    /// What its `#include "..."` lines name, with their line.
    std::vector<Line> ownIncludes() const;
    /// What its `#include <...>` lines name.
    std::vector<Line> foreignIncludes() const;

    /// "path:line", for the message of a failed check.
    std::string at(const Line& line) const;
};

/// The C++ sources and headers below a directory of the tree, by path.
std::vector<SourceFile> sourcesIn(const std::string& directory);

/// The directories in `src/`.
std::set<std::string> roomsInTree();

/// Which rooms each room may include, beside itself.
using Arrows = std::map<std::string, std::set<std::string>>;

/// Reads the table of rooms in src/README.md: rows of the form "| `room/` | what for | `a`, `b` |",
/// where "all" stands for all others and "–" for none. Throws when there is no such table.
Arrows arrowsInMap();

} // namespace reef::structure
