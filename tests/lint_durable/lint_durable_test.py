#!/usr/bin/env python3
"""`pawl lint-durable` finds what its test files say that it finds, and nothing else.

    lint_durable_test.py PAWL INCLUDE_FOLDER
"""
import json
import pathlib
import re
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PAWL, INCLUDE = sys.argv.pop(1), sys.argv.pop(1)


def lint(*words):
    return subprocess.run([PAWL, "lint-durable", *map(str, words)], capture_output=True, text=True, timeout=300, check=False)


def expected_in(path):
    lines = path.read_text().splitlines()
    return [(number, found.group(1)) for number, line in enumerate(lines, 1) if (found := re.search(r"// (DURABLE_\w+)$", line))]


class LintDurable(unittest.TestCase):
    # Spec: 2.5.4, 14.3.5
    def test_finds_each_line_that_is_wrong(self):
        done = lint(HERE / "wrong.cpp", "--flag", f"-I{INCLUDE}", "--json")
        found = [(finding["line"], finding["code"]) for finding in json.loads(done.stdout)]
        self.assertEqual(sorted(found), sorted(expected_in(HERE / "wrong.cpp")), done.stderr)
        self.assertEqual(done.returncode, 1)

    def test_has_nothing_to_say_about_steps(self):
        done = lint(HERE / "right.cpp", "--flag", f"-I{INCLUDE}")
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_says_why_code_cannot_be_read(self):
        done = lint(HERE / "right.cpp")
        self.assertEqual(done.returncode, 2)
        self.assertIn("LINT_DURABLE_NOT_COMPILED", done.stderr)
        self.assertIn("pawl/durable.h", done.stderr)


if __name__ == "__main__":
    unittest.main()
