#pragma once

#include "admin/accounts.h"
#include "admin/answer.h"
#include "admin/assets.h"
#include "admin/csrf.h"
#include "admin/form.h"
#include "admin/panel.h"
#include "admin/panel_data.h"
#include "admin/sessions.h"
#include "admin/throttle.h"
#include "admin/work_limit.h"

#include <string>

namespace reef::admin {

/// What the handlers of the panel share. For one loop.
struct PanelParts {
    PanelParts(io::Loop& ownLoop, io::Workers& threads, Accounts& people, PanelData& numbers,
               PanelSettings options)
        : loop(ownLoop), workers(threads), accounts(people), data(numbers),
          settings(std::move(options)), sessions(settings.sessions), names(settings.nameThrottle),
          addresses(settings.addressThrottle) {}

    io::Loop& loop;
    io::Workers& workers;
    Accounts& accounts;
    PanelData& data;
    PanelSettings settings;

    Assets assets;
    CsrfKey csrf;
    Sessions sessions;
    Throttle names;     ///< failed sign-ins by account name, whether it exists or not
    Throttle addresses; ///< failed sign-ins by client address
    WorkLimit hashing{4};
    WorkLimit reports{8};
};

/// One request, as the handlers see it: checked, its form read, its sender known.
struct Visit {
    explicit Visit(http::Request& asked) : request(asked) {}

    bool isSignedIn() const noexcept { return !account.empty(); }

    /// What the tokens of this visitor's forms are bound to.
    std::string_view binding() const noexcept { return isSignedIn() ? sessionId : formCookie; }

    http::Request& request;
    Form form;              ///< of the body with POST, of the query with GET
    std::string sessionId;  ///< of the live session; "" when there is none
    std::string account;    ///< who is signed in; "" for nobody
    std::string formCookie; ///< "" until there is one
};

/// The token for the forms of a page; gives a visitor who is not signed in the cookie that it is
/// bound to, when the browser has none yet.
std::string formToken(const PanelParts& parts, Visit& visit, Answer& answer);

} // namespace reef::admin
