#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reef::gateway {

/// Which program runs the files of an extension: ".php" by /usr/bin/php-cgi. The case of an
/// extension does not matter. Immutable once made; usable by all loops.
class Interpreters {
public:
    /// `extension` with its dot; `program` is an absolute file name. A second program for an
    /// extension does not count.
    void add(std::string_view extension, std::string program);

    /// The program for a file, by the last extension of its name; empty: none. Lives as long as
    /// this.
    std::string_view programFor(std::string_view fileName) const noexcept;

    /// Whether a part of the path has one of the extensions: whether it may lead to a script at
    /// all.
    bool mayLead(std::string_view path) const noexcept;

    /// Whether a file of this name holds what such a program would run: also one whose name has a
    /// dot behind the extension, or that of a content coding ("a.PHP.", "a.php.gz"). Its content is
    /// nobody's to see.
    bool isSource(std::string_view fileName) const noexcept;

    /// Takes over what another has.
    void add(const Interpreters& other);

    bool empty() const noexcept { return programs_.empty(); }
    const std::vector<std::pair<std::string, std::string>>& all() const noexcept {
        return programs_;
    }

private:
    std::vector<std::pair<std::string, std::string>> programs_; ///< extension, lower case: program
};

} // namespace reef::gateway
