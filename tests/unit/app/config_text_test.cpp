#include "app/config.h"
#include "app/config_text.h"
#include "base/thread.h"
#include "scratch.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>

using namespace reef;
using namespace reef::app;

namespace {

std::string dotted(std::size_t parts) {
    std::string key = "a";
    for (std::size_t i = 1; i < parts; ++i)
        key += ".a";
    return key;
}

std::string faultOf(const std::string& text) {
    const auto fault = faultOfText(text, "f");
    return fault ? fault->describe() : "";
}

std::string errorOfFile(const std::string& file) {
    const auto config = readConfig(file, "/srv/site");
    return config ? "" : config.error().front().describe();
}

} // namespace

TEST_CASE("a key of a hundred thousand parts is refused before it is parsed, with its place") {
    for (const std::string& text : {dotted(100'000) + " = 1\n", "[" + dotted(100'000) + "]\n",
                                    "[[" + dotted(100'000) + "]]\n",
                                    "x = {" + dotted(100'000) + " = 1}\n", dotted(100'000)}) {
        CHECK(faultOf("\n" + text).starts_with("f:2:"));
        const auto config = parseConfig(text, "f", "/srv/site");
        REQUIRE_FALSE(config);
        CHECK(config.error().front().describe().find("parts") != std::string::npos);
    }
    CHECK(faultOf("  " + dotted(17) + " = 1").starts_with("f:1:34: a key of more than 16 parts"));
    CHECK(faultOf(dotted(16) + " = 1\n" + dotted(16) + " = 2\n").empty());
    std::string quoted = "\"a\"";
    for (int i = 0; i != 20; ++i)
        quoted += " . 'a'";
    CHECK_FALSE(faultOf(quoted + " = 1\n").empty());
}

TEST_CASE("dots in strings and comments are no parts of a key") {
    const std::string dots(100, '.');
    CHECK(faultOf("# " + dots + "\nx = \"" + dots + "\"\ny = '" + dots + "'\n").empty());
    CHECK(faultOf("x = \"\"\"\n" + dots + "\n\"\"\"\ny = '''\n" + dots + "\n'''\n").empty());
    CHECK(faultOf("x = \"\\\"" + dots + "\"\n").empty());
    CHECK(faultOf("x = \"\"\"a\"\"\"\"\"\ny = '''" + dots + "'''").empty());
    // A string that ends before it seems to, and one that never begins: the key behind is seen.
    for (const char* before : {"x = \"\\\\\"\n", "x = ''\n", "x = \"\"\n", "x = '\\'\n", "# \"\n",
                               "x = \"\"\"a\"\"\"\"\n", "x = '''a'''''\n", "x = \"\"\"\\\"\"\"\"\n",
                               "x = \"'\"\n", "x = \"\"\"\"\"\"\n"})
        CHECK_FALSE(faultOf(before + dotted(17) + " = 1\n").empty());
}

TEST_CASE("the deepest text that may pass is parsed and let go on the stack of a worker") {
    std::string text = "[" + dotted(16) + "]\n" + dotted(16) + " = ";
    for (int i = 1; i != 16; ++i)
        text += "{" + dotted(16) + " = ";
    text += "1" + std::string(15, '}') + "\n";
    std::string lists = "x = " + std::string(5000, '[') + std::string(5000, ']') + "\n";
    std::string said;
    Thread("deep", [&] {
        for (const std::string& each : {text, lists}) {
            const auto config = parseConfig(each, "f", "/srv/site");
            said += config ? "(right)" : config.error().front().describe() + "\n";
        }
    }).join();
    CHECK(said.find("unknown key `a`") != std::string::npos);
    CHECK(said.find("nested") != std::string::npos);
}

TEST_CASE("what is no regular file, or too large, is refused without waiting") {
    const test::Scratch scratch;
    REQUIRE(::mkfifo((scratch / "pipe").c_str(), 0600) == 0);
    std::filesystem::create_symlink("/dev/zero", scratch / "zero");
    for (const char* name : {"pipe", "zero", "."})
        CHECK(errorOfFile(scratch / name).find("is no regular file") != std::string::npos);
    const auto large = scratch.file("large", std::string(kMaxConfigBytes + 1, '\n'));
    CHECK(errorOfFile(large).find("is larger than 1024 KB") != std::string::npos);
    CHECK(errorOfFile(scratch.file("right", std::string(kMaxConfigBytes, '\n'))).empty());
    const auto users = "auth = { file = \"" + (scratch / "pipe") + "\" }\n";
    const auto config = parseConfig(users, "f", "/srv/site");
    REQUIRE_FALSE(config);
    CHECK(config.error().front().describe().find("not supported") != std::string::npos);
}

TEST_CASE("a NUL in any text is refused where it stands") {
    for (const char* text :
         {"root = \"a\\u0000b\"\n", "[[route]]\ntry = [\"/a\\u0000\"]\n", "\"a\\u0000\" = 1\n"}) {
        const auto config = parseConfig(text, "f", "/srv/site");
        REQUIRE_FALSE(config);
        CHECK(config.error().front().describe().find("NUL") != std::string::npos);
    }
}

TEST_CASE("a hundred errors are listed, and the others counted") {
    std::string text;
    for (int i = 0; i != 150; ++i)
        text += "wombat" + std::to_string(i) + " = 1\n";
    const auto config = parseConfig(text, "f", "/srv/site");
    REQUIRE_FALSE(config);
    CHECK(config.error().size() == 101);
    CHECK(config.error().back().describe() == "f: errors beside these: 50");
}
