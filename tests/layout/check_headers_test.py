#!/usr/bin/env python3
"""Tests the check of the public headers on trees of one header."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(__file__).with_name("check_headers.py")


class CheckHeadersTest(unittest.TestCase):
    def judge(self, header_text):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "include/pawl").mkdir(parents=True)
            if header_text is not None:
                (root / "include/pawl/thing.h").write_text(header_text)
            return subprocess.run([sys.executable, CHECKER, root, "g++"], capture_output=True, text=True)

    def test_a_header_that_includes_what_it_uses_passes(self):
        self.assertEqual(self.judge("#pragma once\n#include <string>\nstd::string name();\n").returncode, 0)

    def test_a_header_that_leans_on_another_fails(self):
        result = self.judge("#pragma once\nstd::string name();\n")
        self.assertEqual(result.returncode, 1)
        self.assertIn("include/pawl/thing.h does not compile alone", result.stdout)

    def test_a_header_that_needs_a_later_standard_fails(self):
        self.assertEqual(self.judge("#pragma once\n#include <expected>\nstd::expected<int, int> f();\n").returncode, 1)

    def test_a_header_that_may_not_be_included_twice_fails(self):
        self.assertEqual(self.judge("struct Thing {};\n").returncode, 1)

    def test_no_header_at_all_fails(self):
        self.assertEqual(self.judge(None).returncode, 1)


if __name__ == "__main__":
    unittest.main()
