#pragma once

#include "app/access_log_file.h"
#include "app/config_error.h"
#include "cache/flight.h"
#include "io/address.h"
#include "serve/settings.h"
#include "site/sites.h"

#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace reef::app {

/// Where visitors come in.
struct ListenAddress {
    explicit ListenAddress(const io::Address& where) : address(where) {}

    io::Address address;
    bool proxyProtocol = false; ///< every connection begins with a header of the PROXY protocol
};

/// What `atoll.toml` says, checked, with the defaults of src/app/atoll.toml. A plain value.
struct Config {
    std::string directory; ///< of the site, absolute; holds www/, cgi-bin/, data/ and atoll.toml

    /// Empty: port 80 where it may be used, else 8080.
    std::vector<ListenAddress> listen;

    /// Nothing: no panel.
    std::optional<io::Address> panel;

    bool pageviews = true;
    std::optional<AccessLogOptions> accessLog; ///< nothing: none is kept
    serve::Settings serve;
    site::IslandLimits islands;
    cache::Limits cache; ///< of answers that are kept

    /// At least one: the first answers for hosts that no other names.
    std::vector<site::SiteSettings> sites;

    /// What can be used, and is hardly what was meant.
    std::vector<ConfigError> warnings;

    /// What was read; nothing: there is no file.
    std::optional<std::string> text;

    /// The file was broken at a restart: this is what `lastGoodFile` says.
    bool isLastGood = false;

    std::string file() const { return directory + "/atoll.toml"; }
    std::string data() const { return directory + "/data"; }
    std::string pageviewFile() const { return data() + "/pageviews.db"; }
    std::string accountFile() const { return data() + "/accounts.json"; }
    std::string controlSocket() const { return data() + "/atoll.sock"; }

    /// The last text of the file that was right: what a server that is started again goes by when
    /// the file has been broken meanwhile.
    std::string lastGoodFile() const { return data() + "/atoll.toml.last-good"; }

    /// Is there while a server makes itself ready by a file that no server has gone by yet: who
    /// finds it at its start knows that the one before died of the file, or at least over it.
    std::string trialFile() const { return data() + "/atoll.toml.trial"; }
};

/// Reads `directory`/atoll.toml; a missing file means the defaults. All errors of the file at once.
std::expected<Config, std::vector<ConfigError>> readConfig(const std::string& directory);

/// The same out of `file`, for a site in `directory` (absolute).
std::expected<Config, std::vector<ConfigError>> readConfig(const std::string& file,
                                                           const std::string& directory);

/// The same from text. `file` is for the messages.
std::expected<Config, std::vector<ConfigError>>
parseConfig(const std::string& text, const std::string& file, const std::string& directory);

} // namespace reef::app
