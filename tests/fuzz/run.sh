#!/bin/sh
# Runs every fuzz target for some seconds each: tests/fuzz/run.sh BUILD_DIRECTORY [SECONDS] [TARGET...]
# New inputs are kept beside the build; a finding ends the run and leaves its input there (crash-...).
set -eu
build=$1
seconds=${2:-60}
[ $# -gt 2 ] && shift 2 || shift $#
here=$(cd "$(dirname "$0")" && pwd)
programs=$(find "$build/tests/fuzz" -maxdepth 1 -name 'fuzz_*' -type f -perm -u+x | sort)
[ -n "$programs" ] || { echo "no fuzz programs in $build: configure it with -DATOLL_FUZZ=ON" >&2; exit 1; }
for program in $programs; do
    name=${program##*/fuzz_}
    if [ $# -gt 0 ]; then
        case " $* " in *" $name "*) ;; *) continue ;; esac
    fi
    found="$build/tests/fuzz/found/$name"
    mkdir -p "$found"
    case $name in ssi_*) dict=ssi.dict ;; *) dict=http.dict ;; esac
    echo "fuzz $name: $seconds s"
    "$program" -max_total_time="$seconds" -max_len=1024 -dict="$here/$dict" -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
        -artifact_prefix="$found/" "$found" "$here/corpus/$name" >"$found.log" 2>&1 || {
        tail -n 40 "$found.log" >&2
        exit 1
    }
    grep -E 'stat::number_of_executed_units|stat::average_exec_per_sec' "$found.log"
done
