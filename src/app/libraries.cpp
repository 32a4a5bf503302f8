#include "app/libraries.h"

#include "base/text.h"

#include <Poco/JSON/Object.h>
#include <Poco/JSON/Parser.h>
#include <Poco/Version.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <algorithm>
#include <pcre2.h>
#include <sqlite3.h>
#include <toml++/toml.h>
#include <zlib.h>
#include <zstd.h>

namespace reef::app {

namespace {

/// POCO_VERSION is 0xAABBCCDD: major, minor, patch, development.
std::string pocoVersion() {
    constexpr unsigned version = POCO_VERSION;
    return text::concat((version >> 24U) & 255U, ".", (version >> 16U) & 255U, ".",
                        (version >> 8U) & 255U);
}

std::string tomlVersion() {
    return text::concat(TOML_LIB_MAJOR, ".", TOML_LIB_MINOR, ".", TOML_LIB_PATCH);
}

Poco::JSON::Object::Ptr parsed(const std::string& json) {
    return Poco::JSON::Parser().parse(json).extract<Poco::JSON::Object::Ptr>();
}

std::string milliseconds(std::uint64_t microseconds) {
    return text::concat(microseconds / 1000, ".", microseconds / 100 % 10);
}

/// The ten busiest, a line each.
std::string describeIslands(const Poco::JSON::Array& islands) {
    constexpr std::size_t kMost = 10;
    std::string out;
    for (unsigned i = 0; i < std::min(islands.size(), kMost); ++i) {
        const auto island = islands.getObject(i);
        const auto time = [&island](const char* what, const char* which) {
            return milliseconds(island->getObject(what)->getValue<std::uint64_t>(which));
        };
        const auto failures = island->getValue<std::uint64_t>("failures");
        out +=
            text::concat("    ", text::escapeControls(island->getValue<std::string>("name")), "  ",
                         island->getValue<std::uint64_t>("runs"), " runs, ", failures, " failed; ",
                         time("wall", "p50"), " ms (p99 ", time("wall", "p99"), "), CPU ",
                         time("cpu", "p50"), " ms, waited ", time("queue", "p99"), " ms (p99), ",
                         island->getValue<std::uint64_t>("peakMemory") >> 20U, " MB\n");
    }
    if (islands.size() > kMost)
        out += text::concat("    and ", islands.size() - kMost, " more (atoll status --json)\n");
    return out;
}

} // namespace

std::vector<Component> linkedLibraries() {
    static const std::string poco = pocoVersion();
    static const std::string toml = tomlVersion();
    static const std::string pcre2 = text::concat(PCRE2_MAJOR, '.', PCRE2_MINOR);
    std::vector<Component> libraries{{"POCO", poco},          {"PCRE2", pcre2},
                                     {"zlib", zlibVersion()}, {"Zstandard", ZSTD_versionString()},
                                     {"toml++", toml},        {"SQLite", sqlite3_libversion()}};
    for (const Component& component : runtimeComponents())
        libraries.push_back(component);
    return libraries;
}

std::vector<pid_t> processesIn(const std::string& json) {
    const auto status = parsed(json);
    std::vector<pid_t> pids{status->getValue<pid_t>("keeper")};
    const auto guardian = status->optValue<pid_t>("guardian", 0); // 0: there is none
    if (guardian != 0) pids.push_back(guardian);
    return pids;
}

std::string describeStatus(const std::string& json) {
    const auto status = parsed(json);
    std::string out = text::concat("Atoll ", status->getValue<std::string>("version"), " serves ",
                                   status->getValue<std::string>("directory"), "\n");
    const auto sites = status->getArray("sites");
    for (std::size_t i = 0; i < sites->size(); ++i)
        out += text::concat("  site     ", sites->getElement<std::string>(static_cast<unsigned>(i)),
                            "\n");
    const auto panel = status->getValue<std::string>("panel");
    out += text::concat("  panel    ", panel.empty() ? "off" : panel, "\n");
    out += text::concat("  running  ", status->getValue<std::uint64_t>("uptime"), " s, process ",
                        status->getValue<std::uint64_t>("pid"), ", ",
                        status->getValue<std::uint64_t>("loops"), " event loops, ",
                        status->getValue<std::uint64_t>("residentBytes") / 1024, " KiB\n");
    if (status->has("islands")) {
        const auto islands = status->getObject("islands");
        const auto count = [&islands](const char* name) {
            return islands->getValue<std::uint64_t>(name);
        };
        out += text::concat("  islands  ", count("running"), " at work, ", count("waiting"),
                            " waiting; since the start ", count("waited"), " waited, ",
                            count("refused"), " were refused\n");
        out += describeIslands(*islands->getArray("each"));
    }
    if (status->has("cache")) {
        const auto cache = status->getObject("cache");
        const auto count = [&cache](const char* name) {
            return cache->getValue<std::uint64_t>(name);
        };
        out += text::concat("  cache    ", count("answers"), " answers in ", count("bytes") / 1024,
                            " KiB; since the start ", count("hits"), " hits, ", count("stale"),
                            " stale, ", count("misses"), " misses, ", count("coalesced"),
                            " waited for another's, ", count("bypassed"), " past it, ",
                            count("evicted"), " evicted\n");
    }
    if (status->has("views")) {
        const auto views = status->getObject("views");
        out += text::concat("  views    ", views->getValue<std::uint64_t>("written"),
                            " recorded since the start, ",
                            views->getValue<std::uint64_t>("dropped"), " lost\n");
    }
    return out;
}

} // namespace reef::app
