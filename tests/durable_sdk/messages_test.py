#!/usr/bin/env python3
"""Compiles wrong durable functions and looks for a sentence that a person can read among the compiler's messages.

    messages_test.py ROOT COMPILER
"""
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(sys.argv[1])
COMPILER = sys.argv[2]

PROGRAM = """
#include "pawl/durable.h"
namespace durable = pawl::durable;
struct Opaque { int* pointer; };
%s
"""


def messages_of(code):
    command = [COMPILER, "-std=c++20", "-fsyntax-only", f"-I{ROOT}/include", "-x", "c++", "-"]
    result = subprocess.run(command, input=PROGRAM % code, text=True, capture_output=True)
    return result.returncode, result.stderr


class Messages(unittest.TestCase):
    def expect(self, sentence, code):
        status, text = messages_of(code)
        self.assertNotEqual(status, 0, "it compiled")
        self.assertIn(sentence, text)

    # Spec: 11.1.3, 9.1.4
    def test_a_step_that_gives_what_cannot_be_kept(self):
        self.expect("cannot be kept in a checkpoint. List its fields with PAWL_DURABLE_FIELDS(Type, field, ...)",
                    "durable::Task<void> f(durable::Context& ctx) { co_await ctx.step(\"s\", [] { return Opaque(); }); }")

    def test_a_step_that_is_a_coroutine(self):
        self.expect("the body of a step is a plain function; for a coroutine use run_in_child_context",
                    "durable::Task<void> f(durable::Context& ctx) { auto s = ctx.step(\"s\", []() -> durable::Task<int> { co_return 1; }); co_return; }")

    def test_a_handler_that_gives_what_cannot_be_kept(self):
        self.expect("cannot be kept in a checkpoint", "durable::Task<Opaque> f(durable::Context&); durable::Handler handler(f);")

    # Spec: 11.1.1-2
    def test_the_rest_compiles(self):
        status, text = messages_of("durable::Task<int> f(durable::Context& ctx) { co_return co_await ctx.step(\"s\", [] { return 1; }); }\n"
                                   "durable::Handler handler(f);")
        self.assertEqual(status, 0, text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
