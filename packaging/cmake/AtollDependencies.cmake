# The libraries Atoll links. Each is found as a package: the distribution's shared one in the debug, asan,
# tsan and release builds, the pinned static one of packaging/ in the musl build (CMAKE_PREFIX_PATH).

find_package(Threads REQUIRED)
find_package(Poco REQUIRED COMPONENTS Foundation Util Net JSON)
find_package(SQLite3 REQUIRED)
find_path(ATOLL_TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED)

add_library(atoll_toml INTERFACE)
target_include_directories(atoll_toml SYSTEM INTERFACE "${ATOLL_TOMLPLUSPLUS_INCLUDE}")
