#include "io/beneath.h"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>

using namespace reef;
namespace fs = std::filesystem;

TEST_CASE("what lies below is opened; no way leads out") {
    char name[] = "/tmp/atoll-beneath-XXXXXX";
    REQUIRE(::mkdtemp(name) != nullptr);
    const fs::path base(name);
    fs::create_directories(base / "root/sub");
    std::ofstream(base / "secret") << "s";
    std::ofstream(base / "root/sub/file") << "f";
    fs::create_symlink("sub/file", base / "root/inside");
    fs::create_symlink("../secret", base / "root/outside");
    fs::create_symlink("/etc/passwd", base / "root/absolute");
    const Fd root(::open((base / "root").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    REQUIRE(root);
    for (const char* good : {"sub/file", "inside", "sub/../sub/file"}) {
        INFO(good);
        CHECK(io::openBeneath(root.get(), good, O_RDONLY));
    }
    for (const char* bad :
         {"../secret", "outside", "absolute", "/etc/passwd", "sub/../../secret"}) {
        INFO(bad);
        CHECK(io::openBeneath(root.get(), bad, O_RDONLY).error().systemError() == EXDEV);
    }
    CHECK(io::openBeneath(root.get(), "nothing", O_RDONLY).error().systemError() == ENOENT);
    fs::remove_all(base);
}
