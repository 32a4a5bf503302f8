#include "admin/routes.h"

namespace reef::admin {
namespace {

using http::Method;

constexpr Route kRoutes[] = {
    {Method::get, "/", Access::account, &showDashboard},
    {Method::get, "/islands", Access::account, &showIslands},
    {Method::get, "/login", Access::anyone, &showLogin},
    {Method::post, "/login", Access::anyone, &signIn},
    {Method::post, "/logout", Access::account, &signOut},
    {Method::get, "/setup", Access::anyone, &showSetup},
    {Method::post, "/setup", Access::anyone, &setUp},
    {Method::get, "/assets/*", Access::anyone, &sendAsset},
};

} // namespace

std::span<const Route> routes() noexcept {
    return kRoutes;
}

bool leadsTo(const Route& route, std::string_view path) noexcept {
    if (!route.path.ends_with('*')) return path == route.path;
    return path.starts_with(route.path.substr(0, route.path.size() - 1));
}

} // namespace reef::admin
