#include "base/password_hash.h"

#include <catch2/catch.hpp>
#include <string>

using namespace reef;

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

TEST_CASE("hashes of other schemes are no hashes") {
    const auto* const stored =
        GENERATE("$2y$05$abcdefghijklmnopqrstuupx2xBUC4954936wVIjyyPHmUBFu0wCW",
                 "$apr1$salt$BsbFsvHIOn6rTt8lEW8pn/", "$1$salt$qJH7.N4xYta3aEG/dfqo/0",
                 "{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=", "plain", "rqXexS6ZhobKA");
    CAPTURE(stored);
    CHECK_FALSE(isPasswordHash(stored));
}
