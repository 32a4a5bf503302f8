#pragma once

#include "base/fd.h"
#include "harness/deadline.h"

#include <filesystem>
#include <string>

namespace reef::e2e {

/// A site in a fresh directory that everybody may enter, so that a server started by root can hand
/// it to an unprivileged user. Removed at the end with all it holds.
///
///     TOP/site/www, TOP/site/cgi-bin, TOP/site/atoll.toml    what is served
///     TOP/...                                                what the test itself needs
class Site {
public:
    Site();
    ~Site();
    Site(const Site&) = delete;
    Site& operator=(const Site&) = delete;

    /// Writes www/NAME, or cgi-bin/NAME; directories between are made.
    Site& document(const std::string& name, const std::string& content, unsigned mode = 0644);
    Site& island(const std::string& name, const std::string& content, unsigned mode = 0755);
    Site& config(const std::string& text);

    std::filesystem::path directory() const { return top_ / "site"; }
    std::filesystem::path documents() const { return directory() / "www"; }
    std::filesystem::path islands() const { return directory() / "cgi-bin"; }
    std::filesystem::path data() const { return directory() / "data"; }

    /// Beside the site, not part of it.
    std::filesystem::path beside(const std::string& name) const { return top_ / name; }

private:
    std::filesystem::path top_;
};

/// Writes a file with exactly these rights, whatever the umask.
void writeFile(const std::filesystem::path& file, const std::string& content, unsigned mode = 0644);
std::string readFile(const std::filesystem::path& file);

/// A named pipe between islands and the test. Islands tell something by it, line by line: `echo
/// started > PATH`; or they wait for the test's word: `read word < PATH`. Opening it never waits.
class Mailbox {
public:
    explicit Mailbox(const std::filesystem::path& path);

    const std::string& path() const noexcept { return path_; }

    /// The next line, without its end. Throws when none comes in time.
    std::string line(Duration patience = kPatience);

    /// Writes one line. A shell's `read` takes no byte behind it, so one line wakes one reader.
    void put(const std::string& text) const;

    /// Whether nothing was written that has not been read.
    bool empty();

private:
    bool fill(Duration patience);

    std::string path_;
    Fd pipe_;
    std::string received_;
};

} // namespace reef::e2e
