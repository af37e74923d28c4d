#!/usr/bin/env python3
"""Tests how bench/run compares two engines, with programs that print made-up results."""
import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import tempfile
import unittest

RUNNER = pathlib.Path(__file__).resolve().parents[2] / "bench/run"
loader = importlib.machinery.SourceFileLoader("bench_run", str(RUNNER))
bench_run = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench_run", loader))
loader.exec_module(bench_run)

ONE_EXECUTION = '{"executions":1,"seconds":1,"cpu_seconds":1,"output":%s}'
CASE = ("chain", "a chain", {}, 10, 10)


class BenchRunTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def engine(self, name, printed):
        program = self.folder / name
        program.write_text(f"#!/bin/sh\necho '{printed}'\n")
        program.chmod(0o755)
        return [str(program)]

    def rates(self, ours, theirs):
        sides = {"pawl": self.engine("ours", ours), "peer": self.engine("theirs", theirs)}
        return bench_run.run_rounds(CASE, sides, seconds=1, rounds=3)

    def test_executions_a_second_are_taken_from_each_side(self):
        rates = self.rates('{"executions":100,"seconds":2,"cpu_seconds":1,"output":1}',
                           '{"executions":10,"seconds":1,"cpu_seconds":1,"output":1}')
        self.assertEqual(rates, {"pawl": [(50, 100)] * 3, "peer": [(10, 10)] * 3})

    def test_different_outputs_are_refused(self):
        with self.assertRaisesRegex(SystemExit, "different outputs"):
            self.rates(ONE_EXECUTION % 1, ONE_EXECUTION % 2)

    def test_a_machine_that_enters_other_states_than_told_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "enters 9.0 states"):
            self.rates(ONE_EXECUTION % '1,"transitions":9', ONE_EXECUTION % 1)

    def test_the_ratio_is_that_of_the_medians_and_its_range_that_of_the_rounds(self):
        ours, theirs = [(100, 200), (300, 300), (200, 400)], [(10, 10), (10, 20), (40, 40)]
        rounds = {"pawl": [bench_run.Round(*pair) for pair in ours], "peer": [bench_run.Round(*pair) for pair in theirs]}
        row = bench_run.summarize(CASE, rounds)
        self.assertEqual((row["ratio"], row["ratio_min"], row["ratio_max"], row["cpu_ratio"]), (20, 5, 30, 15))
        self.assertEqual(row["transitions_per_second"], {"pawl": 2000, "peer": 100})

    @staticmethod
    def jq_times(**libjq):
        times = {("compile/" if name.startswith("JqCompile") else "evaluate/") + name: 10.0 for name, _, _ in bench_run.JQ_CASES}
        return times | {f"evaluate_in_libjq/{name}": time for name, time in libjq.items()}

    def test_the_times_of_jq_are_the_medians_of_what_was_measured(self):
        def one(name, time, unit="ns", **more):
            return {"run_name": name, "run_type": "iteration", "cpu_time": time, "time_unit": unit, **more}
        times = bench_run.jq_times([one("a", 3), one("a", 1), one("a", 2), one("b", 1, "us"), one("c", 0, error_occurred=True),
                                    {**one("a", 99), "run_type": "aggregate"}])
        self.assertEqual(times, {"a": 2, "b": 1000})

    def test_a_jq_program_is_compared_with_libjq(self):
        rows = bench_run.summarize_jq(self.jq_times(JqEqualOnKilobyte=45.0))
        row = next(row for row in rows if row["name"] == "JqEqualOnKilobyte")
        self.assertEqual((row["ns"], row["ratio"], row["target"]), ({"pawl": 10, "libjq": 45}, 4.5, 1))

    def test_without_libjq_pawl_is_measured_alone_and_that_is_said(self):
        rows = bench_run.summarize_jq(self.jq_times())
        told, table = io.StringIO(), io.StringIO()
        with contextlib.redirect_stderr(told), contextlib.redirect_stdout(table):
            bench_run.print_jq_table(rows, 3)
        self.assertIn("libjq is missing", told.getvalue())
        self.assertIn("| `.a.b == 3` on 1 KiB | 10 | not measured |", table.getvalue())


if __name__ == "__main__":
    unittest.main()
