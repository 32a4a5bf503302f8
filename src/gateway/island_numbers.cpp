#include "gateway/island_numbers.h"

#include <algorithm>

namespace reef::gateway {

namespace {

std::uint64_t countOf(std::chrono::microseconds time) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, time.count()));
}

IslandReport::Times timesOf(const LogHistogram& histogram) {
    const auto at = [&histogram](double part) {
        return std::chrono::microseconds(static_cast<std::int64_t>(histogram.quantile(part)));
    };
    return {at(0.50), at(0.95), at(0.99)};
}

} // namespace

IslandNumbers::Entry& IslandNumbers::entryOf(std::string_view file) {
    if (const auto found = islands_.find(file); found != islands_.end()) return found->second;
    if (islands_.size() == kMaxIslands)
        islands_.erase(std::ranges::min_element(
            islands_, {}, [](const auto& each) { return each.second.lastUse; }));
    return islands_[std::string(file)];
}

void IslandNumbers::record(std::string_view file, std::string_view name, IslandRun run) {
    const std::lock_guard lock(mutex_);
    Entry& entry = entryOf(file);
    entry.lastUse = ++uses_;
    if (entry.name != name) entry.name = name;
    ++entry.runs;
    if (run.failed) ++entry.failures;
    entry.total += run.wall;
    entry.queued.add(countOf(run.queued));
    entry.wall.add(countOf(run.wall));
    entry.cpu.add(countOf(run.cpu));
    entry.peakMemory = std::max(entry.peakMemory, run.peakMemory);
    entry.bytes += run.bytes;
    for (std::string& line : run.errors) {
        if (entry.errors.size() == kMaxErrors) entry.errors.erase(entry.errors.begin());
        entry.errors.push_back(std::move(line));
    }
}

std::vector<IslandReport> IslandNumbers::report() const {
    std::vector<std::pair<std::chrono::microseconds, IslandReport>> all;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [file, entry] : islands_)
            all.emplace_back(entry.total, IslandReport{file, entry.name, entry.runs, entry.failures,
                                                       timesOf(entry.queued), timesOf(entry.wall),
                                                       timesOf(entry.cpu), entry.peakMemory,
                                                       entry.bytes, entry.errors});
    }
    std::sort(all.begin(), all.end(),
              [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<IslandReport> reports;
    for (auto& each : all)
        reports.push_back(std::move(each.second));
    return reports;
}

} // namespace reef::gateway
