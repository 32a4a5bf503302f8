#include "gateway/interpreters.h"

#include "base/text.h"

#include <array>

namespace reef::gateway {

namespace {

/// With its dot; empty: the name has none.
std::string_view extensionOf(std::string_view fileName) noexcept {
    const auto name = fileName.substr(fileName.rfind('/') + 1);
    const auto dot = name.rfind('.');
    return dot == std::string_view::npos ? std::string_view{} : name.substr(dot);
}

constexpr std::array<std::string_view, 3> kCodings{".br", ".gz", ".zst"};

} // namespace

void Interpreters::add(std::string_view extension, std::string program) {
    if (programFor(extension).empty())
        programs_.emplace_back(text::toLower(extension), std::move(program));
}

void Interpreters::add(const Interpreters& other) {
    for (const auto& [extension, program] : other.programs_)
        add(extension, program);
}

std::string_view Interpreters::programFor(std::string_view fileName) const noexcept {
    const auto extension = extensionOf(fileName);
    if (extension.empty()) return {};
    for (const auto& [known, program] : programs_)
        if (text::equalsIgnoreCase(known, extension)) return program;
    return {};
}

bool Interpreters::mayLead(std::string_view path) const noexcept {
    while (!path.empty())
        if (!programFor(text::takeUntil(path, '/')).empty()) return true;
    return false;
}

bool Interpreters::isSource(std::string_view fileName) const noexcept {
    for (;;) {
        while (fileName.ends_with('.'))
            fileName.remove_suffix(1);
        if (!programFor(fileName).empty()) return true;
        const auto extension = extensionOf(fileName);
        bool coded = false;
        for (const auto coding : kCodings)
            coded = coded || text::equalsIgnoreCase(coding, extension);
        if (!coded) return false;
        fileName.remove_suffix(extension.size());
    }
}

} // namespace reef::gateway
