#!/bin/sh
# build.sh DIR: compiles the bare limits into DIR, without a configured build tree.
set -eu

limits=$(cd "$(dirname "$0")" && pwd)
source=$limits/../../src
compiler=$(command -v clang++-19 || command -v g++)

build() { # PROGRAM SOURCE...
    program=$1
    shift
    "$compiler" -std=c++23 -O2 -Wall -Wextra -I"$source" "$@" "$source/base/fd.cpp" -o "$program"
}

build "$1/epoll_limit" "$limits/epoll_limit.cpp"
build "$1/spawn_limit" "$limits/spawn_limit.cpp" "$limits/bare_spawn.cpp"
build "$1/spawn_sum" "$limits/spawn_sum.cpp" "$limits/bare_spawn.cpp"
