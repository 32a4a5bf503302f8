#!/bin/sh
# site.sh DIR: makes the scratch site that every server under test serves.
#
#     DIR/www      1 KB page, 100 KB file, page of four static includes, pages of islands
#     DIR/cgi-bin  C and shell hello, the islands in Bash, Go, Perl, Python and Rust, the sleepers
#     DIR/notes    one line for each thing that is not as named (a language that C stands in for)
#
# Needs a C compiler (musl-gcc or gcc), bash, perl and python3; Go and Rust where they are installed.
set -eu

directory=$1
sources=$(cd "$(dirname "$0")" && pwd)/site
www=$directory/www
programs=$directory/cgi-bin

note() { printf '%s\n' "$1" >>"$directory/notes"; }

compile_c() { # SOURCE PROGRAM [FLAG...]
    source=$1 program=$2
    shift 2
    "$c_compiler" -O2 -static "$@" "$source" -o "$program"
}

# A file of exactly BYTES bytes that begins with MARKER.
sized_file() { # FILE BYTES MARKER
    awk -v bytes="$2" -v marker="$3" 'BEGIN {
        text = "<!doctype html>\n<title>" marker "</title>\n<p>"
        line = "Islands answer one request each.\n"
        while (length(text) < bytes) text = text line
        printf "%s", substr(text, 1, bytes)
    }' >"$1"
}

make_documents() {
    mkdir -p "$www/parts"
    sized_file "$www/small.html" 1024 "small file"
    sized_file "$www/large.html" 102400 "large file"
    for part in one two three four; do
        printf '<section><h2>Part %s</h2><p>A static fragment.</p></section>\n' "$part" \
            >"$www/parts/$part.html"
    done
    cp "$sources/includes.shtml" "$sources/islands.shtml" "$sources/sleep.shtml" "$www/"
}

# A compiled island, or C in its place where the compiler is missing or fails.
make_go_island() {
    if go version >/dev/null 2>&1; then
        GO111MODULE=off GOCACHE=$directory/go-cache CGO_ENABLED=0 \
            go build -ldflags=-s -o "$programs/go-island" "$sources/island.go"
        chmod -R u+w "$directory/go-cache"
        rm -r "$directory/go-cache"
    else
        note "Go is not installed: the Go island is a C program (install golang-go to measure it)."
        compile_c "$sources/island.c" "$programs/go-island" '-DLANGUAGE="Go"'
    fi
}

make_rust_island() {
    if rustc --version >/dev/null 2>&1; then
        rustc -O -C strip=symbols -o "$programs/rust-island" "$sources/island.rs"
    else
        note "Rust is not installed: the Rust island is a C program (install rustc to measure it)."
        compile_c "$sources/island.c" "$programs/rust-island" '-DLANGUAGE="Rust"'
    fi
}

make_programs() {
    mkdir -p "$programs"
    compile_c "$sources/hello.c" "$programs/hello"
    cp "$sources/hello.sh" "$programs/hello.sh"
    cp "$sources/island.bash" "$programs/bash-island"
    cp "$sources/island.pl" "$programs/perl-island"
    cp "$sources/island.py" "$programs/python-island"
    make_go_island
    make_rust_island
    for number in 1 2 3 4; do
        compile_c "$sources/sleeper.c" "$programs/sleeper-$number"
    done
    chmod 755 "$programs"/*
}

c_compiler=$(command -v musl-gcc || command -v gcc) || {
    echo "bench: no C compiler: install musl-tools or gcc" >&2
    exit 1
}
umask 022
mkdir -p "$directory"
: >"$directory/notes"
make_documents
make_programs
