# Run by AtollVersion.cmake as a script: writes OUTPUT from VERSION, BUILD_TYPE, SANITIZE, C_LIBRARY and the
# commit of SOURCE, and touches the file only when something changed.

set(COMMIT "unknown")
find_program(GIT git)
if(GIT)
  execute_process(COMMAND "${GIT}" -C "${SOURCE}" describe --always --dirty --abbrev=12 --exclude "*"
                  OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(described)
    set(COMMIT "${described}")
  endif()
endif()
if(SANITIZE)
  string(APPEND BUILD_TYPE " with ${SANITIZE} sanitizer")
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT [[
#pragma once
#define ATOLL_VERSION "@VERSION@"
#define ATOLL_COMMIT "@COMMIT@"
#define ATOLL_BUILD_TYPE "@BUILD_TYPE@"
#define ATOLL_C_LIBRARY "@C_LIBRARY@"
]])
