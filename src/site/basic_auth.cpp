#include "site/basic_auth.h"

#include "base/password_hash.h"
#include "base/secret.h"
#include "base/text.h"

namespace reef::site {

namespace {

constexpr std::size_t kMaxCredentialBytes = 1024;

/// Base64 with padding (RFC 4648 4), strictly; nothing for anything else.
std::optional<std::string> fromBase64(std::string_view text) {
    if (text.size() % 4 != 0) return std::nullopt;
    for (int padding = 0; padding != 2 && text.ends_with('='); ++padding)
        text.remove_suffix(1);
    std::string url(text);
    for (char& c : url) {
        if (c == '-' || c == '_') return std::nullopt;
        if (c == '+') c = '-';
        if (c == '/') c = '_';
    }
    return fromBase64Url(url);
}

/// What a wrong name is measured against, so that it takes as long as a wrong password.
std::string_view anyHash(const BasicAuth::Users& users) {
    return users.empty() ? std::string_view() : std::string_view(users.begin()->second);
}

} // namespace

std::optional<Credentials> readBasic(std::string_view authorization) {
    if (!text::startsWithIgnoreCase(authorization, "Basic ")) return std::nullopt;
    if (authorization.size() > kMaxCredentialBytes) return std::nullopt;
    const auto plain = fromBase64(text::trim(authorization.substr(6)));
    if (!plain) return std::nullopt;
    const auto colon = plain->find(':');
    if (colon == std::string::npos) return std::nullopt;
    return Credentials{plain->substr(0, colon), plain->substr(colon + 1)};
}

BasicAuth::BasicAuth(std::string realm, Users users, std::string file)
    : realm_(std::move(realm)), file_(std::move(file)), users_(std::move(users)),
      key_(bytesOf(randomSecret())), attempts_({30, std::chrono::minutes(1), 20}, 1'024) {}

Task<std::expected<std::string, BasicAuth::Refusal>>
BasicAuth::admit(std::string_view authorization, std::optional<io::HostBits> client, io::Loop& loop,
                 io::Workers& workers) const {
    auto credentials = readBasic(authorization);
    if (!credentials) co_return std::unexpected(Refusal());
    const Digest fingerprint = fingerprintOf(*credentials);
    std::string user = credentials->user;
    if (remembers(fingerprint)) co_return user;
    const auto now = std::chrono::steady_clock::now();
    if (const auto wait = attempts_.admit(client.value_or(io::HostBits{}), now))
        co_return std::unexpected(Refusal(*wait));
    if (atOnce_ >= kMaxAtOnce) co_return std::unexpected(Refusal(std::chrono::seconds(1)));
    if (!co_await isRight(std::move(*credentials), loop, workers))
        co_return std::unexpected(Refusal());
    remember(fingerprint);
    co_return user;
}

Task<bool> BasicAuth::isRight(Credentials credentials, io::Loop& loop, io::Workers& workers) const {
    struct Busy {
        explicit Busy(std::atomic<int>& number) : count(number) { ++count; }
        ~Busy() { --count; }
        Busy(const Busy&) = delete;
        Busy& operator=(const Busy&) = delete;
        std::atomic<int>& count;
    };
    const Busy busy(atOnce_);
    const auto known = users_.find(credentials.user);
    const bool exists = known != users_.end();
    std::string hash(exists ? std::string_view(known->second) : anyHash(users_));
    auto verify = [hash = std::move(hash), password = std::move(credentials.password)] {
        return verifyPassword(password, hash);
    };
    const bool right = co_await workers.run(loop, std::move(verify));
    co_return right&& exists;
}

std::string BasicAuth::challenge() const {
    std::string quoted;
    for (const char c : realm_) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return text::concat("Basic realm=\"", quoted, "\", charset=\"UTF-8\"");
}

Digest BasicAuth::fingerprintOf(const Credentials& credentials) const {
    return key_.of(text::concat(credentials.user, ':', credentials.password));
}

bool BasicAuth::remembers(const Digest& fingerprint) const {
    const std::lock_guard lock(mutex_);
    return right_.contains(std::string(bytesOf(fingerprint)));
}

void BasicAuth::remember(const Digest& fingerprint) const {
    const std::lock_guard lock(mutex_);
    if (right_.size() >= kMaxRemembered) right_.clear();
    right_.insert(std::string(bytesOf(fingerprint)));
}

} // namespace reef::site
