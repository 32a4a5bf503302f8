#include "app/explain_command.h"

#include "app/control_client.h"
#include "app/site_place.h"
#include "app/waterfall.h"
#include "base/text.h"
#include "pageviews/text_table.h"

#include <Poco/JSON/Array.h>
#include <Poco/JSON/Object.h>
#include <Poco/JSON/Parser.h>

#include <algorithm>
#include <cstdio>

namespace reef::app {

namespace {

constexpr std::chrono::seconds
    kPatience(600); ///< a page may take long: that is why it is asked for

int fail(const std::string& why) {
    std::fprintf(stderr, "atoll: %s\n", why.c_str());
    return 1;
}

struct Address {
    std::string host = "-"; ///< of no site: the one for all other hosts
    std::string target;
};

/// "/path?query", or the same behind "http://host". Nothing: it is neither.
std::optional<Address> addressIn(std::string_view url) {
    Address address;
    const auto scheme = url.find("://");
    if (scheme != std::string_view::npos && scheme <= std::string_view("https").size()) {
        url.remove_prefix(scheme + 3);
        const auto slash = std::min(url.find('/'), url.size());
        address.host = text::toLower(url.substr(0, std::min(url.find(':'), slash)));
        url.remove_prefix(slash);
    }
    address.target = url.empty() ? "/" : std::string(url.substr(0, url.find('#')));
    const bool sound = std::ranges::all_of(
        address.target, [](char c) { return static_cast<unsigned char>(c) > ' ' && c != 0x7F; });
    if (!address.target.starts_with('/') || address.host.empty() || !sound) return std::nullopt;
    return address;
}

void print(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

std::string milliseconds(std::uint64_t microseconds) {
    return text::concat(microseconds / 1000, ".", microseconds / 100 % 10);
}

/// The ten whose slowest runs are the longest.
std::string slowIslands(const std::string& status) {
    using pageviews::TextTable;
    struct Slow {
        std::string name;
        std::uint64_t runs, failures, p50, p95, p99;
    };
    std::vector<Slow> islands;
    const auto root = Poco::JSON::Parser().parse(status).extract<Poco::JSON::Object::Ptr>();
    const auto each = root->getObject("islands")->getArray("each");
    for (unsigned i = 0; i != each->size(); ++i) {
        const auto island = each->getObject(i);
        const auto wall = island->getObject("wall");
        islands.push_back(
            {island->getValue<std::string>("name"), island->getValue<Poco::UInt64>("runs"),
             island->getValue<Poco::UInt64>("failures"), wall->getValue<Poco::UInt64>("p50"),
             wall->getValue<Poco::UInt64>("p95"), wall->getValue<Poco::UInt64>("p99")});
    }
    std::ranges::sort(islands, std::greater(), &Slow::p95);
    islands.resize(std::min<std::size_t>(islands.size(), 10));
    if (islands.empty()) return {};
    using Align = TextTable::Align;
    TextTable table({{"SLOWEST ISLANDS", Align::left, 60},
                     {"RUNS", Align::right, 12},
                     {"FAILED", Align::right, 12},
                     {"P50 MS", Align::right, 10},
                     {"P95 MS", Align::right, 10},
                     {"P99 MS", Align::right, 10}});
    for (const Slow& island : islands)
        table.add({island.name, std::to_string(island.runs), std::to_string(island.failures),
                   milliseconds(island.p50), milliseconds(island.p95), milliseconds(island.p99)});
    return "\n" + table.print(terminalWidth(), 0);
}

} // namespace

int explainPage(const std::string& directory, const std::string& url, Format format) {
    const auto address = addressIn(url);
    if (!address)
        return fail(
            text::concat("expected a path such as /page.shtml or http://host/page.shtml, not ",
                         text::escapeControls(url)));
    const auto place = placeOf(directory);
    if (!place) return 1;
    const auto answer =
        askServer(place->controlSocket(), "POST",
                  text::concat("/explain/", address->host, address->target), kPatience);
    if (!answer) return noServer(*place, answer.error());
    if (format == Format::json) {
        print(*answer);
        return 0;
    }
    const auto explained = readExplanation(*answer);
    if (!explained) return fail("the server's answer cannot be read: is it of another version?");
    if (explained->page) {
        print(waterfall(*explained->page, terminalWidth()));
    } else {
        print(text::concat(address->target, "  ", explained->status, ", ", explained->bytes,
                           " bytes in ",
                           milliseconds(static_cast<std::uint64_t>(explained->took.count())),
                           " ms; it includes nothing\n"));
    }
    if (!explained->why.empty())
        print(text::concat("it failed: ", text::escapeControls(explained->why), "\n"));
    return explained->status >= 500 ? 1 : 0;
}

int showPages(const std::string& directory, Format format) {
    const auto place = placeOf(directory);
    if (!place) return 1;
    const auto answer = askServer(place->controlSocket(), "GET", "/pages");
    if (!answer) return noServer(*place, answer.error());
    if (format == Format::json) {
        print(*answer);
        return 0;
    }
    const auto pages = readPages(*answer);
    const auto status = askServer(place->controlSocket(), "GET", "/status");
    if (!status) return noServer(*place, status.error());
    if (!pages) return fail("the server's answer cannot be read: is it of another version?");
    if (pages->empty()) {
        print("no page was composed since the start; `atoll explain /page.shtml` asks for one\n");
    } else {
        print(pageList(*pages, terminalWidth()));
    }
    print(slowIslands(*status));
    return 0;
}

} // namespace reef::app
