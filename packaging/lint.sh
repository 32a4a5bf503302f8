#!/bin/bash
# lint.sh [FILE...]: the layout of every source by clang-format, and clang-tidy (.clang-tidy) over src/, or
# over the given files. Warnings are errors.
. "$(dirname "$0")/lib.sh"

cd "$root"
mapfile -t sources < <(git ls-files 'src/*.cpp' 'src/*.h' 'tests/*.cpp' 'tests/*.h' 'bench/*.cpp' 'bench/*.h')
clang-format-19 --dry-run -Werror "${sources[@]}"

# Generated headers must exist; nothing else need be built.
"$packaging/build.sh" debug atoll_version_values
[ $# -gt 0 ] || set -- "$root/src/.*[.]cpp$"
run-clang-tidy-19 -quiet -j "$(nproc)" -p build/debug "$@"
