"""test_totals.py FILE...: prints the totals over ctest's JUnit files, and exits 1 if anything failed.

A program of Catch2 counts with its test cases, as its own closing line says; one that ended without that
line (a crash, a time-out) or failed counts as at least one failure. Any other test counts as one.
"""

import re
import sys
import xml.etree.ElementTree

ALL_PASSED = re.compile(r"^All tests passed \(\d+ assertions? in (\d+) test cases?\)", re.M)
SOME_FAILED = re.compile(r"^test cases:\s*(\d+) \|(.*)$", re.M)


def count(case):
    """The passed and failed test cases of one ctest test."""
    ended_well = case.get("status") == "run"
    output = case.findtext("system-out") or ""
    if ended_well:
        match = ALL_PASSED.search(output)
        return (int(match[1]) if match else 1), 0
    match = SOME_FAILED.search(output)
    if not match:
        return 0, 1
    failed = re.search(r"(\d+) failed(?! as expected)", match[2])
    failures = max(1, int(failed[1]) if failed else 0)
    return int(match[1]) - failures, failures


def main(files):
    passed = failed = 0
    for name in files:
        for case in xml.etree.ElementTree.parse(name).iter("testcase"):
            if case.get("status") in ("disabled", "notrun"):
                failed += 1  # a test that was asked for and did not run proves nothing
                continue
            good, bad = count(case)
            passed += good
            failed += bad
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
