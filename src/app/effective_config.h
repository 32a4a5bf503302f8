#pragma once

#include "app/config.h"
#include "app/serve_command.h"

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace reef::app {

/// What a server goes by: `atoll.toml`, and over it what the command line of `atoll serve` said,
/// which stays in force when the file is read again.
std::expected<Config, std::vector<ConfigError>> effectiveConfig(const ServeOptions& options);

/// The same for a reload. `hadFile`: the configuration in force is out of a file; then a missing
/// one is an error, as a broken one is, for rules about who may enter would be gone with it.
std::expected<Config, std::vector<ConfigError>> configInsteadOf(const ServeOptions& options,
                                                                bool hadFile);

/// The same for a server that starts. The first one (generation 1) was started by somebody: without
/// a file it has no settings, and the log says so if there were some last time. One that starts
/// again by itself: when the file has been broken meanwhile, or is gone, or the server before died
/// over it, it goes by the last text that was right, and says so in the log. Every second try is
/// the file's. Begins a trial, which ends when the server is ready.
std::expected<Config, std::vector<ConfigError>> effectiveConfig(const ServeOptions& options,
                                                                std::uint32_t generation);

/// Remembers the text for such a restart. What fails is logged: it costs no visitor
/// anything now.
void rememberAsGood(const Config& config);

/// Around what may kill the server: reading the file, and becoming ready by what it says. A trial
/// that cannot be noted is none.
void beginTrial(const Config& place);
void endTrial(const Config& place);

/// The arguments by which the keeper starts the server, and back.
std::vector<std::string> serverArguments(const ServeOptions& options);
ServeOptions serveOptionsOf(const std::vector<std::string>& arguments);

} // namespace reef::app
