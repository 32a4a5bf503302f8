#pragma once

#include "base/fd.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <string>

namespace reef::pageviews::test {

/// Standard error, and so the error log, while it lives.
class CapturedLog {
public:
    CapturedLog()
        : file_(::memfd_create("log", MFD_CLOEXEC)),
          before_(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)) {
        REQUIRE(file_);
        REQUIRE(before_);
        ::dup2(file_.get(), STDERR_FILENO);
    }
    CapturedLog(const CapturedLog&) = delete;
    CapturedLog& operator=(const CapturedLog&) = delete;
    ~CapturedLog() { ::dup2(before_.get(), STDERR_FILENO); }

    std::string text() const {
        std::string text(static_cast<std::size_t>(::lseek(file_.get(), 0, SEEK_END)), '\0');
        REQUIRE(::pread(file_.get(), text.data(), text.size(), 0) ==
                static_cast<ssize_t>(text.size()));
        return text;
    }

    /// How often something was said.
    int count(std::string_view words) const {
        const std::string all = text();
        int found = 0;
        for (auto at = all.find(words); at != std::string::npos; at = all.find(words, at + 1))
            ++found;
        return found;
    }

private:
    Fd file_;
    Fd before_;
};

} // namespace reef::pageviews::test
