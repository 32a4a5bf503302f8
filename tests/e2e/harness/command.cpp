#include "harness/command.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

namespace reef::e2e {

namespace {

/// A file without a name: a child may write any amount to it without being waited for.
class Scratchpad {
public:
    explicit Scratchpad(const std::string& content = {})
        : file_(::memfd_create("scratch", MFD_CLOEXEC)) {
        if (::write(file_.get(), content.data(), content.size()) !=
            static_cast<ssize_t>(content.size()))
            throw std::runtime_error("cannot write to a memory file");
        ::lseek(file_.get(), 0, SEEK_SET);
    }

    int descriptor() const { return file_.get(); }

    std::string content() const {
        std::string text(static_cast<std::size_t>(::lseek(file_.get(), 0, SEEK_END)), '\0');
        if (::pread(file_.get(), text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
            throw std::runtime_error("cannot read a memory file");
        return text;
    }

private:
    Fd file_;
};

} // namespace

Outcome run(const std::vector<std::string>& command, const std::string& input, Duration patience) {
    const Scratchpad in(input);
    const Scratchpad out;
    const Scratchpad err;
    ChildProcess child(command, in.descriptor(), out.descriptor(), err.descriptor());
    const auto ending = child.wait(patience);
    if (!ending)
        throw std::runtime_error(command[0] + " took too long; it printed: " + out.content() +
                                 err.content());
    return {*ending, out.content(), err.content()};
}

Outcome shell(const std::string& line, Duration patience) {
    return run({"/bin/sh", "-c", line}, {}, patience);
}

std::string atollBinary() {
    const char* chosen = std::getenv("ATOLL_BINARY");
    return chosen != nullptr && *chosen != '\0' ? chosen : ATOLL_BINARY;
}

Outcome runAtoll(std::vector<std::string> arguments, const std::string& input) {
    arguments.insert(arguments.begin(), atollBinary());
    return run(arguments, input);
}

} // namespace reef::e2e
