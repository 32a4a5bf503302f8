# The static build: clang 19 for x86_64-linux-musl, static PIE, with the sysroot and the pinned libraries
# that packaging/dependencies.sh keeps in the user's cache. Nothing else of the machine is visible.
#
# While a pinned library itself is being built, ATOLL_SYSROOT and ATOLL_PREFIXES (separated by colons)
# are in the environment; otherwise the scripts are asked where both are.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)

if(DEFINED ENV{ATOLL_SYSROOT})
  set(_sysroot "$ENV{ATOLL_SYSROOT}")
  string(REPLACE ":" ";" _prefixes "$ENV{ATOLL_PREFIXES}")
else()
  execute_process(COMMAND "${CMAKE_CURRENT_LIST_DIR}/../dependencies.sh" --paths
                  OUTPUT_VARIABLE _paths OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" _prefixes "${_paths}")
  list(POP_FRONT _prefixes _sysroot)
endif()

foreach(_directory IN LISTS _sysroot _prefixes)
  if(NOT IS_DIRECTORY "${_directory}")
    message(FATAL_ERROR "${_directory} is not built yet: run packaging/dependencies.sh first")
  endif()
endforeach()

set(CMAKE_SYSROOT "${_sysroot}")
set(CMAKE_PREFIX_PATH ${_prefixes})
set(CMAKE_FIND_ROOT_PATH ${_prefixes})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)

foreach(_language C CXX)
  set(CMAKE_${_language}_COMPILER_TARGET x86_64-linux-musl)
  set(CMAKE_${_language}_FLAGS_INIT "-fPIE -ffunction-sections -fdata-sections")
endforeach()
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static-pie -fuse-ld=lld -Wl,--gc-sections")
