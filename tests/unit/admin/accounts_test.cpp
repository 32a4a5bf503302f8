#include "admin/accounts.h"
#include "test_panel.h"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>
#include <thread>

using namespace reef::admin;
using Kind = AccountsError::Kind;
using reef::test::Scratch;

namespace {

constexpr std::string_view kPassword = "four random words here";

struct Fixture {
    Scratch directory;
    std::string file = directory / "accounts.json";
    Accounts accounts{file, 1000};

    std::string content() const {
        std::ostringstream out;
        out << std::ifstream(file).rdbuf();
        return out.str();
    }
    void write(std::string_view text, mode_t mode = 0600) const {
        std::ofstream(file) << text;
        ::chmod(file.c_str(), mode);
    }
    mode_t mode() const {
        struct stat facts{};
        return ::stat(file.c_str(), &facts) == 0 ? facts.st_mode & 07777U : 0;
    }
};

} // namespace

TEST_CASE("an account can be made, found and verified") {
    Fixture f;
    REQUIRE(f.accounts.add("Ada ", kPassword));
    const auto ada = f.accounts.find("ada");
    REQUIRE(ada);
    REQUIRE(*ada);
    CHECK((*ada)->created > 1'600'000'000);
    CHECK(f.accounts.verify("ADA", kPassword)->has_value());
    CHECK_FALSE(f.accounts.verify("ada", "four random words wrong")->has_value());
    CHECK_FALSE(f.accounts.verify("bob", kPassword)->has_value());
}

TEST_CASE("the file of accounts is for its owner alone and holds no password") {
    Fixture f;
    REQUIRE(f.accounts.add("ada", kPassword));
    CHECK(f.mode() == 0600);
    CHECK(f.content().find(kPassword) == std::string::npos);
    REQUIRE(f.accounts.changePassword("ada", "some other random words"));
    CHECK(f.mode() == 0600);
    CHECK(::access((f.file + ".new").c_str(), F_OK) != 0);
}

TEST_CASE("a name is taken once, and is a plain word") {
    Fixture f;
    REQUIRE(f.accounts.add("ada", kPassword));
    CHECK(f.accounts.add("Ada", kPassword).error().kind == Kind::refused);
    for (const char* bad : {"", " ", "a b", "-x", "a/b", "a\nb", "<i>", "\xc3\xa4"})
        CHECK(f.accounts.add(bad, kPassword).error().kind == Kind::refused);
    CHECK(f.accounts.add(std::string(65, 'a'), kPassword).error().kind == Kind::refused);
    CHECK(f.accounts.add("bob", "short").error().kind == Kind::refused);
    CHECK(f.accounts.list()->size() == 1);
}

TEST_CASE("a changed password replaces the old one, for accounts that exist") {
    Fixture f;
    const auto before = f.accounts.add("ada", kPassword);
    REQUIRE(before);
    const auto after = f.accounts.changePassword("ada", "some other random words");
    REQUIRE(after);
    CHECK(credentialOf(*before) != credentialOf(*after));
    CHECK(after->created == before->created);
    CHECK_FALSE(f.accounts.verify("ada", kPassword)->has_value());
    CHECK(f.accounts.verify("ada", "some other random words")->has_value());
    CHECK(f.accounts.changePassword("bob", kPassword).error().kind == Kind::refused);
}

TEST_CASE("the one-time link makes the first account, once") {
    Fixture f;
    const auto offer = f.accounts.offerSetup();
    REQUIRE(offer);
    REQUIRE(*offer);
    const std::string token = **offer;
    CHECK(token.size() == 43); // 256 bits
    CHECK(f.accounts.isSetupToken(token));
    CHECK_FALSE(f.accounts.isSetupToken(""));
    CHECK_FALSE(f.accounts.isSetupToken(token.substr(1)));

    CHECK(f.accounts.setUp("wrong", "ada", kPassword).error().kind == Kind::spent);
    CHECK(f.accounts.setUp(token, "ada", "weak").error().kind == Kind::refused);
    CHECK(f.accounts.isSetupToken(token)); // a weak password does not spend it
    REQUIRE(f.accounts.setUp(token, "ada", kPassword));
    CHECK_FALSE(f.accounts.isSetupToken(token));
    CHECK(f.accounts.setUp(token, "eve", kPassword).error().kind == Kind::spent);
    CHECK(f.accounts.list()->size() == 1);
}

TEST_CASE("no link is offered once there is an account, and a new one spoils the old one") {
    Fixture f;
    const auto first = **f.accounts.offerSetup();
    const auto second = **f.accounts.offerSetup();
    CHECK_FALSE(f.accounts.isSetupToken(first));
    CHECK(f.accounts.isSetupToken(second));
    REQUIRE(f.accounts.add("ada", kPassword)); // the command line was faster
    CHECK(f.accounts.setUp(second, "eve", kPassword).error().kind == Kind::spent);
    CHECK_FALSE(f.accounts.offerSetup()->has_value());
}

TEST_CASE("of many who use the link at the same time, one becomes the owner") {
    Fixture f;
    const auto token = **f.accounts.offerSetup();
    std::atomic<int> winners = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 8; ++i)
            threads.emplace_back([&f, &winners, &token, i] {
                if (f.accounts.setUp(token, "user" + std::to_string(i), kPassword)) ++winners;
            });
    }
    CHECK(winners == 1);
    CHECK(f.accounts.list()->size() == 1);
}

TEST_CASE("accounts made at the same time by different programs are all kept") {
    Fixture f;
    std::atomic<int> made = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 8; ++i)
            threads.emplace_back([&f, &made, i] {
                Accounts other(f.file, 10); // as another process would
                if (other.add("user" + std::to_string(i), kPassword)) ++made;
            });
    }
    CHECK(made == 8);
    CHECK(f.accounts.list()->size() == 8);
}

TEST_CASE("a file that is not ours admits nobody and is left alone") {
    const std::string hash = reef::hashPassword(kPassword, 10);
    const std::string good = R"({"name":"ada","password":")" + hash + R"(","created":1})";
    const std::string damaged[] = {
        "",
        "{",
        "[]",
        "{}",
        "null",
        R"({"version":1})",
        R"({"version":2,"accounts":[]})",
        R"({"version":"1","accounts":[]})",
        R"({"version":1,"accounts":{}})",
        R"({"version":1,"accounts":[1]})",
        R"({"version":1,"accounts":[{}]})",
        R"({"version":1,"accounts":[{"name":"ada","password":"","created":1}]})",
        R"({"version":1,"accounts":[{"name":"A B","password":")" + hash + R"(","created":1}]})",
        R"({"version":1,"accounts":[{"name":"ada","password":")" + hash + R"(","created":"x"}]})",
        R"({"version":1,"accounts":[)" + good + "," + good + "]}",
        R"({"version":1,"accounts":[)" + good + "]} x",
    };
    for (const std::string& text : damaged) {
        INFO(text);
        Fixture f;
        f.write(text);
        CHECK(f.accounts.list().error().kind == Kind::damaged);
        CHECK(f.accounts.list().error().message.find(f.file) != std::string::npos);
        CHECK(f.accounts.verify("ada", kPassword).error().kind == Kind::damaged);
        CHECK(f.accounts.offerSetup().error().kind == Kind::damaged);
        CHECK(f.accounts.add("eve", kPassword).error().kind == Kind::damaged);
        CHECK(f.content() == text);
    }
    Fixture f;
    f.write(R"({"version":1,"accounts":[)" + good + "]}");
    CHECK(f.accounts.verify("ada", kPassword)->has_value());
}

TEST_CASE("a file that others can read or write is not trusted, and the message says what to do") {
    Fixture f;
    REQUIRE(f.accounts.add("ada", kPassword));
    for (const mode_t mode : {0644U, 0660U, 0602U}) {
        ::chmod(f.file.c_str(), mode);
        const auto listed = f.accounts.list();
        REQUIRE_FALSE(listed);
        CHECK(listed.error().kind == Kind::damaged);
        CHECK(listed.error().message.find("chmod 600") != std::string::npos);
    }
    ::chmod(f.file.c_str(), 0600);
    CHECK(f.accounts.list()->size() == 1);
}

TEST_CASE("a link or a directory in the file's place is refused") {
    Fixture f;
    const std::string elsewhere = f.directory / "elsewhere.json";
    REQUIRE(Accounts(elsewhere, 10).add("ada", kPassword));
    REQUIRE(::symlink(elsewhere.c_str(), f.file.c_str()) == 0);
    CHECK(f.accounts.list().error().kind == Kind::system);
    ::unlink(f.file.c_str());
    ::mkdir(f.file.c_str(), 0700);
    CHECK_FALSE(f.accounts.list());
    CHECK_FALSE(f.accounts.offerSetup());
}

TEST_CASE("a directory that is missing is a failure that names it") {
    Accounts accounts("/nonexistent-directory/accounts.json", 10);
    const auto added = accounts.add("ada", kPassword);
    REQUIRE_FALSE(added);
    CHECK(added.error().kind == Kind::system);
    CHECK(added.error().message.find("/nonexistent-directory") != std::string::npos);
}

TEST_CASE("a file half-written by a run that was cut off is swept aside") {
    Fixture f;
    std::ofstream(f.file + ".new") << "half";
    REQUIRE(f.accounts.add("ada", kPassword));
    CHECK(f.accounts.list()->size() == 1);
    CHECK(::access((f.file + ".new").c_str(), F_OK) != 0);
}

TEST_CASE("what root writes on the command line belongs to the owner of the directory") {
    if (::geteuid() != 0) return; // nobody else can give files away
    Fixture f;
    constexpr uid_t kServer = 12345;
    REQUIRE(::chown((f.directory / "").c_str(), kServer, kServer) == 0);
    REQUIRE(f.accounts.add("ada", kPassword));
    for (const std::string& file : {f.file, f.file + ".lock"}) {
        struct stat facts{};
        REQUIRE(::stat(file.c_str(), &facts) == 0);
        CHECK(facts.st_uid == kServer);
        CHECK((facts.st_mode & 07777U) == 0600);
    }
}
