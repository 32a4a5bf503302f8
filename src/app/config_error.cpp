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
    return std::move(list_);
}

} // namespace reef::app
