#include "admin/password.h"

#include <catch2/catch.hpp>
#include <string>

using namespace reef::admin;

TEST_CASE("a password is verified against its own hash and no other") {
    const std::string stored = hashPassword("four random words here", 1000);
    CHECK(stored.starts_with("pbkdf2-sha256$1000$"));
    CHECK(verifyPassword("four random words here", stored));
    CHECK_FALSE(verifyPassword("four random words Here", stored));
    CHECK_FALSE(verifyPassword("", stored));
    CHECK(hashPassword("four random words here", 1000) != stored); // the salt is new each time
}

TEST_CASE("what is no hash verifies nothing") {
    const std::string salt = "AAAAAAAAAAAAAAAAAAAAAA";
    const std::string hash = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    REQUIRE(isPasswordHash("pbkdf2-sha256$1000$" + salt + "$" + hash));
    const std::string bad[] = {
        "",
        "four random words here",
        "pbkdf2-sha256$0$" + salt + "$" + hash,
        "pbkdf2-sha256$99999999999$" + salt + "$" + hash,
        "pbkdf2-sha256$1000$short$" + hash,
        "pbkdf2-sha256$1000$" + salt + "$",
        "pbkdf2-sha256$1000$" + salt + "$" + hash + "$",
        "bcrypt$1000$" + salt + "$" + hash,
    };
    for (const std::string& stored : bad) {
        INFO(stored);
        CHECK_FALSE(isPasswordHash(stored));
        CHECK_FALSE(verifyPassword("", stored));
    }
}

TEST_CASE("a new hash costs at least what is recommended") {
    CHECK(kPasswordRounds >= 310'000);
}

TEST_CASE("weak passwords are refused with a reason") {
    CHECK_FALSE(faultOfPassword("four random words here", "admin"));
    CHECK_FALSE(faultOfPassword("пароль из слов", "admin")); // counted in characters
    CHECK(faultOfPassword("elevenchars", "admin"));
    CHECK(faultOfPassword("", "admin"));
    CHECK(faultOfPassword("aaaaaaaaaaaaaaaa", "admin"));
    CHECK(faultOfPassword("my Admin account", "admin"));
    CHECK(faultOfPassword(std::string(2000, 'x') + "abcdefgh", "admin"));
}
