#include "admin/account_form.h"
#include "admin/frame.h"
#include "admin/routes.h"
#include "base/log.h"
#include "base/text.h"

#include <algorithm>

namespace reef::admin {
namespace {

constexpr std::string_view kNoAccounts =
    "Nobody can sign in yet: the panel has no account. Open the link that Atoll printed when it "
    "started, or run: atoll user add NAME";

Answer loginPage(const PanelParts& parts, Visit& visit, int status, std::string_view message) {
    Answer answer;
    answer.status = status;
    const std::string token = formToken(parts, visit, answer);
    const Html card = html(R"(<h1>Sign in</h1>
{}
<form method="post" action="/login">
<input type="hidden" name="csrf" value="{}">
{}
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="512" required>
<button class="button" type="submit">Sign in</button>
</form>
<p class="hint">Lost the password? On the server, <code>atoll passwd NAME</code> sets another one.</p>)",
                           notice(message), token, nameField(visit.form["name"]));
    answer.body = cardPage(Frame(parts.assets, "Sign in"), card);
    return answer;
}

/// The names that guessing is counted by; a name that is too long to exist is cut.
std::string nameKey(std::string_view typed) {
    return text::toLower(text::trim(typed).substr(0, 64));
}

Answer tooManyPage(const PanelParts& parts, Visit& visit, std::chrono::seconds wait) {
    const auto seconds = wait.count();
    Answer answer = loginPage(parts, visit, 429,
                              text::concat("Too many attempts. Please wait ", seconds,
                                           seconds == 1 ? " second." : " seconds."));
    answer.retryAfter = wait;
    return answer;
}

void logFailure(const Visit& visit, const std::string& name) {
    // Only what can be a name: people type their password into the wrong field.
    const std::string_view shown = isAccountName(name) ? std::string_view(name) : "an odd name";
    log::warning("panel", text::concat("wrong password for ", shown, " from ", clientOf(visit)));
}

} // namespace

Task<Answer> showLogin(PanelParts& parts, Visit& visit) {
    if (visit.isSignedIn()) co_return redirectTo("/");
    auto look = [&accounts = parts.accounts] { return accounts.list(); };
    const auto accounts = co_await parts.workers.run(parts.loop, std::move(look));
    if (!accounts) co_return lockedAnswer(parts, accounts.error());
    co_return loginPage(parts, visit, 200, accounts->empty() ? kNoAccounts : "");
}

Task<Answer> signIn(PanelParts& parts, Visit& visit) {
    const std::string name = nameKey(visit.form["name"]);
    const std::string address = addressKey(visit.request.endpoints->remoteAddress);
    const auto now = parts.loop.now();
    const auto wait =
        std::max(parts.names.waitFor(name, now), parts.addresses.waitFor(address, now));
    if (wait.count() > 0) co_return tooManyPage(parts, visit, wait);
    auto pass = parts.hashing.enter();
    if (!pass) co_return busyAnswer(parts);
    parts.names.count(name, now); // counts until it is forgiven: see Throttle
    parts.addresses.count(address, now);

    auto verify = [&accounts = parts.accounts, name, pass = std::move(*pass),
                   password = std::string(visit.form["password"])] {
        return accounts.verify(name, password);
    };
    const auto account = co_await parts.workers.run(parts.loop, std::move(verify));
    if (!account) co_return lockedAnswer(parts, account.error());
    if (!*account) {
        logFailure(visit, name);
        co_return loginPage(parts, visit, 403, "Name or password is wrong.");
    }
    parts.names.forgive(name);
    parts.addresses.forgive(address);
    log::info("panel", text::concat(name, " signed in from ", clientOf(visit)));
    co_return enter(parts, visit, **account);
}

} // namespace reef::admin
