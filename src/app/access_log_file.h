#pragma once

#include "base/bytes.h"
#include "base/fd.h"
#include "base/result.h"

#include <cstddef>
#include <string>

namespace reef::app {

/// Where the access log is written, and how.
struct AccessLogOptions {
    std::string file;
    std::string format = "combined"; ///< see AccessLogFormat
    ByteCount maxBytes = 0;          ///< beyond this size the file is rotated; 0: never
    std::size_t keep = 5;            ///< rotated files that are kept: file.1 (the newest) to file.N

    friend bool operator==(const AccessLogOptions&, const AccessLogOptions&) = default;
};

/// A file that lines are appended to (O_APPEND), rotated by size, made anew when somebody has
/// removed it. Made with mode 0640. One thread.
class AccessLogFile {
public:
    explicit AccessLogFile(AccessLogOptions options) : options_(std::move(options)) {}

    /// Writes whole lines off the front of `lines` and says how many bytes they have; fewer than
    /// all when the file cannot be opened or the disk is full (see `trouble`). Call again with what
    /// is left: a line that was written in part is completed, or written whole where another file
    /// has taken the place of this one.
    std::size_t write(ByteView lines);

    /// Opens the file's name anew at the next write: it was moved away.
    void close() noexcept;

    /// Why the last write stopped; of no meaning when it did not.
    Error trouble() const noexcept { return trouble_; }

private:
    bool open();
    void closeIfRemoved() noexcept;
    std::size_t portionOf(ByteView lines);
    std::size_t put(ByteView lines);
    void rotate();
    std::string rotatedName(std::size_t number) const;

    AccessLogOptions options_;
    Fd file_;
    ByteCount size_ = 0;
    std::size_t partial_ = 0; ///< bytes of the next line that are in the file already
    Error trouble_ = Error::failed;
};

} // namespace reef::app
