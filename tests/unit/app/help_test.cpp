#include "app/help.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

using namespace reef;

TEST_CASE("help fits a terminal of 80 columns and ends without a blank line") {
    std::string texts = app::generalHelp();
    for (const app::Command& command : app::commands())
        texts += app::helpOf(command);
    std::istringstream lines(texts);
    for (std::string line; std::getline(lines, line);) {
        INFO(line);
        CHECK(line.size() <= 100);
        CHECK_FALSE(line.ends_with(' '));
    }
    CHECK_FALSE(app::generalHelp().ends_with("\n\n"));
}

TEST_CASE("help of a command tells its options, and no other's") {
    const auto* serve = app::findCommand("serve");
    REQUIRE(serve != nullptr);
    CHECK(app::helpOf(*serve).find("--listen") != std::string::npos);
    CHECK(app::helpOf(*serve).find("--json") == std::string::npos);
    const auto* stats = app::findCommand("stats");
    REQUIRE(stats != nullptr);
    CHECK(app::helpOf(*stats).find("--json") != std::string::npos);
    CHECK(app::findCommand("dance") == nullptr);
}

TEST_CASE("each option that a command takes exists") {
    for (const app::Command& command : app::commands()) {
        std::istringstream names{std::string(command.options)};
        for (std::string name; names >> name;) {
            INFO(command.name << " --" << name);
            CHECK(std::ranges::any_of(app::optionTexts(),
                                      [&](const auto& option) { return option.name == name; }));
        }
    }
}

TEST_CASE("a slip of the finger is recognised") {
    CHECK(app::similarCommand("serv") == "serve");
    CHECK(app::similarCommand("srave").empty());
    CHECK(app::similarCommand("sotp") == "stop");
    CHECK(app::similarCommand("checkk") == "check");
    CHECK(app::similarCommand("statos") == "status");
    CHECK(app::similarCommand("").empty());
    CHECK(app::similarCommand("dance").empty());
}
