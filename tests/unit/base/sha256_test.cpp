#include "base/secret.h"
#include "base/sha256.h"

#include <catch2/catch.hpp>
#include <string>

using namespace reef;

namespace {

std::string hex(const Digest& digest) {
    static constexpr char kHex[] = "0123456789abcdef";
    std::string text;
    for (const auto byte : digest)
        text += {kHex[byte >> 4U], kHex[byte & 15U]};
    return text;
}

} // namespace

TEST_CASE("SHA-256 gives the values of FIPS 180-4's examples") {
    CHECK(hex(Sha256::of("")) ==
          "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(hex(Sha256::of("abc")) ==
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(hex(Sha256::of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")) ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(hex(Sha256::of(std::string(1'000'000, 'a'))) ==
          "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("SHA-256 does not care how its input is cut") {
    const std::string text(300, 'x');
    for (const std::size_t cut : {1U, 55U, 56U, 63U, 64U, 65U, 128U}) {
        Sha256 hash;
        for (std::size_t at = 0; at < text.size(); at += cut)
            hash.update(std::string_view(text).substr(at, cut));
        CHECK(hash.finish() == Sha256::of(text));
    }
}

TEST_CASE("HMAC-SHA-256 gives the values of RFC 4231") {
    CHECK(hex(HmacSha256("Jefe").of(std::string_view("what do ya want for nothing?"))) ==
          "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    const std::string longKey(131, '\xaa');
    CHECK(hex(HmacSha256(longKey).of(
              std::string_view("Test Using Larger Than Block-Size Key - Hash Key First"))) ==
          "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    const Digest message = Sha256::of("x");
    CHECK(HmacSha256("key").of(message) == HmacSha256("key").of(bytesOf(message)));
}

TEST_CASE("PBKDF2-HMAC-SHA-256 gives the published values") {
    CHECK(hex(pbkdf2("password", "salt", 1)) ==
          "120fb6cffcf8b32c43e7225256c4f837a86548c92ccc35480805987cb70be17b");
    CHECK(hex(pbkdf2("password", "salt", 4096)) ==
          "c5e478d59288c841aa530db6845c4c8d962893a001ce4e11a4963873aa98134a");
}

TEST_CASE("random secrets differ") {
    CHECK(randomSecret() != randomSecret());
    CHECK(randomBytes(16).size() == 16);
}

TEST_CASE("base64url goes both ways, and only its own texts come back") {
    for (const std::string bytes : {"", "f", "fo", "foo", "foob", "\xff\xfe\xfd", "\0\1"})
        CHECK(fromBase64Url(base64Url(bytes)) == bytes);
    CHECK(base64Url("\xfb\xff") == "-_8");
    for (const char* bad : {"A", "AAAAA", "Zg==", "Z+8", "Zh", "Zm9vYg Q"})
        CHECK_FALSE(fromBase64Url(bad));
}

TEST_CASE("secrets are the same only when every byte is") {
    CHECK(sameSecret("abc", "abc"));
    CHECK_FALSE(sameSecret("abc", "abd"));
    CHECK_FALSE(sameSecret("abc", "ab"));
    CHECK_FALSE(sameSecret("", "a"));
}
