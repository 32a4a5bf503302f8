#pragma once

#include "app/config_table.h"
#include "site/basic_auth.h"

#include <memory>
#include <optional>
#include <string>

namespace reef::app {

/// Reads `auth`: false (everybody), or a table with `realm`, `users` (name = hash) and `file`
/// (lines of `name:hash`).
void readAuth(ConfigTable& table, const std::string& directory,
              std::optional<std::shared_ptr<const site::BasicAuth>>& target);

} // namespace reef::app
