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

    /// From the hundredth on only the fact is kept that there are more.
    void add(std::size_t line, std::size_t column, std::string message) {
        if (list_.size() < kMost) list_.push_back({file_, line, column, std::move(message)});
        ++count_;
    }
    bool empty() const noexcept { return list_.empty(); }
    std::size_t count() const noexcept { return count_; }

    /// What can be used, and is hardly what was meant: `atoll check` tells of it.
    void warn(std::size_t line, std::size_t column, std::string message) {
        if (warnings_.size() < kMost)
            warnings_.push_back({file_, line, column, std::move(message)});
    }
    std::vector<ConfigError> takeWarnings() { return std::move(warnings_); }

    /// In the order of the file; at the end, how many more there are.
    std::vector<ConfigError> take();

private:
    static constexpr std::size_t kMost = 100;

    std::string file_;
    std::vector<ConfigError> list_;
    std::vector<ConfigError> warnings_;
    std::size_t count_ = 0;
};

} // namespace reef::app
