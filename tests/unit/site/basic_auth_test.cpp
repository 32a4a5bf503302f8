#include "base/password_hash.h"
#include "io/sockets.h"
#include "site/basic_auth.h"

#include <catch2/catch.hpp>

using namespace reef;
using site::BasicAuth;

namespace {

/// Asks once, on a loop.
std::optional<std::string> admitted(const BasicAuth& auth, const std::string& header) {
    io::Loop loop;
    io::Workers workers(1);
    std::optional<std::optional<std::string>> answer;
    struct Asking {
        static Task<void> run(const BasicAuth& auth, const std::string& header, io::Loop& loop,
                              io::Workers& workers,
                              std::optional<std::optional<std::string>>& answer) {
            answer = co_await auth.admit(header, loop, workers);
        }
    };
    loop.tasks().start(Asking::run(auth, header, loop, workers, answer));
    test::runUntil(loop, [&] { return answer.has_value(); });
    return *answer;
}

} // namespace

TEST_CASE("credentials are read strictly") {
    const auto read = site::readBasic("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
    REQUIRE(read);
    CHECK(read->user == "Aladdin");
    CHECK(read->password == "open sesame");
    CHECK(site::readBasic("basic YTpiOmM=")->password == "b:c");
    CHECK(site::readBasic("Basic Og==")->user.empty());
    const auto* const text =
        GENERATE("", "Basic", "Basic ", "Bearer QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "Basic QWxh*GRp",
                 "Basic QQ", "Basic QWxhZGRpbg==", "Basic YTpi-_==", "Basic YTpi====");
    CAPTURE(text);
    CHECK_FALSE(site::readBasic(text));
}

TEST_CASE("the right password of a known user is admitted, and remembered") {
    const BasicAuth auth("Here", {{"anna", hashPassword("open sesame", 1000)}});
    const std::string right = "Basic YW5uYTpvcGVuIHNlc2FtZQ=="; // anna:open sesame
    CHECK(admitted(auth, right) == "anna");
    CHECK(admitted(auth, right) == "anna");
    CHECK_FALSE(admitted(auth, "Basic YW5uYTpvcGVuIHNlc2FtRQ==")); // sesamE
    CHECK_FALSE(admitted(auth, "Basic YmVydDpvcGVuIHNlc2FtZQ==")); // bert
    CHECK_FALSE(admitted(auth, ""));
}

TEST_CASE("nobody enters where there are no users") {
    const BasicAuth auth("Here", {});
    CHECK_FALSE(admitted(auth, "Basic YW5uYTpvcGVuIHNlc2FtZQ=="));
}

TEST_CASE("the challenge names the realm, whatever it holds") {
    CHECK(BasicAuth("A \"B\" \\C", {}).challenge() ==
          "Basic realm=\"A \\\"B\\\" \\\\C\", charset=\"UTF-8\"");
}
