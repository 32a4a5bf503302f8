#include "scratch.h"
#include "site/site.h"

#include <catch2/catch.hpp>
#include <filesystem>

using namespace reef;

namespace {

site::SiteSettings settingsFor(const test::Scratch& scratch) {
    site::SiteSettings settings;
    settings.documents = (scratch.path() / "www").string();
    settings.islands = (scratch.path() / "cgi-bin").string();
    return settings;
}

} // namespace

TEST_CASE("a site may have documents, islands, both or neither") {
    test::Scratch scratch;
    const auto load = [&] { return site::Site::load(settingsFor(scratch)).value(); };
    CHECK(load().documents().empty());
    CHECK(load().islandsFor("/cgi-bin/x") == nullptr);
    std::filesystem::create_directory(scratch.path() / "www");
    CHECK(load().documents().size() == 1);
    CHECK(load().islandsFor("/cgi-bin/x") == nullptr);
    std::filesystem::create_directory(scratch.path() / "cgi-bin");
    CHECK(load().islandsFor("/cgi-bin/x") != nullptr);
    CHECK(load().islandsFor("/x") == nullptr);
}

TEST_CASE("a directory that is there and cannot be opened is an error, not an empty site") {
    test::Scratch scratch;
    test::writeContent(scratch.path() / "www", "a file in the place of the directory");
    const auto loaded = site::Site::load(settingsFor(scratch));
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().find("/www: ") != std::string::npos);
}

TEST_CASE("the longest prefix decides which directory answers, and a mount must exist") {
    test::Scratch scratch;
    for (const auto* name : {"www", "pictures", "large"})
        std::filesystem::create_directory(scratch.path() / name);
    auto settings = settingsFor(scratch);
    settings.documentMounts = {{"/pictures/", (scratch.path() / "pictures").string(), true},
                               {"/pictures/large/", (scratch.path() / "large").string(), true}};
    const auto loaded = site::Site::load(settings).value();
    REQUIRE(loaded.documents().size() == 3);
    CHECK(loaded.documents()[0].prefix == "/pictures/large/");
    CHECK(loaded.documents()[2].prefix == "/");
    settings.documentMounts[0].directory += "-missing";
    CHECK_FALSE(site::Site::load(settings));
}
