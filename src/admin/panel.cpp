#include "admin/panel.h"

#include "admin/account_form.h"
#include "admin/cookies.h"
#include "admin/frame.h"
#include "admin/origin.h"
#include "admin/routes.h"
#include "base/text.h"
#include "http/media_type.h"

#include <expected>
#include <optional>

namespace reef::admin {
namespace {

/// A request that goes no further, and the page that says why.
std::unexpected<Answer> stop(Answer answer) {
    return std::unexpected(std::move(answer));
}

/// The route, or why there is none: unknown path, or another method.
std::expected<const Route*, Answer> routeFor(const PanelParts& parts,
                                             const http::Request& request) {
    const auto method = request.method == http::Method::head ? http::Method::get : request.method;
    bool canGet = false;
    bool canPost = false;
    for (const Route& route : routes()) {
        if (!leadsTo(route, request.rawPath)) continue;
        if (route.method == method) return &route;
        canGet = canGet || route.method == http::Method::get;
        canPost = canPost || route.method == http::Method::post;
    }
    if (!canGet && !canPost)
        return stop(errorAnswer(parts.assets, 404, "Nothing here",
                                "The panel has no page at this address."));
    Answer answer = errorAnswer(parts.assets, 405, "Not that way",
                                "The panel's pages cannot be asked for in this way.");
    answer.allow = canGet && canPost ? "GET, HEAD, POST" : canGet ? "GET, HEAD" : "POST";
    return stop(std::move(answer));
}

std::optional<Answer> faultOfHost(const PanelParts& parts, const http::Request& request) {
    if (isOurHost(request.host, request.endpoints->localAddress, parts.settings.hosts))
        return std::nullopt;
    return errorAnswer(parts.assets, 421, "Another host",
                       text::concat("The panel answers to localhost and to the address it listens "
                                    "at, and was asked for as ",
                                    request.authority, "."));
}

/// What a request that changes something must be, beside having a token: a form, from our own page.
std::optional<Answer> faultOfPost(const PanelParts& parts, const http::Request& request) {
    if (senderOf(request.fields, request.authority) == Sender::stranger)
        return errorAnswer(
            parts.assets, 403, "Sent by another site",
            text::concat("This form was not sent by a page of the panel. Its origin is ",
                         request.fields.find("Origin").value_or("not stated"),
                         ", the panel was asked for as ", request.authority, "."));
    if (!http::isMediaType(request.fields.find("Content-Type").value_or(""),
                           "application/x-www-form-urlencoded"))
        return errorAnswer(parts.assets, 415, "Not a form", "Only forms can be sent to the panel.");
    return std::nullopt;
}

std::expected<Form, Answer> formIn(const PanelParts& parts, std::string_view encoded) {
    auto form = parseForm(encoded);
    if (form) return std::move(*form);
    return stop(errorAnswer(parts.assets, form.error() == Error::tooLarge ? 413 : 400,
                            "Unreadable form", "The form that was sent cannot be read."));
}

/// The whole body, if it is a form's size.
Task<std::expected<std::string, http::Failure>> readBody(http::Body& body) {
    std::string content;
    if (body.length().value_or(0) > kMostFormBytes)
        co_return http::failWith(413, "the form is too large");
    for (;;) {
        const auto piece = co_await body.read();
        if (!piece && piece.error() == Error::timedOut) co_return http::failWith(408);
        if (!piece && piece.error() == Error::tooLarge) co_return http::failWith(413);
        if (!piece && piece.error() == Error::malformed) co_return http::failWith(400);
        if (!piece) co_return http::failClient(piece.error());
        if (piece->empty()) co_return content;
        if (content.size() + piece->size() > kMostFormBytes)
            co_return http::failWith(413, "the form is too large");
        content += textOf(*piece);
    }
}

/// Finds out who is asking: a live session whose account still has the password it began with.
Task<AccountsResult<void>> recognise(PanelParts& parts, Visit& visit) {
    const auto forms = cookieValues(visit.request.fields, kFormCookie);
    if (!forms.empty()) visit.formCookie = forms.front();
    for (const std::string_view id : cookieValues(visit.request.fields, kSessionCookie)) {
        const Session* session = parts.sessions.find(id, parts.loop.now());
        if (session == nullptr) continue;
        const Session seen = *session;
        auto look = [&accounts = parts.accounts, name = seen.account] {
            return accounts.find(name);
        };
        const auto account = co_await parts.workers.run(parts.loop, std::move(look));
        if (!account) co_return std::unexpected(account.error());
        if (!*account || credentialOf(**account) != seen.credential) {
            parts.sessions.end(id);
            continue;
        }
        if (parts.sessions.find(id, parts.loop.now()) == nullptr) continue; // ended meanwhile
        visit.sessionId = id;
        visit.account = seen.account;
        break;
    }
    co_return AccountsResult<void>();
}

Answer tooOld(const PanelParts& parts) {
    return errorAnswer(parts.assets, 403, "Please try again",
                       "The form you sent is too old, or your browser did not keep the panel's "
                       "cookie. Load the page again and fill it in anew.");
}

/// Everything from a request whose head is in order to the answer.
Task<Answer> answerVisit(PanelParts& parts, const Route& route, Visit& visit) {
    if (const auto known = co_await recognise(parts, visit); !known)
        co_return lockedAnswer(parts, known.error());
    if (route.access == Access::account && !visit.isSignedIn()) co_return redirectTo("/login");
    if (route.method == http::Method::post &&
        !parts.csrf.matches(visit.form["csrf"], visit.binding()))
        co_return tooOld(parts);
    co_return co_await route.handler(parts, visit);
}

} // namespace

Panel::Panel(io::Loop& loop, io::Workers& workers, Accounts& accounts, PanelData& data,
             PanelSettings settings)
    : parts_(std::make_unique<PanelParts>(loop, workers, accounts, data, std::move(settings))) {}

Panel::~Panel() = default;

Task<http::Handled> Panel::handle(http::Request& request, http::ResponseSink& sink) {
    PanelParts& parts = *parts_;
    if (const auto fault = faultOfHost(parts, request))
        co_return co_await sendAnswer(*fault, request, sink);
    const auto route = routeFor(parts, request);
    if (!route) co_return co_await sendAnswer(route.error(), request, sink);

    Visit visit(request);
    std::string encoded(request.query);
    if ((*route)->method == http::Method::post) {
        if (const auto fault = faultOfPost(parts, request))
            co_return co_await sendAnswer(*fault, request, sink);
        auto body = co_await readBody(*request.body);
        if (!body) co_return std::unexpected(body.error());
        encoded = std::move(*body);
    }
    auto form = formIn(parts, encoded);
    if (!form) co_return co_await sendAnswer(form.error(), request, sink);
    visit.form = std::move(*form);

    const Answer answer = co_await answerVisit(parts, **route, visit);
    co_return co_await sendAnswer(answer, request, sink);
}

std::string formToken(const PanelParts& parts, Visit& visit, Answer& answer) {
    if (!visit.isSignedIn() && visit.formCookie.empty()) {
        visit.formCookie = base64Url(bytesOf(randomSecret()));
        answer.cookies.push_back(
            setCookie(kFormCookie, visit.formCookie, visit.request.endpoints->secure));
    }
    return parts.csrf.tokenFor(visit.binding());
}

} // namespace reef::admin
