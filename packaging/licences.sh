#!/bin/bash
# licences.sh: prints, for the static binary, what is linked in, its version and its licence in full. The texts
# were taken from the very sources when each library was built; see the recipes in packaging/deps/.
. "$(dirname "$0")/lib.sh"

main() {
    echo "Atoll is one static binary. Beside its own code it holds these libraries, each under its own licence."
    local prefix file
    for prefix in $("$packaging/dependencies.sh" --paths); do
        for file in "$prefix"/licences/*; do section "$prefix" "$file"; done
    done
}

section() {
    local name
    name=$(basename "$2")
    printf '\n%s\n%s %s\n%s\n\n' "$(line)" "$name" "$(versionOf "$1" "$name")" "$(line)"
    cat "$2"
}

# A library of one upstream has its number in `version`; those from Debian's packages have a table.
versionOf() {
    case $2 in
    musl) packageVersion "$1/versions" musl-dev ;;
    gcc-runtime-*) packageVersion "$1/versions" gcc-12-source ;;
    tomlplusplus) packageVersion "$1/version" libtomlplusplus-dev ;;
    *) cat "$1/version" ;;
    esac
}

packageVersion() { sed -n "s/^$2 //p" "$1"; }

line() { printf '=%.0s' {1..100}; }

main "$@"
