#include "app/panel_source.h"

#include "app/page_json.h"
#include "base/text.h"
#include "base/version.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace reef::app {
namespace {

using CourseTime = admin::PageCourse::Time;
using TraceTime = compose::FragmentTrace::Time;

constexpr std::size_t kMostText = 300; ///< bytes of each text of a page that are told

std::string shortened(std::string_view text) {
    if (text.size() <= kMostText) return std::string(text);
    return text::concat(text.substr(0, kMostText), "…");
}

/// Nothing for a time that has not come.
std::optional<CourseTime> since(TraceTime began, TraceTime time) {
    if (time == TraceTime{}) return std::nullopt;
    return std::max(std::chrono::duration_cast<CourseTime>(time - began), CourseTime(0));
}

admin::PageCourse::Part partOf(TraceTime began, const compose::FragmentTrace& fragment) {
    admin::PageCourse::Part part;
    part.target = shortened(fragment.target);
    part.depth = fragment.depth;
    part.status = fragment.status;
    if (fragment.source != compose::FragmentSource::made) part.source = nameOf(fragment.source);
    part.attempts = fragment.attempts;
    part.failed = fragment.failed;
    part.standsIn = fragment.standsIn;
    part.bytes = fragment.bytes;
    part.read = since(began, fragment.read).value_or(CourseTime(0));
    part.starts = since(began, fragment.admitted);
    if (!part.starts) part.starts = since(began, fragment.begun);
    part.firstByte = since(began, fragment.firstByte);
    part.ended = since(began, fragment.ended);
    part.why = shortened(fragment.why);
    part.lastError = shortened(fragment.lastError);
    return part;
}

admin::PageCourse courseOf(const site::PageRecord& page) {
    admin::PageCourse course;
    course.target = shortened(page.target);
    course.host = shortened(page.host);
    course.when = std::chrono::floor<std::chrono::milliseconds>(page.when);
    course.status = page.status;
    course.bytes = page.bytes;
    course.complete = page.complete;
    course.head = since(page.trace.began, page.trace.headSent);
    course.took = since(page.trace.began, page.trace.ended).value_or(CourseTime(0));
    course.untraced = page.trace.left;
    for (const auto& fragment : page.trace.fragments)
        course.parts.push_back(partOf(page.trace.began, fragment));
    return course;
}

admin::IslandFacts factsOf(gateway::IslandReport&& island) {
    admin::IslandFacts facts;
    facts.name = std::move(island.name);
    facts.runs = island.runs;
    facts.failures = island.failures;
    facts.wallP50 = island.wall.p50;
    facts.wallP95 = island.wall.p95;
    facts.wallP99 = island.wall.p99;
    facts.cpuP50 = island.cpu.p50;
    facts.queueP99 = island.queued.p99;
    facts.peakMemory = island.peakMemory;
    facts.bytes = island.bytes;
    facts.errors = std::move(island.errors);
    return facts;
}

} // namespace

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

admin::IslandsFacts PanelSource::islands() {
    const auto counts = islands_.admission.counts();
    admin::IslandsFacts facts;
    facts.running = counts.running;
    facts.waiting = counts.waiting;
    facts.waited = counts.waited;
    facts.refused = counts.refused;
    for (auto& island : islands_.numbers.report())
        facts.islands.push_back(factsOf(std::move(island)));
    for (const auto& page : pages_.recent())
        facts.pages.push_back(courseOf(*page));
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
