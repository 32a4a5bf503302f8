#include "base/password_hash.h"
#include "io/sockets.h"
#include "site/basic_auth.h"

#include <catch2/catch.hpp>

using namespace reef;
using site::BasicAuth;

namespace {

/// Asks once, on a loop.
using Answer = std::expected<std::string, BasicAuth::Refusal>;

Answer admitted(const BasicAuth& auth, const std::string& header,
                const std::string& client = "192.0.2.1") {
    io::Loop loop;
    io::Workers workers(1);
    std::optional<Answer> answer;
    struct Asking {
        static Task<void> run(const BasicAuth& auth, const std::string& header,
                              std::optional<io::HostBits> client, io::Loop& loop,
                              io::Workers& workers, std::optional<Answer>& answer) {
            answer = co_await auth.admit(header, client, loop, workers);
        }
    };
    loop.tasks().start(Asking::run(auth, header, io::parseHost(client), loop, workers, answer));
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

TEST_CASE("a client that guesses is looked at no more for a while, and others are") {
    const BasicAuth auth("Here", {{"anna", hashPassword("open sesame", 1000)}});
    const std::string right = "Basic YW5uYTpvcGVuIHNlc2FtZQ==";
    const std::string wrong = "Basic YW5uYTpvcGVuIHNlc2FtRQ==";
    for (int i = 0; i != 20; ++i)
        CHECK(admitted(auth, wrong).error().wait.count() == 0);
    CHECK(admitted(auth, wrong).error().wait.count() > 0);
    CHECK(admitted(auth, right).error().wait.count() > 0);
    CHECK(admitted(auth, right, "192.0.2.2") == "anna");
    CHECK(admitted(auth, right) == "anna"); // remembered by now: that costs nothing
}

TEST_CASE("nobody enters where there are no users") {
    const BasicAuth auth("Here", {});
    CHECK_FALSE(admitted(auth, "Basic YW5uYTpvcGVuIHNlc2FtZQ=="));
}

TEST_CASE("the challenge names the realm, whatever it holds") {
    CHECK(BasicAuth("A \"B\" \\C", {}).challenge() ==
          "Basic realm=\"A \\\"B\\\" \\\\C\", charset=\"UTF-8\"");
}
