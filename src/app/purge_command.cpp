#include "app/purge_command.h"

#include "app/command.h"
#include "app/config.h"
#include "app/control_client.h"
#include "base/text.h"
#include "http/authority.h"
#include "http/path.h"

#include <Poco/Exception.h>
#include <Poco/JSON/Object.h>
#include <Poco/JSON/Parser.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

namespace reef::app {

namespace {

int refuse(const std::string& why, int status) {
    std::fputs(text::concat("atoll: ", why, "\n").c_str(), stderr);
    return status;
}

/// As a request would name it: a person may write "/my page" or "/my%20page".
std::optional<std::string> targetOf(const std::string& path, const std::string& host) {
    Arena memory;
    const auto clean = http::decodePath(path, memory);
    if (!clean) return std::nullopt;
    return text::concat("/purge", http::encodePath(*clean), host.empty() ? "" : "?", host);
}

bool isHost(std::string_view host) {
    return std::ranges::all_of(host, [](char c) {
        return text::isAlpha(c) || text::isDigit(c) || c == '.' || c == '-' || c == ':' ||
               c == '_' || c == '[' || c == ']';
    });
}

std::optional<std::uint64_t> droppedIn(const std::string& answer) {
    try {
        return Poco::JSON::Parser()
            .parse(answer)
            .extract<Poco::JSON::Object::Ptr>()
            ->getValue<std::uint64_t>("dropped");
    } catch (const Poco::Exception&) {
        return std::nullopt;
    }
}

} // namespace

int purgeAnswers(const PurgeWish& wish) {
    if (wish.all != wish.paths.empty())
        return refuse("expected paths such as /news or /news/*, or --all; `atoll help purge` "
                      "tells more",
                      kExitUsage);
    if (!isHost(wish.host)) return refuse("expected the name of a host behind --host", kExitUsage);
    const auto host = text::toLower(wish.host);
    std::vector<std::string> targets;
    for (const std::string& path : wish.all ? std::vector<std::string>{"/*"} : wish.paths) {
        const auto target = targetOf(path, host);
        if (!target)
            return refuse(text::concat("`", text::escapeControls(path),
                                       "` is no path of a site; expected one such as /news"),
                          kExitUsage);
        targets.push_back(*target);
    }
    std::error_code failed;
    Config place; // where the socket is
    place.directory = std::filesystem::canonical(wish.directory, failed).string();
    if (failed)
        return refuse(text::concat("cannot use the directory ",
                                   text::escapeControls(wish.directory), ": ", failed.message()),
                      kExitFailed);
    std::uint64_t dropped = 0;
    for (const std::string& target : targets) {
        const auto answer = askServer(place.controlSocket(), "POST", target);
        if (!answer)
            return refuse(
                text::concat(place.directory, ": ",
                             answer.error() == Error::notFound
                                 ? "no server runs there"
                                 : "its server did not answer: " + answer.error().describe()),
                kExitFailed);
        const auto count = droppedIn(*answer);
        if (!count) return refuse("the server's answer cannot be read", kExitFailed);
        dropped += *count;
    }
    std::printf("%llu %s dropped\n", static_cast<unsigned long long>(dropped),
                dropped == 1 ? "answer" : "answers");
    return 0;
}

} // namespace reef::app
