#include "app/config_error.h"

#include "base/text.h"

#include <algorithm>
#include <tuple>

namespace reef::app {

std::string ConfigError::describe() const {
    if (line == 0) return text::concat(file, ": ", message);
    return text::concat(file, ":", line, ":", column, ": ", message);
}

std::vector<ConfigError> ConfigErrors::take() {
    std::ranges::sort(list_, {}, [](const ConfigError& error) {
        return std::tuple(error.line, error.column, error.message);
    });
    if (count_ > list_.size())
        list_.push_back(
            {file_, 0, 0, text::concat("errors beside these: ", count_ - list_.size())});
    return std::move(list_);
}

} // namespace reef::app
