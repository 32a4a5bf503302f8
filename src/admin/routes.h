#pragma once

#include "admin/panel_parts.h"
#include "http/method.h"

#include <span>
#include <string_view>

namespace reef::admin {

/// Who may ask for a route.
enum class Access : std::uint8_t {
    anyone,  ///< also without a session
    account, ///< whoever is signed in; others are sent to the page for signing in
};

/// What answers a route. Both references live until the task has ended.
using PageHandler = Task<Answer> (*)(PanelParts& parts, Visit& visit);

struct Route {
    http::Method method;   ///< get (which answers HEAD as well) or post
    std::string_view path; ///< the whole path, or, with a trailing `*`, its beginning
    Access access;
    PageHandler handler;
};

/// All there is. What is not in the list does not exist.
std::span<const Route> routes() noexcept;

/// Whether the route is at this path.
bool leadsTo(const Route& route, std::string_view path) noexcept;

// The handlers, one file per resource.
Task<Answer> showDashboard(PanelParts& parts, Visit& visit);
Task<Answer> showIslands(PanelParts& parts, Visit& visit);
Task<Answer> showLogin(PanelParts& parts, Visit& visit);
Task<Answer> signIn(PanelParts& parts, Visit& visit);
Task<Answer> signOut(PanelParts& parts, Visit& visit);
Task<Answer> showSetup(PanelParts& parts, Visit& visit);
Task<Answer> setUp(PanelParts& parts, Visit& visit);
Task<Answer> sendAsset(PanelParts& parts, Visit& visit);

} // namespace reef::admin
