#pragma once

#include "base/secret.h"

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace reef::admin {

/// Limits of sessions.
struct SessionLimits {
    std::chrono::seconds idle = std::chrono::hours(12);      ///< since the last request
    std::chrono::seconds absolute = std::chrono::hours(168); ///< since signing in
    std::size_t count = 64; ///< of all accounts; one more ends the one that was idle for longest
};

/// One browser that is signed in.
struct Session {
    std::string account;
    Digest credential{}; ///< credentialOf the account when it began
    std::chrono::steady_clock::time_point began;
    std::chrono::steady_clock::time_point lastSeen;
};

/// Who is signed in. The browser holds the id, 256 random bits; here only its hash is kept, so that
/// neither a look-up's timing nor a dump of memory gives one away. For one loop.
class Sessions {
public:
    using Time = std::chrono::steady_clock::time_point;

    explicit Sessions(SessionLimits limits = {}) : limits_(limits) {}

    /// Begins a session; returns the text of its id, for the cookie.
    std::string begin(std::string_view account, const Digest& credential, Time now);

    /// The live session of this id, now seen; else nullptr. Valid until the next call.
    const Session* find(std::string_view id, Time now);

    void end(std::string_view id);

    /// Ends all sessions of the account that began with another password than `credential`.
    void endOthers(std::string_view account, const Digest& credential);

    std::size_t size() const noexcept { return sessions_.size(); }

private:
    bool isOver(const Session& session, Time now) const noexcept;
    void makeRoom(Time now);

    SessionLimits limits_;
    std::map<Digest, Session> sessions_; ///< by the hash of the id
};

} // namespace reef::admin
