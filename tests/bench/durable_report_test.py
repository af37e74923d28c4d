#!/usr/bin/env python3
"""Tests what bench/durable makes of made-up rounds."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from durable_run import report  # noqa: E402


def rounds(*rates, p99=5.0):
    return [{"rate": rate, "p50_ms": 1.0, "p99_ms": p99} for rate in rates]


class DurableReportTest(unittest.TestCase):
    def test_the_median_of_the_rounds_counts(self):
        row = report.starts_rows(rounds(1, 20_000, 30_000), rounds(10, 1_000, 2_000))[0]
        self.assertTrue(row.reached)
        self.assertEqual(row.ratio, 20)

    def test_a_slow_tail_misses_the_target(self):
        self.assertFalse(report.starts_rows(rounds(20_000, p99=21), [])[0].reached)

    def test_one_at_a_time_is_judged_by_the_disk(self):
        for p50, reached in ((1.5, True), (1.6, False)):
            row = report.alone_rows([{"p50_ms": p50, "sync_ms": 0.4}], [])[0]
            self.assertEqual(row.reached, reached, p50)

    def test_a_slower_start_with_many_closed_executions_misses(self):
        for change, reached in ((-0.14, True), (-0.16, False), (0.3, True)):
            row = report.closed_rows([{"count": 1, "before": 1, "after": 1, "change": change, "cpu_change": 0}], [])[0]
            self.assertEqual(row.reached, reached, change)

    def test_a_sleeper_that_wakes_early_misses(self):
        measured = {"count": 1, "rss_mb": 20, "rss_restarted_mb": 20, "peak_rss_mb": 30, "restart_s": 0.1, "drained": 30_000, "early": 1}
        self.assertFalse(report.sleepers_rows([measured], [])[2].reached)

    def test_events_that_do_not_reach_each_once_or_slow_down_with_those_that_wait_miss(self):
        measured = {"waiting": 9, "rate": 6_000, "cpu_us": 50, "few": 1, "many": 9, "before": 9_000, "after": 8_000, "change": -0.11,
                    "cpu_change": 0, "exactly_once": True}
        self.assertEqual([row.reached for row in report.events_rows([measured], [])], [True, True])
        self.assertFalse(report.events_rows([{**measured, "exactly_once": False}], [])[0].reached)
        self.assertFalse(report.events_rows([{**measured, "change": -0.26}], [])[1].reached)

    def test_without_a_peer_there_is_no_ratio(self):
        self.assertNotIn("×", report.table(report.express_rows(rounds(1), [])))


if __name__ == "__main__":
    unittest.main()
