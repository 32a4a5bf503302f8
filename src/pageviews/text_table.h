#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace reef::pageviews {

/// A table for the terminal: columns aligned by what a terminal shows (wide and combining
/// characters counted right), two blanks apart. Hostile text is escaped; what is too wide ends in
/// "…".
class TextTable {
public:
    enum class Align : std::uint8_t { left, right };

    struct Column {
        std::string_view title;
        Align align;
        std::size_t most; ///< never wider, in terminal columns
    };

    explicit TextTable(std::vector<Column> columns);

    /// One text per column, as it came from outside.
    void add(const std::vector<std::string>& cells);

    /// All lines, each with its line feed and without blanks at its end. When they would be wider
    /// than `width`, column `elastic` gives way, down to 8.
    std::string print(std::size_t width, std::size_t elastic) const;

private:
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_; ///< the first holds the titles
};

} // namespace reef::pageviews
