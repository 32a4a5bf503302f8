#include "app/scratch.h"
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
    CHECK_FALSE(load().documents());
    CHECK_FALSE(load().islands());
    std::filesystem::create_directory(scratch.path() / "www");
    CHECK(load().documents());
    CHECK_FALSE(load().islands());
    std::filesystem::create_directory(scratch.path() / "cgi-bin");
    CHECK(load().islands());
}

TEST_CASE("a directory that is there and cannot be opened is an error, not an empty site") {
    test::Scratch scratch;
    test::writeContent(scratch.path() / "www", "a file in the place of the directory");
    const auto loaded = site::Site::load(settingsFor(scratch));
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().systemError() == ENOTDIR);
}
