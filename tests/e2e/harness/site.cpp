#include "harness/site.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace reef::e2e {

namespace {

void openToAll(const std::filesystem::path& directory) {
    ::chmod(directory.c_str(), 0755);
}

} // namespace

void writeFile(const std::filesystem::path& file, const std::string& content, unsigned mode) {
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out << content;
    out.close();
    if (!out || ::chmod(file.c_str(), mode) != 0)
        throw std::runtime_error("cannot write " + file.string());
}

std::string readFile(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + file.string());
    std::ostringstream content;
    content << in.rdbuf();
    return content.str();
}

Site::Site() {
    std::string name = (std::filesystem::temp_directory_path() / "atoll-e2e-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    top_ = name;
    openToAll(top_);
    for (const auto& path : {directory(), documents(), islands()}) {
        std::filesystem::create_directory(path);
        openToAll(path);
    }
}

Site::~Site() {
    std::error_code ignored; // what cannot be removed stays in the system's temporary directory
    std::filesystem::remove_all(top_, ignored);
}

Site& Site::document(const std::string& name, const std::string& content, unsigned mode) {
    std::filesystem::create_directories((documents() / name).parent_path());
    writeFile(documents() / name, content, mode);
    return *this;
}

Site& Site::island(const std::string& name, const std::string& content, unsigned mode) {
    std::filesystem::create_directories((islands() / name).parent_path());
    writeFile(islands() / name, content, mode);
    return *this;
}

Site& Site::config(const std::string& text) {
    writeFile(directory() / "atoll.toml", text);
    return *this;
}

Mailbox::Mailbox(const std::filesystem::path& path) : path_(path) {
    // Open for reading and writing: there is always a reader, and never an end.
    if (::mkfifo(path.c_str(), 0666) == 0 && ::chmod(path.c_str(), 0666) == 0)
        pipe_ = Fd(::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
    if (!pipe_) throw std::runtime_error("cannot make the named pipe " + path_);
}

bool Mailbox::fill(Duration patience) {
    pollfd entry{pipe_.get(), POLLIN, 0};
    if (::poll(&entry, 1, static_cast<int>(patience.count())) != 1) return false;
    char bytes[4096];
    const auto got = ::read(pipe_.get(), bytes, sizeof bytes);
    if (got <= 0) return false;
    received_.append(bytes, static_cast<std::size_t>(got));
    return true;
}

std::string Mailbox::line(Duration patience) {
    const Deadline deadline(patience);
    for (;;) {
        const auto end = received_.find('\n');
        if (end != std::string::npos) {
            std::string text = received_.substr(0, end);
            received_.erase(0, end + 1);
            return text;
        }
        if (!fill(Duration(deadline.milliseconds())))
            throw std::runtime_error("nobody wrote to " + path_ + " in time");
    }
}

void Mailbox::put(const std::string& text) const {
    const std::string whole = text + "\n";
    if (::write(pipe_.get(), whole.data(), whole.size()) != static_cast<ssize_t>(whole.size()))
        throw std::runtime_error("cannot write to " + path_);
}

bool Mailbox::empty() {
    return received_.empty() && !fill(Duration::zero());
}

} // namespace reef::e2e
