#include "admin/account_form.h"
#include "admin/frame.h"
#include "admin/routes.h"
#include "base/log.h"
#include "base/text.h"

namespace reef::admin {
namespace {

Answer setupPage(const PanelParts& parts, Visit& visit, int status, std::string_view message) {
    Answer answer;
    answer.status = status;
    const std::string csrf = formToken(parts, visit, answer);
    const Html card =
        html(R"(<h1>Welcome aboard</h1>
<p>This makes the first account of the panel. The link that brought you here works once.</p>
{}
<form method="post" action="/setup">
<input type="hidden" name="csrf" value="{}">
<input type="hidden" name="token" value="{}">
{}
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="{}" maxlength="512" aria-describedby="rules" required>
<label for="again">The same password again</label>
<input id="again" name="again" type="password" autocomplete="new-password" minlength="{}" maxlength="512" required>
<ul class="hint" id="rules">
<li>At least {} characters; any characters will do.</li>
<li>Four or five random words are easy to keep and hard to guess.</li>
<li>It must not hold the account's name.</li>
</ul>
<button class="button" type="submit">Make the account</button>
</form>)",
             notice(message), csrf, visit.form["token"], nameField(visit.form["name"]),
             kLeastPasswordCharacters, kLeastPasswordCharacters, kLeastPasswordCharacters);
    answer.body = cardPage(Frame(parts.assets, "Set up"), card);
    return answer;
}

Answer usedUp(const PanelParts& parts) {
    return errorAnswer(parts.assets, 403, "This link is no longer valid",
                       "It works once, and until the server is restarted. If an account was made, "
                       "sign in with it. If not, start Atoll again: it prints a new link.");
}

} // namespace

Task<Answer> showSetup(PanelParts& parts, Visit& visit) {
    if (!parts.accounts.isSetupToken(visit.form["token"])) co_return usedUp(parts);
    auto look = [&accounts = parts.accounts] { return accounts.list(); };
    const auto accounts = co_await parts.workers.run(parts.loop, std::move(look));
    if (!accounts) co_return lockedAnswer(parts, accounts.error());
    if (!accounts->empty()) co_return usedUp(parts); // the command line was first
    co_return setupPage(parts, visit, 200, "");
}

Task<Answer> setUp(PanelParts& parts, Visit& visit) {
    if (!parts.accounts.isSetupToken(visit.form["token"])) co_return usedUp(parts);
    if (visit.form["password"] != visit.form["again"])
        co_return setupPage(parts, visit, 422, "The two passwords differ.");
    auto pass = parts.hashing.enter();
    if (!pass) co_return busyAnswer(parts);

    auto make = [&accounts = parts.accounts, pass = std::move(*pass),
                 token = std::string(visit.form["token"]), name = std::string(visit.form["name"]),
                 password = std::string(visit.form["password"])] {
        return accounts.setUp(token, name, password);
    };
    const auto account = co_await parts.workers.run(parts.loop, std::move(make));
    if (account) {
        log::info("panel",
                  text::concat("account ", account->name, " was made from ", clientOf(visit)));
        co_return enter(parts, visit, *account);
    }
    switch (account.error().kind) {
    case AccountsError::Kind::spent:
        co_return usedUp(parts);
    case AccountsError::Kind::refused:
        co_return setupPage(parts, visit, 422, account.error().message);
    default:
        co_return lockedAnswer(parts, account.error());
    }
}

} // namespace reef::admin
