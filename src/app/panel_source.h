#pragma once

#include "admin/panel_data.h"
#include "app/config.h"
#include "gateway/shared_islands.h"
#include "pageviews/recorder.h"
#include "site/page_traces.h"

namespace reef::app {

/// The panel's numbers: the pageview database through a reader of its own, facts of this process,
/// its islands and the last pages. All that it is given outlives it.
class PanelSource final : public admin::PanelData {
public:
    /// `recorder` may be null: pageviews are off, or it could not be started.
    PanelSource(const Config& config, std::vector<std::string> addresses,
                const pageviews::Recorder* recorder, const gateway::SharedIslands& islands,
                const site::PageTraces& pages)
        : config_(config), addresses_(std::move(addresses)), recorder_(recorder), islands_(islands),
          pages_(pages) {}

    /// After a reload. On the loop that asks for facts.
    void setAddresses(std::vector<std::string> addresses) { addresses_ = std::move(addresses); }

    Result<pageviews::Report> report(const pageviews::ReportQuery& query) override;
    admin::ServerFacts facts() override;
    admin::IslandsFacts islands() override;

private:
    admin::Recording recording() const;

    const Config& config_;
    std::vector<std::string> addresses_;
    const pageviews::Recorder* recorder_;
    const gateway::SharedIslands& islands_;
    const site::PageTraces& pages_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

/// Resident memory of this process in bytes, as /proc tells it.
std::optional<ByteCount> residentBytes();

/// "0.1.0 (2f53987)".
std::string versionText();

} // namespace reef::app
