#!/usr/bin/env python3
"""What nobody should give the command, and someone will: each gets an error with a code, soon, in bounded memory."""
import json
import resource
import subprocess
import unittest

import command
from command import machine

SECONDS_MAX = 1.0  # of the processor: the machine may be busy with other things
MEMORY_BYTES_MAX = 1 << 30

PASS = machine(("A", {"Type": "Pass"}))


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES_MAX, MEMORY_BYTES_MAX))


class BadInput(command.CommandTest):
    def setUp(self):
        super().setUp()
        self.flow = self.write("flow.asl.json", PASS)

    def soon(self, *arguments, memory=True, **options):
        """Runs the command and checks that it took at most a second of the processor."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        if memory and not command.is_sanitized():
            options["preexec_fn"] = limit_memory
        done = self.pawl(*arguments, **options)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if not command.is_sanitized():
            self.assertLess(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, SECONDS_MAX)
        self.assertIn(done.returncode, (0, 1, 2), done.stderr[-2000:])
        return done

    def soon_refused(self, code, *arguments, **options):
        done = self.soon(*arguments, **options)
        self.assertEqual((done.returncode, done.stdout), (2, b""), done.stderr[-2000:])
        self.assertIn(code, done.stderr.decode())

    def test_deep_nesting(self):
        deep = b"[" * 100_000 + b"]" * 100_000
        self.soon_refused("JSON_TOO_DEEP", "run", self.flow, "--input", "-", stdin=deep)
        definition = self.write("deep.json", b'{"StartAt":' + deep + b"}")
        self.soon_refused("JSON_TOO_DEEP", "run", definition)
        self.assertEqual(self.soon("lint", definition).returncode, 2)
        self.assertEqual(self.soon("lint", self.write("deep.yaml", b"a: " + deep)).returncode, 2)

    def test_machines_within_machines(self):
        inner = PASS
        for _ in range(100):
            inner = {"StartAt": "P", "States": {"P": {"Type": "Parallel", "Branches": [inner], "End": True}}}
        self.soon("run", self.write("nested.json", inner))

    def test_a_hundred_megabytes_are_refused_unread(self):
        huge = self.write("huge.json", b"")
        with open(huge, "r+b") as file:
            file.truncate(100 * 1024 * 1024)
        self.soon_refused("INPUT_TOO_LARGE", "run", self.flow, "--input", "@huge.json")
        with open(huge, "rb") as file:
            self.soon_refused("INPUT_TOO_LARGE", "run", self.flow, "--input", "-", stdin=file)
        self.soon_refused("FILE_TOO_LARGE", "run", huge)
        self.soon_refused("FILE_TOO_LARGE", "lint", huge)

    def test_a_stream_without_an_end_is_refused(self):
        endless = subprocess.Popen(["yes", "[1,"], stdout=subprocess.PIPE)
        self.addCleanup(endless.wait)
        self.addCleanup(endless.kill)
        self.addCleanup(endless.stdout.close)
        self.soon_refused("INPUT_TOO_LARGE", "run", self.flow, "--input", "-", stdin=endless.stdout)

    @unittest.skipIf(command.is_sanitized(), "a sanitizer makes the memory many times larger")
    def test_a_hundred_megabytes_are_accepted_where_the_limit_is_raised(self):
        item = '"' + "x" * 1000 + '"'
        self.write("big.json", "[" + ",".join([item] * 100_000) + "]")
        done = self.pawl("run", self.flow, "--input", "@big.json", "--max-payload", "200000000")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(len(done.stdout), 100_000_000)

    def test_a_number_of_a_thousand_digits_is_kept(self):
        number = b"-" + b"1234567890" * 100
        self.assertEqual(self.soon("run", self.flow, "--input", "-", stdin=number).stdout.strip(), number)

    def test_a_map_over_ten_million_items(self):
        items = {"StartAt": "P", "States": {"P": {"Type": "Pass", "End": True}}}
        flow = self.write("map.json", machine(("M", {"Type": "Map", "Iterator": items})))
        self.write("items.json", "[" + ",".join(["0"] * 10_000_000) + "]")
        self.soon_refused("INPUT_TOO_LARGE", "run", flow, "--input", "@items.json")

    @unittest.skipIf(command.is_sanitized(), "a sanitizer makes the memory many times larger")
    def test_a_map_over_ten_million_items_that_the_limit_allows_ends_at_the_events(self):
        items = {"StartAt": "P", "States": {"P": {"Type": "Pass", "End": True}}}
        flow = self.write("map.json", machine(("M", {"Type": "Map", "Iterator": items})))
        self.write("items.json", "[" + ",".join(["0"] * 10_000_000) + "]")
        done = self.pawl("run", flow, "--input", "@items.json", "--max-payload", "100000000", preexec_fn=limit_memory)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(json.loads(done.stdout)["error"], "States.Runtime")

    def test_a_loop_without_an_end_ends_at_the_events(self):
        loop = {"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "B"}, "B": {"Type": "Choice", "Choices": [
            {"Variable": "$.x", "IsPresent": True, "Next": "C"}], "Default": "A"}, "C": {"Type": "Succeed"}}}
        flow = self.write("loop.json", loop)
        done = self.soon("run", flow)
        self.assertEqual(done.returncode, 1)
        failure = json.loads(done.stdout)
        self.assertEqual(failure["error"], "States.Runtime")
        self.assertIn("history", failure["cause"])
        done = self.soon("run", flow, "--max-events", "100", "--history")
        self.assertEqual(len(done.stdout.splitlines()), 101)
        self.refused("USAGE", "run", flow, "--max-events", "0")

    def test_a_path_of_a_megabyte(self):
        path = "$" + ".a" * 500_000
        flow = self.write("path.json", machine(("A", {"Type": "Pass", "InputPath": path})))
        self.assertEqual(self.soon("run", flow).returncode, 2)
        long = "$." + "a" * 100_000
        self.soon_refused("JSONPATH_TOO_LONG", "eval", "jsonpath", long, "--input", "{}")

    def test_a_state_that_is_its_own_next(self):
        flow = self.write("cycle.json", {"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "A"}}})
        self.soon_refused("ASL_", "run", flow)

    def test_invalid_utf8(self):
        self.soon_refused("JSON_INVALID_UTF8", "run", self.flow, "--input", "-", stdin=b'"\xff"')
        self.soon_refused("JSON_INVALID_UTF8", "run", self.write("utf.json", b'{"StartAt":"\xc3"}'))
        self.assertEqual(self.soon("lint", self.write("utf.yaml", b"StartAt: \xff\xfe\n")).returncode, 2)
        self.assertEqual(self.soon("test", self.write("t.json", b'{"cases":"\xff"}')).returncode, 2)

    def test_an_empty_file(self):
        empty = self.write("empty.json", b"")
        self.assertEqual(self.soon("run", empty).returncode, 2)
        self.assertEqual(self.soon("lint", empty).returncode, 2)
        self.assertEqual(self.soon("graph", empty).returncode, 2)
        self.assertEqual(self.soon("test", empty).returncode, 2)
        self.soon_refused("JSON_EMPTY", "run", self.flow, "--input", "@empty.json")
        self.soon_refused("JSON_EMPTY", "run", self.flow, "--input", "")
        self.assertEqual(self.soon("run", self.flow, "--mocks", "empty.json").returncode, 2)
        self.assertEqual(self.soon("run", self.flow, "--tasks", "empty.json").returncode, 2)

    def test_ten_thousand_states(self):
        states = [(f"S{i}", {"Type": "Pass"}) for i in range(10_000)]
        self.assertEqual(self.soon("run", self.write("long.json", machine(*states))).returncode, 0)

    def test_aliases_that_would_fill_the_memory(self):
        bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n" + "".join(f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 12))
        self.assertEqual(self.soon("lint", self.write("bomb.yaml", bomb)).returncode, 2)


if __name__ == "__main__":
    command.main()
