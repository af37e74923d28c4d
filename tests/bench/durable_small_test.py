#!/usr/bin/env python3
"""Runs every benchmark of the server at one hundredth of its size, without the peer.

    durable_small_test.py BENCH_DURABLE BINARIES

Bounds are loose on purpose: a loaded machine is slow, a broken server is not done at all.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM, BINARIES = sys.argv[1:3]
MEMORY_MB_MAX = 300  # sanitizers take several times what a release does


class DurableSmallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            result = pathlib.Path(folder) / "result.json"
            subprocess.run([sys.executable, "-B", PROGRAM, "--scale", "0.01", "--seconds", "0.3", "--rounds", "1", "--no-peer",
                            "--data", folder, "--json", result], check=True, stdout=subprocess.DEVNULL,
                           env={**os.environ, "PAWL_BINARIES": BINARIES})
            cls.result = json.loads(result.read_text())

    def measured(self, name):
        return self.result["measured"][name]["pawl"][0]

    def test_every_claim_has_a_row(self):
        self.assertEqual(len(self.result["rows"]), 16)

    def test_rates_are_counted(self):
        for name in ("starts", "alone", "tasks", "express", "functions", "functions-alone"):
            self.assertGreater(self.measured(name)["rate"], 10, name)

    def test_a_rate_with_many_closed_executions_is_no_fraction_of_that_without(self):
        self.assertGreater(self.measured("closed")["after"], self.measured("closed")["before"] / 10)

    def test_no_sleeper_wakes_early_and_all_wake(self):
        self.assertEqual(self.measured("sleepers")["early"], 0)
        self.assertGreater(self.measured("sleepers")["drained"], 10)

    def test_each_event_reaches_the_execution_that_waits_for_it_once(self):
        self.assertTrue(self.measured("events")["exactly_once"])
        self.assertGreater(self.measured("events")["rate"], 10)

    def test_memory_stays_small(self):
        self.assertLess(self.measured("idle")["rss_mb"], MEMORY_MB_MAX)
        self.assertLess(self.measured("sleepers")["peak_rss_mb"], MEMORY_MB_MAX)
        self.assertLess(self.measured("suspended")["rss_mb"], MEMORY_MB_MAX)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
