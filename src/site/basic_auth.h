#pragma once

#include "base/sha256.h"
#include "io/loop.h"
#include "io/network.h"
#include "io/workers.h"
#include "site/rate_limit.h"

#include <atomic>
#include <chrono>
#include <expected>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace reef::site {

/// Name and password as a browser sends them (RFC 7617).
struct Credentials {
    std::string user;
    std::string password;
};

/// Reads the value of an Authorization field; nothing unless it is a well-formed Basic one.
std::optional<Credentials> readBasic(std::string_view authorization);

/// A realm and those who may enter it. Shared by all loops.
///
/// Hashes are slow by design (tens to hundreds of milliseconds): they are computed on the workers,
/// and what was right once is remembered (as a keyed digest, until the configuration is read
/// again), so that a page with twenty pictures asks once.
class BasicAuth {
public:
    /// Name to hash: see base/password_hash.h.
    using Users = std::map<std::string, std::string, std::less<>>;

    /// `file`: where users were read from; empty: from no file.
    BasicAuth(std::string realm, Users users, std::string file = {});

    const std::string& realm() const noexcept { return realm_; }
    const std::string& file() const noexcept { return file_; }

    /// Why somebody is not let in.
    struct Refusal {
        /// How long until the next password of this client is looked at; 0: this one was wrong.
        std::chrono::milliseconds wait{0};
    };

    /// The name of the user, when `authorization` names one with the right password. A wrong name
    /// takes as long as a wrong password. Passwords that are not remembered cost a hash: each
    /// client may have twenty looked at, and one more every two seconds, so that nobody can keep
    /// the others out by guessing. `client`: nothing for a unix socket.
    Task<std::expected<std::string, Refusal>> admit(std::string_view authorization,
                                                    std::optional<io::HostBits> client,
                                                    io::Loop& loop, io::Workers& workers) const;

    /// Value of WWW-Authenticate.
    std::string challenge() const;

private:
    static constexpr std::size_t kMaxRemembered = 1'000;
    static constexpr int kMaxAtOnce = 32; ///< passwords that are being looked at, of all clients

    Task<bool> isRight(Credentials credentials, io::Loop& loop, io::Workers& workers) const;

    Digest fingerprintOf(const Credentials& credentials) const;
    bool remembers(const Digest& fingerprint) const;
    void remember(const Digest& fingerprint) const;

    std::string realm_;
    std::string file_;
    Users users_;
    HmacSha256 key_; ///< random
    mutable RateLimit attempts_;
    mutable std::atomic<int> atOnce_ = 0;
    mutable std::mutex mutex_;
    mutable std::unordered_set<std::string> right_; ///< fingerprints; guarded by mutex_
};

} // namespace reef::site
