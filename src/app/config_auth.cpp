#include "app/config_auth.h"

#include "app/config_site.h"
#include "app/regular_file.h"
#include "base/password_hash.h"
#include "base/text.h"

namespace reef::app {

namespace {

constexpr std::size_t kMaxUserFile = std::size_t{16} << 20U;
constexpr std::string_view kHashWanted = "expected a hash that `atoll hash` has made";

constexpr std::string_view kWeak =
    " has a hash of fewer than 10000 rounds, which is soon guessed: make one with `atoll hash`";

/// "pbkdf2-sha256$ROUNDS$...": what isPasswordHash has found right.
bool isWeak(std::string_view hash) {
    constexpr std::uint64_t kFewest = 10'000;
    text::takeUntil(hash, '$');
    return text::parseDecimal(text::takeUntil(hash, '$')).value_or(0) < kFewest;
}

void readUsers(ConfigTable& auth, site::BasicAuth::Users& users) {
    const toml::table* const table = auth.readTable("users");
    if (table == nullptr) return;
    for (const auto& [name, node] : *table) {
        const auto hash = node.value_exact<std::string>();
        if (!hash || !isPasswordHash(*hash))
            auth.complain(node, "users",
                          text::concat("the password of ", name.str(), ": ", kHashWanted));
        else if (name.str().find(':') != std::string_view::npos)
            auth.complain(node, "users", "a name holds no colon");
        else if (users.emplace(name.str(), *hash); isWeak(*hash))
            auth.warn(node, "users", text::concat("the password of ", name.str(), kWeak));
    }
}

/// Its absolute name; "" when there is none.
std::string nameOfUserFile(ConfigTable& auth, const std::string& directory) {
    std::string name;
    auth.read("file", name);
    return name.empty() ? name : nameBelow(directory, name);
}

void readUserFile(ConfigTable& auth, const std::string& path, site::BasicAuth::Users& users) {
    const toml::node* const node = auth.take("file");
    if (node == nullptr || path.empty()) return;
    const auto content = readRegularFile(path, kMaxUserFile);
    if (!content)
        return auth.complain(*node, "file",
                             text::concat("cannot read ", path, ": ", content.error().describe()));
    std::string_view lines = *content;
    for (std::size_t number = 1; !lines.empty(); ++number) {
        std::string_view rest = text::trim(text::takeUntil(lines, '\n'));
        if (rest.empty() || rest.starts_with('#')) continue;
        const std::string_view user = text::takeUntil(rest, ':');
        if (user.empty() || !isPasswordHash(rest))
            auth.complain(*node, "file", text::concat(path, " line ", number, ": ", kHashWanted));
        else if (users.emplace(user, rest); isWeak(rest))
            auth.warn(*node, "file", text::concat(path, " line ", number, kWeak));
    }
}

} // namespace

void readAuth(ConfigTable& table, const std::string& directory,
              std::optional<std::shared_ptr<const site::BasicAuth>>& target) {
    const toml::node* const node = table.take("auth");
    if (node == nullptr) return;
    if (const auto flag = node->value_exact<bool>(); flag && !*flag) {
        target = nullptr;
        return;
    }
    const toml::table* const inner = node->as_table();
    if (inner == nullptr)
        return table.complain(*node, "auth", "expected false, or a table with realm and users");
    ConfigTable auth(*inner, table.name().empty() ? "auth" : table.name() + ".auth",
                     table.errors());
    std::string realm = "Restricted";
    site::BasicAuth::Users users;
    const auto errorsBefore = table.errors().count();
    auth.read("realm", realm);
    readUsers(auth, users);
    std::string file = nameOfUserFile(auth, directory);
    readUserFile(auth, file, users);
    auth.finish();
    if (users.empty() && table.errors().count() == errorsBefore)
        table.complain(*node, "auth",
                       "nobody could enter: expected at least one of `users` or `file`");
    target = std::make_shared<const site::BasicAuth>(std::move(realm), std::move(users),
                                                     std::move(file));
}

} // namespace reef::app
