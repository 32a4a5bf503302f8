#include "admin/account_form.h"

#include "admin/cookies.h"
#include "admin/frame.h"
#include "base/log.h"

namespace reef::admin {

Html notice(std::string_view text) {
    if (text.empty()) return {};
    return html(R"(<p class="notice" role="alert">{}</p>)", text);
}

Html nameField(std::string_view typed) {
    return html(R"(<label for="name">Name</label>
<input id="name" name="name" value="{}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="64" required>)",
                typed);
}

Answer enter(PanelParts& parts, Visit& visit, const Account& account) {
    const auto ends = cookieValues(visit.request.fields, kSessionCookie);
    for (const std::string_view id : ends)
        parts.sessions.end(id);
    const std::string id =
        parts.sessions.begin(account.name, credentialOf(account), parts.loop.now());
    Answer answer = redirectTo("/");
    answer.cookies.push_back(setCookie(kSessionCookie, id, visit.request.endpoints->secure));
    return answer;
}

Answer lockedAnswer(const PanelParts& parts, const AccountsError& error) {
    log::error("panel", error.message);
    return errorAnswer(parts.assets, 503, "The panel is locked",
                       "The file of its accounts cannot be used, so nobody can be let in. The "
                       "server's log says what is wrong with it.");
}

Answer busyAnswer(const PanelParts& parts) {
    Answer answer = errorAnswer(parts.assets, 503, "One moment",
                                "The server is busy. Please try again in a few seconds.");
    answer.retryAfter = std::chrono::seconds(5);
    return answer;
}

std::string_view clientOf(const Visit& visit) {
    const std::string_view address = visit.request.endpoints->remoteAddress;
    return address.empty() ? "a local socket" : address;
}

} // namespace reef::admin
