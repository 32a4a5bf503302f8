#include "app/help.h"

#include "base/text.h"

#include <algorithm>

namespace reef::app {

namespace {

constexpr std::size_t kColumn = 31; // where the explanations begin
constexpr std::size_t kWidth = 78;

/// `what`, and its explanation in a column of its own, wrapped.
std::string row(const std::string& what, std::string_view explanation) {
    std::string out = what;
    std::size_t column = what.size();
    if (column + 1 > kColumn) {
        out += '\n';
        column = 0;
    }
    out.append(kColumn - column, ' ');
    column = kColumn;
    while (!explanation.empty()) {
        const auto word = text::takeUntil(explanation, ' ');
        if (column != kColumn && column + 1 + word.size() > kWidth) {
            out.append("\n").append(kColumn, ' ');
            column = kColumn;
        }
        if (column != kColumn) {
            out += ' ';
            ++column;
        }
        out += word;
        column += word.size();
    }
    return out + "\n";
}

std::string optionRow(const OptionText& option) {
    const std::string letter =
        option.letter.empty() ? "      " : text::concat("  -", option.letter, ", ");
    const std::string argument =
        option.argument.empty() ? std::string() : text::concat(" ", option.argument);
    return row(text::concat(letter, "--", option.name, argument), option.does);
}

constexpr std::string_view kStatuses = "Exit status: 0 done, 1 it failed, 2 `check` or `lint` "
                                       "found faults,\n64 the command line is not "
                                       "understood.\n";

constexpr std::string_view kStatusesOfCheck =
    "Exit status: 0 nothing wrong was found, 1 the configuration cannot be used, 2 faults were "
    "found,\n64 the command line is not understood.\n";

/// Damerau's distance is at most 1.
bool isNear(std::string_view a, std::string_view b) {
    if (a.size() > b.size()) std::swap(a, b);
    if (b.size() - a.size() > 1) return false;
    std::size_t at = 0;
    while (at < a.size() && a[at] == b[at])
        ++at;
    if (a.size() < b.size()) return a.substr(at) == b.substr(at + 1);
    if (at == a.size() || a.substr(at + 1) == b.substr(at + 1)) return true;
    return at + 1 < a.size() && a[at] == b[at + 1] && a[at + 1] == b[at] &&
           a.substr(at + 2) == b.substr(at + 2);
}

} // namespace

std::string generalHelp() {
    std::string out = "Atoll serves a site of islands: small programs in any language, composed "
                      "into pages.\n\nUsage: atoll [COMMAND] [OPTIONS] [DIR]\n\n";
    out += row("  atoll [DIR]", "the same as `atoll serve`: serve this directory, or DIR");
    for (const Command& command : commands())
        out += row(text::concat("  atoll ", command.usage), command.does);
    out += row("  atoll help [COMMAND]", "this help, or that of a command");
    out += "\nOptions:\n";
    for (const OptionText& option : optionTexts())
        out += optionRow(option);
    return text::concat(out, "\n", kStatuses);
}

std::string helpOf(const Command& command) {
    std::string out = text::concat("Usage: atoll ", command.usage, "\n\n", command.does, "\n");
    if (!command.options.empty()) out += "\nOptions:\n";
    for (const OptionText& option : optionTexts()) {
        if (command.takes(option.name)) out += optionRow(option);
    }
    return text::concat(out, "\n", command.name == "check" ? kStatusesOfCheck : kStatuses);
}

std::string_view similarCommand(std::string_view word) {
    for (const Command& command : commands()) {
        if (isNear(word, command.name)) return command.name;
    }
    return {};
}

} // namespace reef::app
