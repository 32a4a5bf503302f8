#include "admin/sessions.h"

#include <algorithm>

namespace reef::admin {

std::string Sessions::begin(std::string_view account, const Digest& credential, Time now) {
    makeRoom(now);
    std::string id = base64Url(bytesOf(randomSecret()));
    sessions_.emplace(Sha256::of(id), Session{std::string(account), credential, now, now});
    return id;
}

const Session* Sessions::find(std::string_view id, Time now) {
    const auto found = sessions_.find(Sha256::of(id));
    if (found == sessions_.end()) return nullptr;
    if (isOver(found->second, now)) {
        sessions_.erase(found);
        return nullptr;
    }
    found->second.lastSeen = now;
    return &found->second;
}

void Sessions::end(std::string_view id) {
    sessions_.erase(Sha256::of(id));
}

void Sessions::endOthers(std::string_view account, const Digest& credential) {
    std::erase_if(sessions_, [&](const auto& entry) {
        return entry.second.account == account && entry.second.credential != credential;
    });
}

bool Sessions::isOver(const Session& session, Time now) const noexcept {
    return now - session.lastSeen >= limits_.idle || now - session.began >= limits_.absolute;
}

void Sessions::makeRoom(Time now) {
    std::erase_if(sessions_, [&](const auto& entry) { return isOver(entry.second, now); });
    while (sessions_.size() >= limits_.count && !sessions_.empty())
        sessions_.erase(std::ranges::min_element(
            sessions_, {}, [](const auto& entry) { return entry.second.lastSeen; }));
}

} // namespace reef::admin
