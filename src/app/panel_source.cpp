#include "app/panel_source.h"

#include "base/text.h"
#include "base/version.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace reef::app {

Result<pageviews::Report> PanelSource::report(const pageviews::ReportQuery& query) {
    auto reader = pageviews::ReportReader::open(config_.pageviewFile());
    if (!reader) return fail(reader.error());
    return (*reader)->read(query);
}

admin::ServerFacts PanelSource::facts() {
    admin::ServerFacts facts;
    facts.version = versionText();
    facts.uptime =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - began_);
    facts.addresses = addresses_;
    facts.directory = config_.directory;
    facts.residentBytes = residentBytes();
    std::error_code missing;
    const auto size = std::filesystem::file_size(config_.pageviewFile(), missing);
    if (!missing) facts.databaseBytes = size;
    facts.recording = recording();
    return facts;
}

admin::Recording PanelSource::recording() const {
    if (!config_.pageviews) return admin::Recording::off;
    if (recorder_ == nullptr || !recorder_->counts().healthy) return admin::Recording::failing;
    return admin::Recording::healthy;
}

std::optional<ByteCount> residentBytes() {
    std::ifstream statm("/proc/self/statm");
    ByteCount total = 0;
    ByteCount resident = 0;
    if (!(statm >> total >> resident)) return std::nullopt;
    return resident * static_cast<ByteCount>(::sysconf(_SC_PAGESIZE));
}

std::string versionText() {
    return text::concat(buildInfo().version, " (", buildInfo().commit, ")");
}

} // namespace reef::app
