#include "app/island_status.h"

namespace reef::app {

namespace {

void write(JsonWriter& json, std::string_view name, const gateway::IslandReport::Times& times) {
    const auto count = [](std::chrono::microseconds time) {
        return static_cast<std::uint64_t>(time.count());
    };
    json.key(name).beginObject();
    json.key("p50").value(count(times.p50));
    json.key("p95").value(count(times.p95));
    json.key("p99").value(count(times.p99)).endObject();
}

void write(JsonWriter& json, const gateway::IslandReport& island) {
    json.beginObject().key("name").value(island.name).key("file").value(island.file);
    json.key("runs").value(island.runs).key("failures").value(island.failures);
    write(json, "queue", island.queued);
    write(json, "wall", island.wall);
    write(json, "cpu", island.cpu);
    json.key("peakMemory").value(island.peakMemory).key("bytes").value(island.bytes);
    json.key("errors").beginArray();
    for (const std::string& line : island.errors)
        json.value(line);
    json.endArray().endObject();
}

} // namespace

void writeIslands(JsonWriter& json, const gateway::SharedIslands& islands) {
    const auto counts = islands.admission.counts();
    json.beginObject();
    json.key("running").value(counts.running).key("waiting").value(counts.waiting);
    json.key("waited").value(counts.waited).key("refused").value(counts.refused);
    json.key("each").beginArray();
    for (const auto& island : islands.numbers.report())
        write(json, island);
    json.endArray().endObject();
}

} // namespace reef::app
