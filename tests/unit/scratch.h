#pragma once

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace reef::test {

inline std::string contentOf(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(in), {}};
}

inline void writeContent(const std::filesystem::path& path, const std::string& content) {
    std::ofstream out(path, std::ios::binary);
    out << content;
    if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

/// A fresh directory for one test, removed with all it holds at the end. Other users may enter it.
class Scratch {
public:
    Scratch() {
        std::string name = (std::filesystem::temp_directory_path() / "atoll-test-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch directory");
        path_ = name;
        ::chmod(name.c_str(), 0755);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    const std::filesystem::path& path() const noexcept { return path_; }
    std::string operator/(const std::string& name) const { return (path_ / name).string(); }

    /// Writes a file there and returns its name.
    std::string file(const std::string& name, const std::string& content,
                     mode_t mode = 0644) const {
        const auto made = path_ / name;
        writeContent(made, content);
        ::chmod(made.c_str(), mode);
        return made.string();
    }

private:
    std::filesystem::path path_;
};

} // namespace reef::test
