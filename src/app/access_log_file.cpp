#include "app/access_log_file.h"

#include "base/log.h"
#include "base/text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace reef::app {

std::size_t AccessLogFile::write(ByteView lines) {
    closeIfRemoved();
    std::size_t done = 0;
    while (done < lines.size()) {
        if (!file_ && !open()) break;
        const std::size_t portion = portionOf(lines.subspan(done));
        if (portion == 0) {
            rotate();
            continue;
        }
        const std::size_t put = this->put(lines.subspan(done, portion));
        done += put;
        if (put != portion) break;
    }
    return done;
}

void AccessLogFile::close() noexcept {
    file_.reset();
    partial_ = 0;
}

bool AccessLogFile::open() {
    // Without O_NONBLOCK a pipe that nobody reads would keep the caller, which is an event loop.
    constexpr int kHow = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY;
    file_ = Fd(::open(options_.file.c_str(), kHow | O_NONBLOCK, 0640));
    struct stat status{};
    if (!file_ || ::fcntl(file_.get(), F_SETFL, kHow) != 0 || ::fstat(file_.get(), &status) != 0) {
        trouble_ = Error::fromErrno();
        close();
        return false;
    }
    size_ = static_cast<ByteCount>(status.st_size);
    partial_ = 0;
    return true;
}

/// What is written to a file without a name is lost.
void AccessLogFile::closeIfRemoved() noexcept {
    struct stat status{};
    if (file_ && ::fstat(file_.get(), &status) == 0 && status.st_nlink == 0) close();
}

/// How many bytes, in whole lines, go into the file as it is; 0: it is to be rotated first.
std::size_t AccessLogFile::portionOf(ByteView lines) {
    const ByteCount most = options_.maxBytes;
    if (most == 0 || partial_ != 0 || size_ + lines.size() <= most) return lines.size();
    const auto text = textOf(lines);
    const auto room = static_cast<std::size_t>(size_ < most ? most - size_ : 0);
    const auto last = room == 0 ? std::string_view::npos : text.rfind('\n', room - 1);
    if (last != std::string_view::npos) return last + 1;
    return size_ == 0 ? text.find('\n') + 1 : 0; // a line that is larger than a whole file
}

/// Returns the bytes of the lines that are now in the file to their end.
std::size_t AccessLogFile::put(ByteView lines) {
    std::size_t place = partial_;
    while (place < lines.size()) {
        const auto put = ::write(file_.get(), lines.data() + place, lines.size() - place);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) {
            trouble_ = put < 0 ? Error::fromErrno() : Error(Error::failed);
            break;
        }
        place += static_cast<std::size_t>(put);
        size_ += static_cast<ByteCount>(put);
    }
    const auto lastEnd = textOf(lines.first(place)).rfind('\n');
    const std::size_t whole = lastEnd == std::string_view::npos ? 0 : lastEnd + 1;
    partial_ = place - whole;
    return whole;
}

void AccessLogFile::rotate() {
    const std::size_t keep = options_.keep;
    bool moved = true;
    for (std::size_t i = keep; i > 1; --i)
        static_cast<void>(std::rename(rotatedName(i - 1).c_str(), rotatedName(i).c_str()));
    if (keep == 0) {
        moved = ::unlink(options_.file.c_str()) == 0 || errno == ENOENT;
    } else {
        moved = std::rename(options_.file.c_str(), rotatedName(1).c_str()) == 0 || errno == ENOENT;
    }
    if (moved) {
        close();
        return;
    }
    log::error("access-log", text::concat("cannot rotate ", options_.file, ": ",
                                          Error::fromErrno().describe(), "; it grows on"));
    size_ = 0; // try again when as much has been added
}

std::string AccessLogFile::rotatedName(std::size_t number) const {
    return text::concat(options_.file, '.', number);
}

} // namespace reef::app
