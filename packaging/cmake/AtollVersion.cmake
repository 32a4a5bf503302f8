# What the binary knows of its own making. `atoll_version_values` writes, at every build and only when it
# differs, build_values.h: version, commit, build type, C library. Only base/version.cpp includes it, so a
# new commit recompiles that one file.

set(ATOLL_VALUES_DIRECTORY "${CMAKE_BINARY_DIR}/generated")
set(_c_library "")
if(CMAKE_SYSROOT)
  file(STRINGS "${CMAKE_SYSROOT}/versions" _c_library REGEX "^musl-dev ")
  string(REGEX REPLACE "^musl-dev ([^-]+).*" "musl \\1" _c_library "${_c_library}")
endif()

add_custom_target(atoll_version_values
  COMMAND "${CMAKE_COMMAND}" "-DVERSION=${PROJECT_VERSION}" "-DBUILD_TYPE=${CMAKE_BUILD_TYPE}"
          "-DSANITIZE=${ATOLL_SANITIZE}" "-DC_LIBRARY=${_c_library}" "-DSOURCE=${CMAKE_SOURCE_DIR}"
          "-DOUTPUT=${ATOLL_VALUES_DIRECTORY}/build_values.h"
          -P "${CMAKE_CURRENT_LIST_DIR}/WriteBuildValues.cmake"
  BYPRODUCTS "${ATOLL_VALUES_DIRECTORY}/build_values.h"
  COMMENT "Looking up the commit" VERBATIM)

# atoll_uses_build_values(TARGET): lets one source of TARGET include "build_values.h".
function(atoll_uses_build_values target)
  add_dependencies(${target} atoll_version_values)
  target_include_directories(${target} PRIVATE "${ATOLL_VALUES_DIRECTORY}")
endfunction()
