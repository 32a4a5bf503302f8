#pragma once

#include "admin/island_facts.h"
#include "base/bytes.h"
#include "base/result.h"
#include "pageviews/report.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace reef::admin {

/// Whether pageviews are written.
enum class Recording : std::uint8_t {
    off, ///< as the settings want it
    healthy,
    failing, ///< they cannot be written at the moment; the log says why
};

/// What the panel tells about the server itself. Facts that nobody measures yet are left out of the
/// page, so that a zero always means zero.
struct ServerFacts {
    std::string version; ///< "0.1.0 (2f53987)"
    std::chrono::seconds uptime{};
    std::vector<std::string> addresses;     ///< of the site, as printed at start
    std::string directory;                  ///< of the site
    std::optional<ByteCount> residentBytes; ///< memory of the server process
    std::optional<ByteCount> databaseBytes; ///< pageviews on disk
    Recording recording = Recording::healthy;
};

/// Where the panel gets its numbers from; the application implements it. Called on worker threads,
/// several at a time, and may block. Must outlive the workers.
class PanelData {
public:
    virtual ~PanelData() = default;

    /// `notFound`: nothing was ever recorded.
    virtual Result<pageviews::Report> report(const pageviews::ReportQuery& query) = 0;

    virtual ServerFacts facts() = 0;

    virtual IslandsFacts islands() = 0;
};

} // namespace reef::admin
