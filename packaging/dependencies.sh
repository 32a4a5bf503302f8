#!/bin/bash
# dependencies.sh: builds, once, the libraries of the static binary from pinned sources with the toolchain of
# toolchain.sh, one recipe per library in packaging/deps/. `dependencies.sh --paths` builds nothing and prints
# the sysroot and the libraries' prefixes, one a line: what cmake/musl.toolchain.cmake asks.
#
# A recipe is sourced and says: minutes, why, candidates (see sources.sh) or packages (of Debian), and the
# functions build and licences, which run in the unpacked source and fill $out.
. "$(dirname "$0")/lib.sh"
. "$packaging/sources.sh"
. "$packaging/recipe.sh"

recipes=(poco sqlite3 zstd headers)
sysroot=$("$packaging/toolchain.sh" --path)

main() {
    if [ "${1:-}" = --paths ]; then
        echo "$sysroot"
        for name in "${recipes[@]}"; do prefixOf "$name"; done
        return
    fi
    "$packaging/toolchain.sh"
    local step=1 name
    for name in "${recipes[@]}"; do
        step=$((step + 1))
        ensure "$name" "$step/$((${#recipes[@]} + 1))"
    done
}

# In a subshell each: a recipe's names end with it.
prefixOf() (
    packages=
    . "$packaging/deps/$1"
    { cat "$packaging/cmake/musl.toolchain.cmake" "$packaging/recipe.sh" "$packaging/deps/$1"; installedVersions $packages; } |
        hashOf "$(basename "$sysroot")" | sed "s|^|$cache/$1-|"
)

ensure() (
    candidates=
    packages=
    . "$packaging/deps/$1"
    buildOnce "$(prefixOf "$1")" "[$2] $1 (about $minutes min): $why" buildRecipe "$1"
)

buildRecipe() {
    mkdir "$out/licences"
    if [ -n "$candidates" ]; then
        fetchSource "$1" "$candidates"
        cp version "$out/version"
    else
        mkdir source
        installedVersions $packages >"$out/version"
    fi
    cd source
    build
    licences
}

main "$@"
