# The libraries Atoll links. Each is found as a package: the distribution's shared one in the debug, asan,
# tsan and release builds, the pinned static one of packaging/ in the musl build (CMAKE_PREFIX_PATH).

find_package(Threads REQUIRED)
find_package(Poco REQUIRED COMPONENTS Foundation Util Net JSON)
find_package(SQLite3 REQUIRED)
find_path(ATOLL_TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED)

add_library(atoll_toml INTERFACE)
# Its parser calls itself for each value within a value; Atoll's own settings nest four deep, and a thread's stack is small.
target_compile_definitions(atoll_toml INTERFACE TOML_MAX_NESTED_VALUES=16)
target_include_directories(atoll_toml SYSTEM INTERFACE "${ATOLL_TOMLPLUSPLUS_INCLUDE}")

# atoll_find_library(TARGET HEADER NAMES...): an imported-like target for a C library without a package file.
function(atoll_find_library target header)
  find_path(${target}_INCLUDE "${header}" REQUIRED)
  find_library(${target}_LIBRARY NAMES ${ARGN})
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE "${${target}_INCLUDE}")
  if(${target}_LIBRARY)
    target_link_libraries(${target} INTERFACE "${${target}_LIBRARY}")
  else()
    target_link_libraries(${target} INTERFACE Poco::Foundation) # holds it, see packaging/deps/poco
  endif()
endfunction()

atoll_find_library(atoll_zlib zlib.h z)
atoll_find_library(atoll_pcre2 pcre2.h pcre2-8)
atoll_find_library(atoll_zstd zstd.h zstd)
