#!/usr/bin/env python3
"""The judge of the crash test of durable functions finds each thing that must not happen."""
import copy
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from judge import find_violations  # noqa: E402

RESULT = {"doubled": 14, "paid": "paid", "answer": "m1", "tries": 2, "items": [71, 72, 73]}
EVENTS = [{"EventId": i + 1, "EventType": kind, "Id": entry, "EventTimestamp": stamp} for i, (kind, entry, stamp) in enumerate([
    ("ExecutionStarted", "e", 1), ("WaitStarted", "w", 2.0), ("WaitSucceeded", "w", 3.0), ("StepSucceeded", "s", 4), ("ExecutionSucceeded", "e", 5)])]
DEEDS = [{"n": 7, "deed": deed} for deed in ("charge", "pay", "double", "ask", "flaky", "flaky", "ship-1", "ship-2", "ship-3")]


class Judge(unittest.TestCase):
    def setUp(self):
        self.starts = {7: "n7"}
        self.ends = {7: {"status": "SUCCEEDED", "result": copy.deepcopy(RESULT), "events": copy.deepcopy(EVENTS)}}
        self.deeds = copy.deepcopy(DEEDS)
        self.answers = {7: [("m1", "ok")]}
        self.notes = set()

    def found(self):
        return find_violations(self.starts, self.ends, self.deeds, self.answers, self.notes)

    def assert_found(self, words):
        self.assertTrue(any(words in problem for problem in self.found()), self.found())

    def test_accepts_what_went_well(self):
        self.assertEqual(self.found(), [])

    def test_accepts_steps_that_ran_twice(self):
        self.deeds.append({"n": 7, "deed": "charge"})
        self.assertEqual(self.found(), [])

    def test_accepts_an_interrupted_step_that_runs_at_most_once(self):
        self.ends[7]["result"]["paid"] = "interrupted"
        self.assertEqual(self.found(), [])

    def test_finds_a_lost_execution(self):
        self.ends = {}
        self.assert_found("gone")

    def test_finds_a_failed_execution(self):
        self.ends[7]["status"] = "FAILED"
        self.assert_found("ended as FAILED")

    def test_finds_a_wrong_result(self):
        self.ends[7]["result"]["items"] = [71, 73]
        self.assert_found("its result is")

    def test_finds_a_step_that_never_ran(self):
        self.deeds = [deed for deed in self.deeds if deed["deed"] != "ship-2"]
        self.assert_found("ship-2 never ran")

    def test_finds_an_accepted_call_that_was_never_made(self):
        self.notes = {7}
        self.assert_found("accepted and never made")
        self.deeds.append({"n": 7, "deed": "note"})
        self.assertEqual(self.found(), [])

    def test_finds_a_step_that_ran_more_than_once(self):
        self.deeds.append({"n": 7, "deed": "pay"})
        self.assert_found("ran 2 times")

    def test_finds_a_step_that_is_done_without_having_run(self):
        self.deeds = [deed for deed in self.deeds if deed["deed"] != "pay"]
        self.assert_found("never ran")

    def test_finds_an_answer_that_was_not_accepted(self):
        self.answers[7] = [("m1", "lost"), ("m2", "ok")]
        self.assert_found("its callback was answered with m1")

    def test_finds_a_retry_that_was_lost(self):
        self.deeds = [deed for deed in self.deeds if deed["deed"] != "flaky"] + [{"n": 7, "deed": "flaky"}]
        self.assert_found("did not run again")

    def test_finds_a_checkpoint_that_counted_twice(self):
        self.ends[7]["events"].insert(4, {**EVENTS[3], "EventId": 5})
        self.assert_found("stands 2 times")

    def test_finds_a_timer_that_fired_early(self):
        self.ends[7]["events"][2]["EventTimestamp"] = 2.5
        self.assert_found("ended early")

    def test_finds_a_gap_in_the_history(self):
        del self.ends[7]["events"][3]
        self.assert_found("gaps")


if __name__ == "__main__":
    unittest.main()
