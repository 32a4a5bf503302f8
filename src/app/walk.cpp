#include "app/walk.h"

#include "base/text.h"

#include <algorithm>
#include <filesystem>

namespace reef::app {

namespace fs = std::filesystem;

namespace {

class Walker {
public:
    Walker(fs::path top, std::size_t most) : top_(std::move(top)), most_(most) {}

    void enter(const fs::path& below) {
        if (isEnough()) return;
        std::error_code error;
        const fs::path directory = below.empty() ? top_ : top_ / below;
        for (fs::directory_iterator it(directory, error), end; !error && it != end && !isEnough();
             it.increment(error))
            look(*it, below / it->path().filename());
        if (error) complain(directory, error.message());
    }

    Walk take() {
        std::ranges::sort(found_.files);
        return std::move(found_);
    }

private:
    bool isEnough() const noexcept { return seen_ > most_; }

    void look(const fs::directory_entry& entry, const fs::path& name) {
        if (++seen_; isEnough())
            return complain(top_, text::concat("holds more than ", most_,
                                               " files: the others were not looked at"));
        if (name.filename().string().starts_with('.')) return;
        std::error_code error;
        const bool link = entry.is_symlink(error);
        if (!error && entry.is_directory(error)) {
            if (!link) enter(name);
        } else if (!error && entry.is_regular_file(error)) {
            found_.files.push_back(name.string());
        } else if (link) {
            complain(entry.path(), "a link that leads nowhere");
        } else if (error) {
            complain(entry.path(), error.message());
        }
    }

    void complain(const fs::path& path, std::string_view what) {
        found_.faults.push_back(text::concat(text::escapeControls(path.string()), ": ", what));
    }

    fs::path top_;
    std::size_t most_;
    std::size_t seen_ = 0;
    Walk found_;
};

} // namespace

Walk walk(const std::string& directory, std::size_t most) {
    Walker walker(fs::path(directory), most);
    walker.enter({});
    return walker.take();
}

} // namespace reef::app
