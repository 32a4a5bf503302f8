#pragma once

namespace reef::app {

/// `atoll hash`: asks for a password and prints the hash that `auth` in atoll.toml takes. Returns
/// the exit status.
int printHash();

} // namespace reef::app
