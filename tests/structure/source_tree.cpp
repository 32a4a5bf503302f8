#include "source_tree.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <stdexcept>

namespace reef::structure {

namespace fs = std::filesystem;

namespace {

const fs::path kTop = ATOLL_SOURCE_DIR;

std::vector<Line> linesOf(const fs::path& file) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error("cannot read " + file.string());
    std::vector<Line> lines;
    for (std::string text; std::getline(in, text);)
        lines.push_back({lines.size() + 1, text});
    return lines;
}

std::vector<Line> includesOf(const SourceFile& file, char open, char close) {
    std::vector<Line> includes;
    for (const Line& line : file.lines) {
        if (!line.text.starts_with("#include ")) continue;
        const auto begin = line.text.find(open);
        if (begin == std::string::npos) continue;
        const auto end = line.text.find(close, begin + 1);
        includes.push_back({line.number, line.text.substr(begin + 1, end - begin - 1)});
    }
    return includes;
}

/// What stands between backquotes in a cell of the table.
std::set<std::string> namesIn(const std::string& cell) {
    static const std::regex kName("`([a-z]+)/?`");
    std::set<std::string> names;
    for (std::sregex_iterator it(cell.begin(), cell.end(), kName), end; it != end; ++it)
        names.insert((*it)[1]);
    return names;
}

std::vector<std::string> cellsOf(const std::string& row) {
    std::vector<std::string> cells;
    std::size_t begin = 1;
    for (auto end = row.find('|', begin); end != std::string::npos; end = row.find('|', begin)) {
        cells.push_back(row.substr(begin, end - begin));
        begin = end + 1;
    }
    return cells;
}

} // namespace

std::vector<Line> SourceFile::ownIncludes() const {
    return includesOf(*this, '"', '"');
}

std::vector<Line> SourceFile::foreignIncludes() const {
    return includesOf(*this, '<', '>');
}

std::string SourceFile::at(const Line& line) const {
    return path + ":" + std::to_string(line.number);
}

std::vector<SourceFile> sourcesIn(const std::string& directory) {
    std::vector<SourceFile> files;
    for (const auto& entry : fs::recursive_directory_iterator(kTop / directory)) {
        const auto type = entry.path().extension();
        if (type != ".cpp" && type != ".h") continue;
        files.push_back({fs::relative(entry.path(), kTop).string(), linesOf(entry.path())});
    }
    std::ranges::sort(files, {}, &SourceFile::path);
    return files;
}

std::set<std::string> roomsInTree() {
    std::set<std::string> rooms;
    for (const auto& entry : fs::directory_iterator(kTop / "src")) {
        if (entry.is_directory()) rooms.insert(entry.path().filename());
    }
    return rooms;
}

Arrows arrowsInMap() {
    Arrows arrows;
    std::set<std::string> everything;
    for (const Line& line : linesOf(kTop / "src" / "README.md")) {
        const auto cells = cellsOf(line.text);
        if (!line.text.starts_with("| `") || cells.size() != 3) continue;
        const auto room = namesIn(cells[0]);
        if (room.size() != 1) continue;
        if (cells[2].find(" all") != std::string::npos) everything.insert(*room.begin());
        arrows[*room.begin()] = namesIn(cells[2]);
    }
    if (arrows.empty()) throw std::runtime_error("src/README.md has no table of rooms");
    for (const std::string& room : everything) {
        for (const auto& [other, unused] : arrows)
            arrows[room].insert(other);
    }
    return arrows;
}

} // namespace reef::structure
