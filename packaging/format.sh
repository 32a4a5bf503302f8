#!/bin/bash
# format.sh: lays out every C++ file of the tree as .clang-format says.
. "$(dirname "$0")/lib.sh"

cd "$root"
git ls-files -z 'src/*.cpp' 'src/*.h' 'tests/*.cpp' 'tests/*.h' 'bench/*.cpp' 'bench/*.h' |
    xargs -0 clang-format-19 -i
