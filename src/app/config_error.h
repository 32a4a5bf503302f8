#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace reef::app {

/// Something in the file that Atoll does not understand.
struct ConfigError {
    std::string file;
    std::size_t line = 0; ///< 0: the file as a whole
    std::size_t column = 0;
    std::string message; ///< what was found, and what was expected

    std::string describe() const; ///< "site/atoll.toml:3:10: …"
};

/// All errors of one file, in the order in which they were found.
class ConfigErrors {
public:
    explicit ConfigErrors(std::string file) : file_(std::move(file)) {}

    void add(std::size_t line, std::size_t column, std::string message) {
        list_.push_back({file_, line, column, std::move(message)});
    }
    bool empty() const noexcept { return list_.empty(); }

    /// In the order of the file.
    std::vector<ConfigError> take();

private:
    std::string file_;
    std::vector<ConfigError> list_;
};

} // namespace reef::app
