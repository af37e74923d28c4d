#!/usr/bin/env python3
"""`pawl test`: a user's own cases."""
import json
import xml.etree.ElementTree

import command
from command import machine, task

FLOW = machine(task("Pay", Retry=[{"ErrorEquals": ["Busy"], "IntervalSeconds": 5, "MaxAttempts": 1}]), ("Done", {"Type": "Pass"}))
BUSY_ONCE = {"Pay": [{"throw": {"error": "Busy", "cause": "c"}}, {"return": {"ok": True}}]}
GOOD = {"name": "paid after a retry", "cites": "here", "input": {"n": 1}, "mocks": BUSY_ONCE,
        "expect": {"output": {"ok": True}, "path": ["Pay", "Done"], "elapsed": 5, "task_inputs": {"Pay": [{"n": 1}, {"n": 1}]},
                   "state_inputs": {"Done": [{"ok": True}]}, "state_outputs": {"Done": [{"ok": True}]}}}


class Test(command.CommandTest):
    def cases(self, *cases, name="flow.test.json", **fields):
        return self.write(name, {"definition": FLOW, "cases": list(cases), **fields})

    def failing(self, expect, **fields):
        """What a case says that expects something else than it gets."""
        done = self.pawl("test", self.cases({**GOOD, "expect": expect, **fields}))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        return done.stdout.decode()

    def test_a_case_that_holds_passes(self):
        done = self.pawl("test", self.cases(GOOD))
        self.assertEqual((done.returncode, done.stderr), (0, b""), done.stdout)
        self.assertIn(b"1 case in 1 file: 1 passed\n", done.stdout)

    def test_each_expectation_can_fail(self):
        self.assertIn('output /ok: expected 1, got true', self.failing({"output": {"ok": 1}}))
        self.assertIn('status: expected "FAILED", got "SUCCEEDED"', self.failing({"error": "E"}))
        self.assertIn("they part at 1", self.failing({"path": ["Pay", "Other"]}))
        self.assertIn("elapsed: expected 6, got 5", self.failing({"elapsed": 6}))
        self.assertIn("task_inputs of 'Pay'", self.failing({"task_inputs": {"Pay": []}}))
        self.assertIn("state_inputs of 'Done'", self.failing({"state_inputs": {"Done": [1]}}))
        self.assertIn("state_outputs of 'Done'", self.failing({"state_outputs": {"Done": [1]}}))
        self.assertIn("events: they part at 0", self.failing({"events": ["Nothing"]}))
        self.assertIn("history_ids: they part at 1", self.failing({"history_ids": [[1, 0], [2, 1]]}))
        self.assertIn("output_text", self.failing({"output_text": '{"ok": true}'}))
        self.assertIn("diagnostics", self.failing({"diagnostics": ["ASL_X"]}))
        self.assertIn("warnings", self.failing({"warnings": ["ASL_X"]}))

    def test_failures_are_judged_by_error_and_cause(self):
        busy = {"Pay": [{"throw": {"error": "Busy", "cause": "all lines"}, "times": 2}]}
        done = self.pawl("test", self.cases({**GOOD, "mocks": busy, "expect": {"error": "Busy", "cause_contains": "lines"}}))
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn('error: expected "Other", got "Busy"', self.failing({"error": "Other"}, mocks=busy))
        self.assertIn("cause: expected a text with", self.failing({"cause_contains": "rows"}, mocks=busy))
        self.assertIn("the execution's error", self.failing({"output": 1}, mocks=busy))

    def test_a_missing_mock_fails_the_case(self):
        self.assertIn("TASK_NOT_MAPPED", self.failing({"output": 1}, mocks={}))
        self.assertIn("MOCK_EXHAUSTED", self.failing({"output": 1}, mocks={"Pay": [{"throw": {"error": "Busy"}}]}))

    def test_a_refused_definition_fails_the_case_unless_it_is_expected(self):
        wrong = {"StartAt": "A", "States": {"A": {"Type": "Pass", "Nxet": "B", "End": True}}}
        self.assertIn("ASL_UNKNOWN_FIELD", self.failing({"output": 1}, definition=wrong))
        done = self.pawl("test", self.cases({**GOOD, "definition": wrong, "expect": {"diagnostics": ["ASL_UNKNOWN_FIELD"]}}))
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_definition_files_stand_beside_the_cases(self):
        self.write("deep/flow.asl.json", FLOW)
        path = self.write("deep/flow.test.yaml", "definition_file: flow.asl.json\ncases:\n- " + json.dumps(GOOD) + "\n")
        self.assertEqual(self.pawl("test", path).returncode, 0)
        self.refused_file("CASE_UNREADABLE", {"definition_file": "none.json", "cases": [GOOD]})

    def refused_file(self, code, content):
        done = self.pawl("test", self.write("wrong.test.json", content))
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"error {code}", done.stderr.decode())
        self.assertIn("wrong.test.json:1:", done.stderr.decode())

    def test_a_wrong_file_is_refused_with_its_place(self):
        self.refused_file("CASE_UNKNOWN_FIELD", {"definition": FLOW, "cases": [{**GOOD, "expekt": {}}]})
        self.refused_file("CASE_UNKNOWN_FIELD", {"definition": FLOW, "cases": [{**GOOD, "expect": {"outputs": 1}}]})
        self.refused_file("CASE_INVALID", {"definition": FLOW, "cases": []})
        self.refused_file("CASE_INVALID", {"definition": FLOW, "cases": [{**GOOD, "expect": {}}]})
        self.refused_file("CASE_INVALID", {"definition": FLOW, "cases": [GOOD, GOOD]})
        self.refused_file("CASE_INVALID", {"definition": FLOW, "cases": [{"expect": {"output": 1}}]})
        self.refused_file("CASE_INVALID", {"definition": FLOW, "cases": [{**GOOD, "mocks": {"Pay": [{}]}}]})
        self.refused_file("CASE_INVALID", {"definition": FLOW, "cases": [{**GOOD, "now": "noon"}]})
        self.refused_file("CASE_INVALID", {"cases": [GOOD]})
        self.refused_file("JSON_UNEXPECTED_END", "{")

    def test_skipped_and_filtered_cases_do_not_run(self):
        broken = {**GOOD, "name": "broken", "expect": {"output": 0}}
        done = self.pawl("test", self.cases(GOOD, {**broken, "skip": "later"}))
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"1 passed, 1 skipped", done.stdout)
        self.assertEqual(self.pawl("test", self.cases(GOOD, broken), "--filter", "retry").returncode, 0)

    def test_junit_has_each_case(self):
        broken = {**GOOD, "name": 'a <"broken"> & case', "expect": {"output": 0}}
        report = self.folder / "out.xml"
        self.pawl("test", self.cases(GOOD, broken, {**GOOD, "name": "s", "skip": "later"}), "--junit", str(report))
        suite = xml.etree.ElementTree.parse(report).getroot().find("testsuite")
        self.assertEqual([suite.get(name) for name in ("tests", "failures", "skipped")], ["3", "1", "1"])
        self.assertEqual(suite.findall("testcase")[1].get("name"), broken["name"])
        self.assertIn("output", suite.findall("testcase")[1].find("failure").text)
        self.assertEqual(self.pawl("test", self.cases(GOOD), "--junit", "/nowhere/out.xml").returncode, 2)

    def test_json_is_one_object_a_case(self):
        lines = self.pawl("test", "--json", self.cases(GOOD, {**GOOD, "name": "x", "expect": {"output": 0}})).stdout.splitlines()
        self.assertEqual([json.loads(line)["result"] for line in lines], ["passed", "failed"])

    def test_no_answer_and_a_clock_of_its_own(self):
        flow = machine(("T", {"Type": "Task", "Resource": "x", "TimeoutSeconds": 9}))
        case = {"name": "n", "definition": flow, "now": "2021-05-05T05:05:05Z", "mocks": {"T": [{"no_answer": True}]},
                "expect": {"error": "States.Timeout", "elapsed": 9}}
        self.assertEqual(self.pawl("test", self.cases(case)).returncode, 0)


if __name__ == "__main__":
    command.main()
