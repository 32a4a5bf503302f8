# Compiler and linker flags of every target. Warnings are errors; sanitizers come from ATOLL_SANITIZE.

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 19)
  message(FATAL_ERROR "Atoll needs clang 19 or newer (found ${CMAKE_CXX_COMPILER_ID} "
                      "${CMAKE_CXX_COMPILER_VERSION}): older compilers miscompile coroutines.")
endif()

add_library(atoll_flags INTERFACE)
target_compile_options(atoll_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow -Werror
                       -fno-strict-aliasing -fstack-protector-strong)
target_include_directories(atoll_flags INTERFACE "${CMAKE_SOURCE_DIR}/src")

if(ATOLL_SANITIZE)
  add_compile_options(-fsanitize=${ATOLL_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${ATOLL_SANITIZE})
endif()

# Objects of other checkouts and presets are reused where ccache is installed; nothing depends on it.
find_program(ATOLL_CCACHE ccache)
if(ATOLL_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${ATOLL_CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER "${ATOLL_CCACHE}")
endif()
