#!/bin/bash
# dist.sh: makes dist/ from build/musl/atoll: the stripped binary, its SHA-256, and the licences of all that is
# linked in. Refuses a binary that would need anything of the machine it is copied to.
. "$(dirname "$0")/lib.sh"

binary=$root/build/musl/atoll
dist=$root/dist

isStaticPie() {
    file -b "$1" | grep -q 'static-pie linked' && ! readelf -lW "$1" | grep -q INTERP
}

isStaticPie "$binary" || fail "$binary is not a static PIE: $(file -b "$binary")"
rm -rf "$dist"
mkdir "$dist"
strip -o "$dist/atoll" "$binary"
"$packaging/licences.sh" >"$dist/LICENCES"
cd "$dist"
sha256sum atoll >atoll.sha256
ls -l atoll LICENCES >&2
cat atoll.sha256
