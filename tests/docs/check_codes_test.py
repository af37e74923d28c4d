#!/usr/bin/env python3
"""Tests of check_codes.py."""
import pathlib
import tempfile
import unittest

import check_codes


class CheckCodes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        (self.root / "src").mkdir()
        (self.root / "docs").mkdir()

    def write(self, name, text):
        (self.root / name).write_text(text)

    def test_accepts_a_code_that_a_table_explains(self):
        self.write("src/a.cpp", 'return fail("JSON_EMPTY", "…");')
        self.write("docs/errors.md", "| code | cause |\n|---|---|\n| `JSON_EMPTY` | nothing there |\n")
        self.assertEqual(check_codes.check(self.root), [])

    def test_finds_a_code_that_is_only_mentioned_in_passing(self):
        self.write("src/a.cpp", 'return fail("JSON_EMPTY", "…");')
        self.write("docs/errors.md", "See `JSON_EMPTY`.\n")
        self.assertEqual(check_codes.check(self.root), ["src/a.cpp: JSON_EMPTY is explained on no page of docs/"])

    def test_finds_an_explanation_of_a_code_that_is_gone(self):
        self.write("src/a.cpp", 'return fail("JSON_EMPTY", "…");')
        self.write("docs/errors.md", "| `JSON_EMPTY` | x |\n| `JSON_GONE` | y |\n")
        self.assertEqual(check_codes.check(self.root), ["docs/errors.md: JSON_GONE is in no source"])

    def test_passes_over_tests_and_words_that_are_no_codes(self):
        self.write("src/a.cpp", 'fail("JSON_EMPTY"); status = "TIMED_OUT";')
        self.write("src/a_test.cpp", 'EXPECT_EQ(code, "MADE_UP");')
        self.write("docs/errors.md", "| `JSON_EMPTY` | x |\n")
        self.assertEqual(check_codes.check(self.root), [])

    def test_fails_where_there_are_no_codes(self):
        self.assertEqual(len(check_codes.check(self.root)), 1)


if __name__ == "__main__":
    unittest.main()
