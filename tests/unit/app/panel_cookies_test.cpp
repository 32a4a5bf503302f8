#include "admin/panel.h"
#include "gateway/meta_variables.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>

using namespace reef;

// The two rooms do not know each other, and must agree on what no island may see.
TEST_CASE("the gateway keeps exactly the panel's cookies from islands") {
    const auto keeps = [](std::string_view name) {
        return std::ranges::find(gateway::kPanelCookies, name) != std::end(gateway::kPanelCookies);
    };
    CHECK(keeps(admin::kSessionCookie));
    CHECK(keeps(admin::kFormCookie));
    CHECK(std::size(gateway::kPanelCookies) == 2);
}
