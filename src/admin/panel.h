#pragma once

#include "admin/accounts.h"
#include "admin/panel_data.h"
#include "admin/sessions.h"
#include "admin/throttle.h"
#include "http/handler.h"
#include "io/loop.h"
#include "io/workers.h"

#include <memory>
#include <string>
#include <vector>

namespace reef::admin {

/// The cookie that says who is signed in. It belongs to the panel alone: because cookies do not
/// tell ports apart, browsers send it to a site on the same host as well, and the gateway must keep
/// it, and kFormCookie, from islands.
inline constexpr std::string_view kSessionCookie = "atoll_session";
inline constexpr std::string_view kFormCookie = "atoll_form";

struct PanelSettings {
    /// Names under which the panel may be asked for, beside those of the loopback interface and the
    /// address it was reached at: without port, in lower case. Any other Host is refused.
    std::vector<std::string> hosts;

    SessionLimits sessions;
    ThrottleLimits nameThrottle;
    ThrottleLimits addressThrottle;
};

struct PanelParts;

/// The admin panel: every page of it, on a listener of its own. Serves HTML that works without
/// script; sends strict security headers with every answer; asks for a session everywhere but on
/// the pages that make one. All that blocks (SQL, password hashing, the accounts' file) happens on
/// `workers`.
///
/// One panel belongs to one loop. Sessions live in its memory: a restart ends them all, nothing of
/// them is in a backup, and restarting is the sure way to throw everybody out.
///
/// Accounts and data must outlive the workers; loop and workers must outlive the panel; the panel
/// must outlive the requests that it handles.
class Panel final : public http::Handler {
public:
    Panel(io::Loop& loop, io::Workers& workers, Accounts& accounts, PanelData& data,
          PanelSettings settings = {});
    ~Panel() override;

    /// Uses `request.rawPath`, not `request.path`: no address of the panel needs an escape.
    Task<http::Handled> handle(http::Request& request, http::ResponseSink& sink) override;

private:
    std::unique_ptr<PanelParts> parts_;
};

} // namespace reef::admin
