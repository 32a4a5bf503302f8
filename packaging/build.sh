#!/bin/bash
# build.sh PRESET [TARGET...]: configures build/PRESET where that is needed and builds the targets (default:
# all). The static build starts afresh when its toolchain or a pinned library has changed.
. "$(dirname "$0")/lib.sh"

main() {
    local preset=${1:?usage: build.sh PRESET [TARGET...]} directory key
    shift
    directory=$root/build/$preset
    key=$(keyOf "$preset")
    if [ ! -f "$directory/build.ninja" ] || [ "$(cat "$directory/.key" 2>/dev/null)" != "$key" ]; then
        say "configuring build/$preset"
        mkdir -p "$directory"
        cd "$root"
        logged "$directory/configure.log" "configuring build/$preset" cmake --fresh --preset "$preset"
        echo "$key" >"$directory/.key"
    fi
    ninja -C "$directory" "$@"
}

keyOf() {
    cat "$root/CMakePresets.json"
    if [ "$1" = musl ]; then "$packaging/dependencies.sh" --paths; fi
}

main "$@"
