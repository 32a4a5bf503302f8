#!/bin/bash
# test.sh: builds and runs every test: unit and end-to-end with the static binary and under ASan and UBSan,
# and the rooms with threads under TSan. All suites run, even after one has failed. Ends with ctest's summary
# and the totals of all suites, "N passed, M failed", counted in test cases (see test_totals.py).
#
#     test.sh [SUITE...]    a part of it: musl, asan, tsan
. "$(dirname "$0")/lib.sh"

threadedRooms=(cache coro io pageviews process)
results=$root/build/test-results
failed=()

main() {
    [ $# -gt 0 ] || set -- musl asan tsan
    PYTHONDONTWRITEBYTECODE=1 python3 "$packaging/test_totals_test.py" --quiet
    rm -rf "$results"
    mkdir -p "$results"
    local suite
    for suite in "$@"; do "suite_$suite"; done
    [ ${#failed[@]} -eq 0 ] || say "failed: ${failed[*]}"
    python3 "$packaging/test_totals.py" "$results"/*.xml || exit 1
    [ ${#failed[@]} -eq 0 ]
}

suite_musl() { buildAndRun musl all; }

suite_asan() { buildAndRun asan all; }

suite_tsan() {
    local rooms
    rooms=$(IFS='|'; echo "${threadedRooms[*]}")
    buildAndRun tsan "${threadedRooms[*]/#/test_}" -R "^unit/($rooms)\$"
}

# buildAndRun PRESET TARGETS CTEST-OPTION...
buildAndRun() {
    local preset=$1 targets=$2
    shift 2
    say "== $preset"
    # shellcheck disable=SC2086 # the targets are words
    "$packaging/build.sh" "$preset" $targets || { failed+=("$preset (build)"); return 0; }
    (cd "$root/build/$preset" && ctest --output-on-failure --no-tests=error --test-output-size-passed 1000000 \
        --timeout 300 --output-junit "$results/$preset.xml" "$@") || failed+=("$preset")
}

export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_stack_use_after_return=1:strict_string_checks=1:check_initialization_order=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1:halt_on_error=1}
export TSAN_OPTIONS=${TSAN_OPTIONS:-halt_on_error=1:second_deadlock_stack=1}
export ASAN_SYMBOLIZER_PATH=${ASAN_SYMBOLIZER_PATH:-$(command -v llvm-symbolizer-19 || true)}
main "$@"
