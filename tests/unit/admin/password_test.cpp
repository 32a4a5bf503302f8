#include "admin/password.h"

#include <catch2/catch.hpp>
#include <string>

using namespace reef::admin;

TEST_CASE("weak passwords are refused with a reason") {
    CHECK_FALSE(faultOfPassword("four random words here", "admin"));
    CHECK_FALSE(faultOfPassword("пароль из слов", "admin")); // counted in characters
    CHECK(faultOfPassword("elevenchars", "admin"));
    CHECK(faultOfPassword("", "admin"));
    CHECK(faultOfPassword("aaaaaaaaaaaaaaaa", "admin"));
    CHECK(faultOfPassword("my Admin account", "admin"));
    CHECK(faultOfPassword(std::string(2000, 'x') + "abcdefgh", "admin"));
}
