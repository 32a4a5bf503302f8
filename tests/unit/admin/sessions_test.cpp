#include "admin/sessions.h"

#include <catch2/catch.hpp>
#include <vector>

using namespace reef;
using namespace reef::admin;
using namespace std::chrono_literals;

namespace {

const Digest kFirst = Sha256::of("first password");
const Digest kSecond = Sha256::of("second password");
constexpr Sessions::Time kStart{};

} // namespace

TEST_CASE("a session is found by its id alone") {
    Sessions sessions;
    const auto id = sessions.begin("ada", kFirst, kStart);
    CHECK(id.size() == 43);
    REQUIRE(sessions.find(id, kStart) != nullptr);
    CHECK(sessions.find(id, kStart)->account == "ada");
    CHECK(sessions.find("", kStart) == nullptr);
    CHECK(sessions.find(id + "A", kStart) == nullptr);
    CHECK(sessions.begin("ada", kFirst, kStart) != id);
}

TEST_CASE("a session ends when it was idle for too long") {
    Sessions sessions;
    const auto id = sessions.begin("ada", kFirst, kStart);
    CHECK(sessions.find(id, kStart + 11h) != nullptr);
    CHECK(sessions.find(id, kStart + 22h) != nullptr); // seen in between
    CHECK(sessions.find(id, kStart + 34h) == nullptr);
    CHECK(sessions.find(id, kStart + 23h) == nullptr); // and does not come back
}

TEST_CASE("a session ends after a week, however busy") {
    Sessions sessions;
    const auto id = sessions.begin("ada", kFirst, kStart);
    for (auto age = 10h; age < 168h; age += 10h)
        CHECK(sessions.find(id, kStart + age) != nullptr);
    CHECK(sessions.find(id, kStart + 168h) == nullptr);
    CHECK(sessions.size() == 0);
}

TEST_CASE("signing out ends one session, a new password the others") {
    Sessions sessions;
    const auto one = sessions.begin("ada", kFirst, kStart);
    const auto two = sessions.begin("ada", kFirst, kStart);
    const auto bob = sessions.begin("bob", kFirst, kStart);
    sessions.end(one);
    CHECK(sessions.find(one, kStart) == nullptr);
    CHECK(sessions.find(two, kStart) != nullptr);

    const auto fresh = sessions.begin("ada", kSecond, kStart);
    sessions.endOthers("ada", kSecond);
    CHECK(sessions.find(two, kStart) == nullptr);
    CHECK(sessions.find(fresh, kStart) != nullptr);
    CHECK(sessions.find(bob, kStart) != nullptr);
}

TEST_CASE("sessions are bounded: the one idle for longest makes room") {
    SessionLimits limits;
    limits.count = 3;
    Sessions sessions(limits);
    std::vector<std::string> ids;
    for (int i = 0; i < 3; ++i)
        ids.push_back(sessions.begin("ada", kFirst, kStart + i * 1min));
    CHECK(sessions.find(ids[0], kStart + 5min) != nullptr);
    sessions.begin("ada", kFirst, kStart + 6min);
    CHECK(sessions.size() == 3);
    CHECK(sessions.find(ids[1], kStart + 6min) == nullptr);
    CHECK(sessions.find(ids[0], kStart + 6min) != nullptr);
}
