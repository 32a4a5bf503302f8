# Words shared by the scripts of packaging/. Sourced, never run: `. "$(dirname "$0")/lib.sh"`.
#
# Everything built once lives in $cache/NAME-HASH, where HASH covers all that decides its content (its
# recipe). A directory appears there only complete: it is made beside, and renamed at the end.

set -euo pipefail

packaging=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$packaging")
cache=${ATOLL_CACHE:-${XDG_CACHE_HOME:-${HOME:?neither ATOLL_CACHE nor HOME is set}/.cache}/atoll}

# The settings of this shell's owner have no say in what is built.
export LC_ALL=C
unset CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH

# What the user should see even while a step writes its own output to a log.
exec 3>&2
say() { printf '%s\n' "$*" >&3; }

fail() {
    printf 'atoll: %s\n' "$*" >&2
    exit 1
}

# hashOf WORD...: 16 hex digits over its arguments and over standard input.
hashOf() { { printf '%s\n' "$@"; cat; } | sha256sum | cut -c1-16; }

# installedVersion PACKAGE...: "name version" of each, as dpkg knows them; part of a recipe's hash.
installedVersions() { [ $# -eq 0 ] || dpkg-query -W -f='${Package} ${Version}\n' "$@" 2>/dev/null || true; }

# logged LOG WHAT COMMAND...: runs the command with its output in LOG; on failure shows the end of LOG and stops.
# The command runs in a subshell with `set -e` in force, so it must not be called in a condition.
logged() {
    local log=$1 what=$2 status=0
    shift 2
    set +e
    (set -e; "$@") >"$log" 2>&1 </dev/null
    status=$?
    set -e
    [ "$status" -eq 0 ] && return
    say "--- the last lines of $log:"
    tail -n 30 "$log" >&2
    fail "$what failed with status $status; the whole log is $log"
}

# buildOnce DIRECTORY TITLE COMMAND...: if DIRECTORY is not there yet, announces TITLE and runs the command
# with $work (a scratch directory, its current one) and $out (what becomes DIRECTORY). A second process that
# wants the same waits for the first.
buildOnce() {
    local target=$1 title=$2 name began
    shift 2
    [ -d "$target" ] && return
    name=$(basename "$target")
    mkdir -p "$cache/logs" "$cache/locks"
    exec 9>"$cache/locks/$name"
    flock -n 9 || { say "atoll: another process is building $name, waiting for it"; flock 9; }
    if [ ! -d "$target" ]; then
        began=$SECONDS
        say "$title"
        rm -rf "$cache/.building-$name".* # of one that was killed: we hold the lock
        work=$(mktemp -d "$cache/.building-$name.XXXXXX")
        trap 'rm -rf "$work"' EXIT
        trap 'exit 130' INT TERM HUP
        out=$work/out
        mkdir "$out"
        logged "$cache/logs/$name.log" "building $name" inDirectory "$work" "$@"
        mv -T "$out" "$target"
        rm -rf "$work"
        trap - EXIT INT TERM HUP
        say "      done in $((SECONDS - began)) s"
    fi
    exec 9>&-
}

inDirectory() {
    cd "$1"
    shift
    "$@"
}
