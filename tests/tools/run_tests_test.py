#!/usr/bin/env python3
"""Tests how tools/run-tests counts the cases of ctest's summary and GoogleTest's reports."""
import importlib.machinery
import importlib.util
import pathlib
import unittest
import xml.etree.ElementTree as ElementTree

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/run-tests"
loader = importlib.machinery.SourceFileLoader("run_tests", str(TOOL))
run_tests = importlib.util.module_from_spec(importlib.util.spec_from_loader("run_tests", loader))
loader.exec_module(run_tests)

REPORT = """<testsuites><testsuite>
  <testcase name="A" classname="S" status="run" result="completed"/>
  <testcase name="B" classname="S" status="run" result="skipped"/>{more}
</testsuite></testsuites>"""
FAILED_CASE = '<testcase name="C" classname="S" status="run" result="completed"><failure/></testcase>'


def report(more=""):
    return ElementTree.fromstring(REPORT.format(more=more))


class TallyTest(unittest.TestCase):
    def tally(self, outcome, its_report):
        tally = run_tests.Tally()
        tally.add_program("module", outcome, its_report)
        return tally.passed, tally.failed, tally.skipped

    def test_each_case_of_a_report_counts(self):
        self.assertEqual(self.tally("run", report()), (1, [], 1))

    def test_a_failed_case_is_named(self):
        self.assertEqual(self.tally("fail", report(FAILED_CASE)), (1, ["module: S.C"], 1))

    def test_a_program_that_failed_after_its_cases_passed_is_a_failure(self):
        self.assertEqual(self.tally("fail", report()), (1, ["module"], 1))

    def test_a_program_without_a_report_counts_as_one(self):
        self.assertEqual(self.tally("run", None), (1, [], 0))
        self.assertEqual(self.tally("fail", None), (0, ["module"], 0))
        self.assertEqual(self.tally("notrun", None), (0, [], 1))


if __name__ == "__main__":
    unittest.main()
