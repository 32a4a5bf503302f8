#include "app/island_users.h"

#include "app/config_islands.h"
#include "app/island_trust.h"
#include "app/server_user.h"
#include "base/text.h"

#include <unistd.h>

#include <algorithm>
#include <iterator>

namespace reef::app {

namespace {

using Lookup = std::expected<process::Identity, std::string>;

std::string nameOf(const gateway::IslandUser& who) {
    return who.group.empty() ? text::concat("user ", who.user)
                             : text::concat("user ", who.user, " with group ", who.group);
}

Lookup lookUp(const gateway::IslandUser& who) {
    auto found = process::findIdentity(who.user, who.group);
    if (!found)
        return std::unexpected(text::concat("islands are to run as ", nameOf(who), ": ",
                                            found.error() == Error::notFound
                                                ? "this machine has none such"
                                                : found.error().describe()));
    const bool isOwn = found->user == ::geteuid() && found->group == ::getegid();
    if (!isOwn && !process::maySwitchIdentity())
        return std::unexpected(text::concat("islands are to run as ", nameOf(who),
                                            ": only root can start them as another user (`user`)"));
    return *found;
}

/// What is wrong about users whom root could start islands as.
std::vector<std::string> faultsForRoot(const Config& config, const ServerUser& user) {
    if (!process::maySwitchIdentity()) return {};
    auto faults = faultsOfAuthorship(config, Authorship::of(config.directory));
    std::ranges::move(faultsOfSharing(config, user), std::back_inserter(faults));
    return faults;
}

} // namespace

std::string KnownUser::describe() const {
    return text::concat(index, ":", user, ":", who.user, ":", who.group);
}

std::optional<KnownUser> KnownUser::parse(const std::string& word) {
    std::string_view rest = word;
    const auto index = text::parseDecimal(text::takeUntil(rest, ':'));
    const auto user = text::parseDecimal(text::takeUntil(rest, ':'));
    if (!index || !user) return std::nullopt;
    KnownUser known;
    known.index = static_cast<std::uint16_t>(*index);
    known.user = static_cast<uid_t>(*user);
    known.who.user = text::takeUntil(rest, ':');
    known.who.group = rest;
    return known;
}

std::expected<IslandUsers, std::vector<std::string>> findIslandUsers(const Config& config,
                                                                     const ServerUser& user) {
    IslandUsers users;
    const std::optional<process::Identity>& usual = user.islands;
    std::vector<std::string> faults = faultsForRoot(config, user);
    if (usual) users.identities.push_back(*usual);
    users.known.push_back({{}, 0, usual ? usual->user : ::geteuid()});
    for (const gateway::IslandUser& who : islandUsers(config)) {
        auto identity = lookUp(who);
        if (!identity) {
            faults.push_back(std::move(identity.error()));
            continue;
        }
        KnownUser known{who, 0, identity->user};
        if (process::maySwitchIdentity()) {
            if (users.identities.empty()) users.identities.push_back(ownIdentity());
            known.index = static_cast<std::uint16_t>(users.identities.size());
            users.identities.push_back(std::move(*identity));
        }
        users.known.push_back(std::move(known));
    }
    if (!faults.empty()) return std::unexpected(std::move(faults));
    return users;
}

std::expected<void, std::string> assignIslandUsers(Config& config,
                                                   const std::vector<KnownUser>& known) {
    std::string fault;
    forEachRules(config, [&](gateway::IslandRules& rules) {
        if (!rules.user) return;
        const auto found = std::ranges::find(known, *rules.user, &KnownUser::who);
        if (found != known.end()) {
            rules.identity = found->index;
        } else {
            fault = text::concat("islands are to run as ", nameOf(*rules.user),
                                 ", who was not in atoll.toml when Atoll was started: that takes a "
                                 "restart");
        }
    });
    config.islands.foreignUsers =
        std::ranges::any_of(known, [](const KnownUser& each) { return each.user != ::geteuid(); });
    if (!fault.empty()) return std::unexpected(std::move(fault));
    return {};
}

} // namespace reef::app
