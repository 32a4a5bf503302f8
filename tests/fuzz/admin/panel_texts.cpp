#include "admin/account_file.h"
#include "admin/cookies.h"
#include "admin/form.h"
#include "admin/html.h"
#include "admin/password.h"
#include "admin/targets.h"
#include "admin/visible.h"
#include "base/arena.h"
#include "base/secret.h"
#include "base/utf8.h"
#include "fuzz.h"

#include <set>
#include <string>

namespace reef::fuzz {

namespace {

using namespace admin;

void requireClean(std::string_view text, const char* what) {
    require(utf8::isValid(text), what);
    for (const char c : text)
        require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f, what);
}

void requireForm(std::string_view input) {
    const auto form = parseForm(input);
    if (!form) return;
    require(input.size() <= kMostFormBytes, "a form is bounded");
    require(form->size() <= kMostFormFields, "the fields of a form are bounded");
    for (const char* name : {"name", "password", "csrf", "token", "a"})
        requireClean((*form)[name], "a field is text without controls");
}

void requireText(std::string_view input) {
    const std::string shown = visible(input);
    requireClean(shown, "what is shown is visible text");
    for (std::string_view rest = shown; !rest.empty();) {
        const auto point = utf8::first(rest);
        require(!utf8::isHidden(point.value), "nothing shown is hidden");
        rest.remove_prefix(point.length);
    }
    require(visible(shown) == shown, "what is visible stays as it is");
    const std::string cell = html(R"(<td title="{}">{}</td>)", input, input).take();
    std::size_t signs = 0;
    for (const char c : cell)
        signs += c == '<' || c == '>' || c == '"' || c == '\'' ? 1 : 0;
    require(signs == 6, "a text adds no tag and no quote");
}

void requireCookies(std::string_view input) {
    Arena arena;
    http::HeaderList fields(arena);
    fields.add("Cookie", input);
    const auto values = cookieValues(fields, "atoll_session");
    require(values.size() <= 4, "few cookies are taken");
    for (const auto value : values)
        require(!value.empty() && value.size() <= 128, "a cookie is as long as ours");
}

void requireAccounts(std::string_view input) {
    const auto accounts = parseAccounts(input);
    if (!accounts) {
        require(accounts.error().kind == AccountsError::Kind::damaged, "a bad file is damaged");
        return;
    }
    std::set<std::string> names;
    for (const Account& account : *accounts) {
        require(isAccountName(account.name), "an account has a name");
        require(isPasswordHash(account.password), "an account has a password");
        require(names.insert(account.name).second, "a name is there once");
    }
    const auto again = parseAccounts(formatAccounts(*accounts));
    require(again && again->size() == accounts->size(), "what is written can be read");
}

} // namespace

void panelTexts(std::string_view input) {
    requireForm(input);
    requireText(input);
    requireCookies(input);
    requireAccounts(input);
    if (const auto bytes = fromBase64Url(input))
        require(base64Url(*bytes) == input, "a token has one spelling");
    static_cast<void>(isPasswordHash(input));
}

} // namespace reef::fuzz
