#include "admin/throttle.h"

#include <arpa/inet.h>

#include <algorithm>

namespace reef::admin {

std::chrono::seconds Throttle::waitFor(std::string_view key, Time now) const {
    const auto found = entries_.find(std::string(key));
    if (found == entries_.end() || found->second.blockedUntil <= now) return {};
    return std::chrono::ceil<std::chrono::seconds>(found->second.blockedUntil - now);
}

void Throttle::count(std::string_view key, Time now) {
    auto found = entries_.find(std::string(key));
    if (found == entries_.end()) {
        makeRoom(now);
        found = entries_.emplace(key, Entry()).first;
    }
    Entry& entry = found->second;
    if (entry.failures != 0 && now - entry.last >= limits_.memory) entry.failures = 0;
    entry.last = now;
    if (++entry.failures <= limits_.freeFailures) return;
    const unsigned doublings = std::min(entry.failures - limits_.freeFailures - 1, 20U);
    entry.blockedUntil = now + std::min(limits_.first * (1U << doublings), limits_.longest);
}

void Throttle::forgive(std::string_view key) {
    entries_.erase(std::string(key));
}

void Throttle::makeRoom(Time now) {
    if (entries_.size() < limits_.keys) return;
    std::erase_if(entries_,
                  [&](const auto& entry) { return now - entry.second.last >= limits_.memory; });
    if (entries_.size() < limits_.keys) return;
    entries_.erase(std::ranges::min_element(entries_, [](const auto& a, const auto& b) {
        if (a.second.failures != b.second.failures) return a.second.failures < b.second.failures;
        return a.second.last < b.second.last;
    }));
}

std::string addressKey(std::string_view address) {
    in6_addr parsed{};
    const std::string text(address);
    if (inet_pton(AF_INET6, text.c_str(), &parsed) != 1 || IN6_IS_ADDR_V4MAPPED(&parsed))
        return text;
    return "net:" + std::string(reinterpret_cast<const char*>(&parsed), 8);
}

} // namespace reef::admin
