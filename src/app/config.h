#pragma once

#include "io/address.h"

#include <chrono>
#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace reef::app {

/// What `atoll.toml` says, checked, with the defaults of src/app/atoll.toml. A plain value.
struct Config {
    std::string directory; ///< of the site, absolute; holds www/, cgi-bin/, data/ and atoll.toml

    /// Empty: port 80 where it may be used, else 8080.
    std::vector<io::Address> listen;

    /// Nothing: no panel.
    std::optional<io::Address> panel;

    bool ssi = true;
    bool pageviews = true;

    /// Islands at work at once, per event loop; further ones wait for their turn.
    std::size_t maxIslands = 32;
    /// From an island's start to its end.
    std::chrono::milliseconds islandTimeout = std::chrono::seconds(60);

    std::string documents() const { return directory + "/www"; }
    std::string islands() const { return directory + "/cgi-bin"; }
    std::string data() const { return directory + "/data"; }
    std::string pageviewFile() const { return data() + "/pageviews.db"; }
    std::string accountFile() const { return data() + "/accounts.json"; }
    std::string controlSocket() const { return data() + "/atoll.sock"; }
};

/// Something in the file that Atoll does not understand.
struct ConfigError {
    std::string file;
    std::size_t line = 0; ///< 0: the file as a whole
    std::size_t column = 0;
    std::string message; ///< what was found, and what was expected

    std::string describe() const; ///< "site/atoll.toml:3:10: …"
};

/// Reads `directory`/atoll.toml; a missing file means the defaults. All errors of the file at once.
std::expected<Config, std::vector<ConfigError>> readConfig(const std::string& directory);

/// The same from text, for tests and the panel's editor. `file` is for the messages.
std::expected<Config, std::vector<ConfigError>>
parseConfig(const std::string& text, const std::string& file, const std::string& directory);

} // namespace reef::app
