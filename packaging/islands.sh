#!/bin/bash
# islands.sh [--install] [--output DIR] [--site DIR] [NAME...]: builds the compiled islands of the demo site.
#
# The sources are cgi-bin/source/NAME/NAME.{c,go,rs}; the programs go to build/islands (or --output). With no
# NAME all are built, and one whose compiler is missing is left out with a sentence; a NAME that cannot be
# built is an error. --install gets the compilers from Debian first; --site copies what was built into
# DIR/cgi-bin, as soon as that directory exists. A program newer than its source is not built again.
. "$(dirname "$0")/lib.sh"

sources=$root/cgi-bin/source
output=$root/build/islands

main() {
    local install=no site='' required=no name
    while [ $# -gt 0 ]; do
        case $1 in
        --install) install=yes ;;
        --output) output=${2:?--output needs a directory} && shift ;;
        --site) site=${2:?--site needs a directory} && shift ;;
        -*) fail "islands.sh: unknown option $1" ;;
        *) break ;;
        esac
        shift
    done
    if [ $# -gt 0 ]; then required=yes; else set -- tide passage coral; fi
    [ "$install" = no ] || "$packaging/packages.sh" islands
    mkdir -p "$output"
    for name in "$@"; do
        build "$name" || [ "$required" = no ] || fail "the island $name cannot be built"
    done
    [ -z "$site" ] || copyTo "$site/cgi-bin" "$@"
}

build() {
    local source
    source=$(compgen -G "$sources/$1/$1.*") || fail "there is no island named $1 in cgi-bin/source"
    [ ! "$output/$1" -nt "$source" ] || return 0
    case $source in
    *.c) buildC "$source" "$output/$1" ;;
    *.go) buildGo "$source" "$output/$1" ;;
    *.rs) buildRust "$source" "$output/$1" ;;
    *) fail "$source: no compiler is known for this kind of source" ;;
    esac
}

# musl first: its static programs are the smallest and the fastest to start.
buildC() {
    local compiler
    for compiler in 'musl-gcc' 'env REALGCC=gcc-12 musl-gcc' 'cc' 'gcc-12' 'clang-19'; do
        if attempt $compiler -std=c11 -O2 -Wall -Wextra -static -s -o "$2.new" "$1" -lm; then
            finish "$2" "$compiler"
            return
        fi
    done
    say "island ${2##*/} is left out: no C compiler that links static programs (packaging/packages.sh build installs one)"
    return 1
}

buildGo() {
    if ! command -v go >/dev/null; then
        say "island ${2##*/} is left out: Go is not installed (make islands installs it)"
        return 1
    fi
    GO111MODULE=off CGO_ENABLED=0 GOCACHE=${GOCACHE:-$cache/go} \
        go build -trimpath -ldflags '-s -w' -o "$2.new" "$1" || return 1
    finish "$2" go
}

# Static where the C library allows it, so that the program runs on any machine like the others.
buildRust() {
    local static='-C target-feature=+crt-static'
    if ! command -v rustc >/dev/null; then
        say "island ${2##*/} is left out: Rust is not installed (make islands installs it)"
        return 1
    fi
    attempt rustc -O -C strip=symbols $static -o "$2.new" "$1" ||
        rustc -O -C strip=symbols -o "$2.new" "$1" || return 1
    finish "$2" rustc
}

# Runs a compiler that may be missing or unable, and keeps quiet about it.
attempt() { "$@" >/dev/null 2>&1; }

finish() {
    chmod 755 "$1.new"
    mv "$1.new" "$1"
    say "island ${1##*/}: built with $2"
}

# By rename: a running island must not be written to.
copyTo() {
    local name
    [ -d "$1" ] || return 0
    for name in "${@:2}"; do
        [ -x "$output/$name" ] || continue
        cp "$output/$name" "$1/.$name.new"
        mv "$1/.$name.new" "$1/$name"
    done
}

main "$@"
