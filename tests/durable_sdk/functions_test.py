#!/usr/bin/env python3
"""A program that holds several durable functions is the one that it is asked to be.

    functions_test.py PROGRAM    where PROGRAM serves the functions of the conformance cases
"""
import os
import subprocess
import sys
import unittest

PROGRAM = sys.argv[1]


def run(*arguments, **environment):
    inherited = {name: value for name, value in os.environ.items() if name not in ("_HANDLER", "AWS_LAMBDA_FUNCTION_NAME")}
    return subprocess.run([PROGRAM, *arguments], env={**inherited, **environment}, text=True, capture_output=True, timeout=60)


class Functions(unittest.TestCase):
    def test_the_command_line_names_the_function(self):
        done = run("--local", "--function", "case-1-1", "--input", '"World"')
        self.assertEqual((done.returncode, done.stdout), (0, '"Hello, World!"\n'))

    def test_the_name_of_the_function_does(self):
        done = run("--local", AWS_LAMBDA_FUNCTION_NAME="case-1-3")
        self.assertEqual((done.returncode, done.stdout), (0, '"first_second"\n'))

    def test_the_configured_handler_comes_before_the_name(self):
        done = run("--local", _HANDLER="case-1-3", AWS_LAMBDA_FUNCTION_NAME="case-1-5")
        self.assertEqual((done.returncode, done.stdout), (0, '"first_second"\n'))

    def test_a_handler_that_names_none_does_not_count(self):
        done = run("--local", _HANDLER="bootstrap", AWS_LAMBDA_FUNCTION_NAME="case-1-3")
        self.assertEqual((done.returncode, done.stdout), (0, '"first_second"\n'))

    def test_without_a_function_it_tells_which_there_are(self):
        done = run("--local", "--function", "nobody")
        self.assertEqual(done.returncode, 2)
        self.assertIn("  case-1-1\n", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
