#include "pageviews/text_table.h"

#include "base/utf8.h"

#include <algorithm>

namespace reef::pageviews {

namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowest = 8;

/// The front of a visible text that fits, with "…" if that is not all of it.
std::string fit(std::string_view text, std::size_t width) {
    if (utf8::columns(text) <= width) return std::string(text);
    std::size_t taken = 0;
    std::size_t bytes = 0;
    for (;;) {
        const auto point = utf8::first(text.substr(bytes));
        const auto columns = static_cast<std::size_t>(utf8::columns(point.value));
        if (taken + columns + 1 > width) break;
        taken += columns;
        bytes += point.length;
    }
    return std::string(text.substr(0, bytes)).append("…");
}

} // namespace

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {
    auto& titles = rows_.emplace_back();
    for (const auto& column : columns_)
        titles.emplace_back(column.title);
}

void TextTable::add(const std::vector<std::string>& cells) {
    auto& row = rows_.emplace_back();
    for (const auto& cell : cells)
        row.push_back(utf8::escapeForTerminal(cell));
}

std::string TextTable::print(std::size_t width, std::size_t elastic) const {
    std::vector<std::size_t> widths(columns_.size());
    std::size_t total = kGap * (columns_.size() - 1);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        for (const auto& row : rows_)
            widths[i] = std::max(widths[i], utf8::columns(row[i]));
        widths[i] = std::min(widths[i], columns_[i].most);
        total += widths[i];
    }
    if (total > width)
        widths[elastic] -=
            std::min(total - width, widths[elastic] - std::min(widths[elastic], kNarrowest));

    std::string out;
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const std::string cell = fit(row[i], widths[i]);
            const std::string padding(widths[i] - utf8::columns(cell), ' ');
            if (i != 0) out.append(kGap, ' ');
            out += columns_[i].align == Align::right ? padding + cell : cell + padding;
        }
        out.erase(out.find_last_not_of(' ') + 1);
        out += '\n';
    }
    return out;
}

} // namespace reef::pageviews
