#!/usr/bin/env python3
"""Tests of tools/durable-conformance: it notices what rots."""
import importlib.machinery
import importlib.util
import pathlib
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
loader = importlib.machinery.SourceFileLoader("durable_conformance", str(ROOT / "tools/durable-conformance"))
tool = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
loader.exec_module(tool)
tool.EXCEPTIONS = {"9.9": "nothing to show"}


class DurableConformance(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        for name in ("src/sdk", "tests/docs", "docs", "tests/conformance/durable/cases"):
            (self.root / name).mkdir(parents=True)
        self.write(tool.REQUIREMENTS, "# words\n1.1 MUST a\n1.2 SHOULD b\n9.9 SHOULD c\n")
        self.write("src/sdk/x_test.cpp", "// Spec: 1.1-2: both\nTEST(A, DoesB) {}\n")

    def write(self, name, text):
        (self.root / name).write_text(text)

    def run_tool(self, *arguments):
        return tool.main([*arguments, str(self.root)])

    def complaints(self):
        evidence, found = tool.find_evidence(self.root)
        return found + tool.check(tool.read_requirements(self.root), evidence)

    def test_the_page_names_the_test(self):
        self.assertEqual(self.run_tool(), 0)
        self.assertIn("| 1.1 | MUST | a | [`A.DoesB`](../src/sdk/x_test.cpp) |", (self.root / tool.PAGE).read_text())
        self.assertEqual(self.run_tool("--check"), 0)

    def test_an_old_page_is_noticed(self):
        self.run_tool()
        self.write("src/sdk/x_test.cpp", "// Spec: 1.1-2\nTEST(A, DoesC) {}\n")
        self.assertEqual(self.run_tool("--check"), 1)

    def test_a_requirement_that_nothing_shows_is_noticed(self):
        self.write("src/sdk/x_test.cpp", "// Spec: 1.1\nTEST(A, DoesB) {}\n")
        self.assertEqual(self.complaints(), ["1.2 is shown by nothing: b"])

    def test_a_number_that_there_is_not_is_noticed(self):
        self.write("src/sdk/y_test.cpp", "// Spec: 7.7\nTEST(A, DoesC) {}\n")
        self.assertEqual(self.complaints(), ["src/sdk/y_test.cpp: there is no requirement 7.7"])

    def test_a_comment_beside_nothing_is_noticed(self):
        self.write("src/sdk/y_test.cpp", "// Spec: 1.1\n")
        self.assertEqual(self.complaints(), ["src/sdk/y_test.cpp:1: the comment stands beside no test"])

    def test_an_exception_that_is_shown_is_noticed(self):
        self.write("src/sdk/y_test.cpp", "// Spec: 9.9\nTEST(A, DoesC) {}\n")
        self.assertEqual(self.complaints(), ["9.9 is excepted, and shown by `A.DoesC`"])

    def test_cases_and_headings_count(self):
        self.write("src/sdk/x_test.cpp", "")
        self.write("tests/conformance/durable/cases/step.cpp", 'cases.add("1-1", basic);  // Spec: 1.1\n')
        self.write("docs/page.md", "# Page\n## What's there\n<!-- Spec: 1.2 -->\n")
        evidence, _ = tool.find_evidence(self.root)
        self.assertEqual(evidence["1.1"][0][0], "case 1-1")
        self.assertEqual(evidence["1.2"][0][0], "[What's there](page.md#whats-there)")

    def test_the_explanation_is_no_number(self):
        self.assertEqual(tool.numbers_in("1.1, 2.5.1-3: as 4.4 says"), ["1.1", "2.5.1", "2.5.2", "2.5.3"])


if __name__ == "__main__":
    unittest.main()
