#include "app/init.h"

#include "base/text.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace reef::app {

namespace {

constexpr std::size_t kLineWidth = 78;
constexpr std::size_t kNameColumn = 30;
constexpr std::size_t kGap = 2;

/// Wraps text in the codes of a style, or leaves it alone.
class Painter {
public:
    explicit Painter(Colour colour) noexcept : coloured_(colour == Colour::ansi) {}

    std::string bold(std::string_view text) const { return wrap("\x1b[1m", text); }
    std::string dim(std::string_view text) const { return wrap("\x1b[2m", text); }
    std::string island(std::string_view text) const { return wrap("\x1b[36m", text); }
    std::string warning(std::string_view text) const { return wrap("\x1b[1;31m", text); }

private:
    std::string wrap(std::string_view code, std::string_view text) const {
        return coloured_ ? text::concat(code, text, "\x1b[0m") : std::string(text);
    }

    bool coloured_;
};

std::string_view directoryOf(std::string_view path) noexcept {
    const auto slash = path.rfind('/');
    return slash == path.npos ? std::string_view() : path.substr(0, slash + 1);
}

/// One directory and its files: islands in colour, broken into lines below each other.
std::string listDirectory(std::string_view name, std::span<const EmbeddedFile> files,
                          const Painter& paint) {
    std::string out = text::concat("  ", paint.bold(name));
    std::size_t column = name.size() + 2;
    for (const EmbeddedFile& file : files) {
        const std::string_view shown = file.path.substr(directoryOf(file.path).size());
        if (column + kGap + shown.size() > kLineWidth) {
            out += '\n';
            column = 0;
        }
        const std::size_t gap = column + kGap < kNameColumn ? kNameColumn - column : kGap;
        out.append(gap, ' ').append(file.executable ? paint.island(shown) : std::string(shown));
        column += gap + shown.size();
    }
    return out + '\n';
}

/// Each directory once: ordered by path, the files of one may stand on both sides of another's.
std::string listFiles(std::span<const EmbeddedFile> files, const Painter& paint) {
    std::map<std::string_view, std::vector<EmbeddedFile>> directories;
    for (const EmbeddedFile& file : files)
        directories[directoryOf(file.path)].push_back(file);
    std::string out;
    for (const auto& [name, content] : directories)
        out += listDirectory(name.empty() ? "./" : name, content, paint);
    return out;
}

std::string describeSuccess(const std::string& place, std::span<const EmbeddedFile> files,
                            const Painter& paint) {
    const std::string island = (std::filesystem::path(place) / "cgi-bin/hello.sh").string();
    const auto step = [&paint](const std::string& command, std::string_view why) {
        return text::concat("  ", paint.bold(command), "\n      ", paint.dim(why), "\n");
    };
    return text::concat("A site is in ", paint.bold(place), " now.\n\n", listFiles(files, paint),
                        "\nNext:\n", step(text::concat("atoll serve ", place), "look at it"),
                        step(text::concat("$EDITOR ", island),
                             "change a word, reload the page: that was the deployment"));
}

Colour colourOf(std::FILE* out) {
    const bool plain = ::isatty(::fileno(out)) == 0 || std::getenv("NO_COLOR") != nullptr;
    return plain ? Colour::none : Colour::ansi;
}

std::string describeFailure(const std::string& place, const DemoFailure& failure,
                            const Painter& paint) {
    if (!failure.isConflict())
        return text::concat(paint.warning("Nothing was written"), " to ", place, ": ",
                            failure.paths.front(), ": ", failure.error.describe(), ".\n");
    if (failure.paths.front() == ".")
        return text::concat(paint.warning("Nothing was written"), ": ", place,
                            " is there already and is not a directory.\n");
    std::string out = text::concat(paint.warning("Nothing was written"), ": in ", place,
                                   " these are there already, and init overwrites nothing:\n\n");
    for (const std::string& path : failure.paths)
        out += text::concat("  ", path, "\n");
    return out + "\nChoose another directory, or move them away.\n";
}

} // namespace

std::string describeInit(const std::filesystem::path& directory,
                         const std::expected<std::span<const EmbeddedFile>, DemoFailure>& result,
                         Colour colour) {
    const Painter paint(colour);
    const std::string place = directory.string();
    return result ? describeSuccess(place, *result, paint)
                  : describeFailure(place, result.error(), paint);
}

bool holdsFiles(const std::filesystem::path& directory) {
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator it(directory, error), end;
         !error && it != end; it.increment(error)) {
        if (it->is_symlink(error) || !it->is_directory(error)) return true;
    }
    return false;
}

std::string describeHesitation(const std::filesystem::path& directory,
                               std::span<const EmbeddedFile> files, Colour colour) {
    const Painter paint(colour);
    const std::string place = directory.string();
    return text::concat(paint.warning("Nothing was written"), ": ", place,
                        " is not empty. Init would add to it:\n\n", listFiles(files, paint),
                        "\nIf that is what you want:\n  ",
                        paint.bold("atoll init --force " + place), "\n");
}

int initSite(const std::filesystem::path& directory, Beside beside) {
    if (beside == Beside::nothing && holdsFiles(directory)) {
        std::fputs(describeHesitation(directory, demoFiles(), colourOf(stderr)).c_str(), stderr);
        return 1;
    }
    const auto result = writeDemoSite(directory);
    std::FILE* const out = result ? stdout : stderr;
    std::fputs(describeInit(directory, result, colourOf(out)).c_str(), out);
    return result ? 0 : 1;
}

} // namespace reef::app
