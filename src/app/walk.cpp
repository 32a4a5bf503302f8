#include "app/walk.h"

#include "base/text.h"

#include <algorithm>
#include <filesystem>

namespace reef::app {

namespace fs = std::filesystem;

namespace {

class Walker {
public:
    explicit Walker(fs::path top) : top_(std::move(top)) {}

    void enter(const fs::path& below) {
        std::error_code error;
        const fs::path directory = below.empty() ? top_ : top_ / below;
        for (fs::directory_iterator it(directory, error), end; !error && it != end;
             it.increment(error))
            look(*it, below / it->path().filename());
        if (error) complain(directory, error.message());
    }

    Walk take() {
        std::ranges::sort(found_.files);
        return std::move(found_);
    }

private:
    void look(const fs::directory_entry& entry, const fs::path& name) {
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
    Walk found_;
};

} // namespace

Walk walk(const std::string& directory) {
    Walker walker{fs::path(directory)};
    walker.enter({});
    return walker.take();
}

} // namespace reef::app
