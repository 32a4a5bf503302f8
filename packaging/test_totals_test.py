"""Checks the counting of test_totals.py; test.sh runs it before it trusts the totals."""

import unittest
import xml.etree.ElementTree

from test_totals import count


def case(status, output=""):
    element = xml.etree.ElementTree.Element("testcase", status=status)
    xml.etree.ElementTree.SubElement(element, "system-out").text = output
    return element


class Counting(unittest.TestCase):
    def test_a_catch_program_counts_with_its_test_cases(self):
        output = "noise\nAll tests passed (39 assertions in 19 test cases)\n"
        self.assertEqual(count(case("run", output)), (19, 0))

    def test_a_single_test_case_is_one(self):
        self.assertEqual(count(case("run", "All tests passed (1 assertion in 1 test case)")), (1, 0))

    def test_failed_cases_are_told_from_passed_ones(self):
        output = "test cases:  6 |  4 passed | 2 failed\nassertions: 29 | 27 passed | 2 failed\n"
        self.assertEqual(count(case("fail", output)), (4, 2))

    def test_all_failed_leaves_none_passed(self):
        self.assertEqual(count(case("fail", "test cases: 3 | 3 failed\n")), (0, 3))

    def test_a_crash_without_a_closing_line_is_a_failure(self):
        self.assertEqual(count(case("fail", "Segmentation fault")), (0, 1))

    def test_a_failure_after_a_good_closing_line_is_still_a_failure(self):
        output = "All tests passed (39 assertions in 19 test cases)\nERROR: LeakSanitizer: detected memory leaks\n"
        self.assertEqual(count(case("fail", output))[1], 1)

    def test_any_other_test_is_one(self):
        self.assertEqual(count(case("run", "ok")), (1, 0))


if __name__ == "__main__":
    unittest.main()
