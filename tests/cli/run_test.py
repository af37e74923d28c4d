#!/usr/bin/env python3
"""`pawl run` without tasks: outputs, errors, inputs, the clock, the history."""
import json
import time

import command
from command import machine

PASS = machine(("A", {"Type": "Pass"}))


class Output(command.CommandTest):
    def test_prints_the_output_as_one_line_of_json(self):
        flow = self.write("hello.asl.json", machine(("Hi", {"Type": "Pass", "Parameters": {"text.$": "States.Format('Hello {}', $.name)"}})))
        done = self.pawl("run", flow, "--input", '{"name":"Ada"}')
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b'{"text":"Hello Ada"}\n', b""))

    def test_prints_error_and_cause_of_a_failed_execution(self):
        flow = self.write("f.json", machine(("F", {"Type": "Fail", "Error": "E", "Cause": "because"})))
        self.assertEqual(self.fails("run", flow), {"error": "E", "cause": "because"})

    def test_prints_null_for_what_a_failure_leaves_out(self):
        flow = self.write("f.json", machine(("F", {"Type": "Fail", "Error": "E"})))
        self.assertEqual(self.fails("run", flow), {"error": "E", "cause": None})

    def test_a_machine_that_times_out_is_a_failure(self):
        flow = self.write("f.json", {**machine(("W", {"Type": "Wait", "Seconds": 10})), "TimeoutSeconds": 5})
        self.assertEqual(self.fails("run", flow, "--virtual-time")["error"], "States.Timeout")
        self.assertEqual(self.fails("run", flow, "--virtual-time", "--json")["status"], "TIMED_OUT")

    def test_json_adds_the_status(self):
        flow = self.write("f.json", PASS)
        self.assertEqual(self.succeeds("run", flow, "--json", "--input", "[1]"), {"status": "SUCCEEDED", "output": [1]})

    def test_yaml_definitions_run_too(self):
        flow = self.write("f.yaml", "StartAt: A\nStates:\n  A: {Type: Pass, Result: {x: 1}, End: true}\n")
        self.assertEqual(self.succeeds("run", flow), {"x": 1})

    def test_says_that_the_output_cannot_be_written(self):
        flow = self.write("f.json", PASS)
        with open("/dev/full", "wb") as full:
            done = command.subprocess.run([command.PAWL, "run", flow], stdout=full, stderr=command.subprocess.PIPE)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"OUTPUT_FAILED", done.stderr)


class Inputs(command.CommandTest):
    def setUp(self):
        super().setUp()
        self.flow = self.write("f.json", PASS)

    def test_no_input_is_an_empty_object(self):
        self.assertEqual(self.succeeds("run", self.flow), {})

    def test_input_comes_from_a_file(self):
        self.write("in.json", '{"a": 1}')
        self.assertEqual(self.succeeds("run", self.flow, "--input", "@in.json"), {"a": 1})

    def test_input_comes_from_standard_input(self):
        self.assertEqual(self.succeeds("run", self.flow, "--input", "-", stdin=b"[true]"), [True])

    def test_the_definition_comes_from_standard_input(self):
        self.assertEqual(self.succeeds("run", "-", stdin=json.dumps(PASS).encode()), {})

    def test_a_wrong_input_is_refused_with_its_place(self):
        self.assertIn("--input:1:2: error", self.refused("JSON_UNEXPECTED_END", "run", self.flow, "--input", "{"))
        self.write("in.json", '{"a":\n x}')
        self.assertIn("in.json:2:2: error", self.refused("JSON_UNEXPECTED_CHARACTER", "run", self.flow, "--input", "@in.json"))

    def test_a_file_that_is_not_there_is_refused(self):
        self.assertIn("none.json", self.refused("FILE_UNREADABLE", "run", self.flow, "--input", "@none.json"))
        self.assertIn("none.json", self.refused("FILE_UNREADABLE", "run", "none.json"))
        self.refused("FILE_UNREADABLE", "run", str(self.folder))

    def test_context_replaces_and_adds(self):
        flow = self.write("c.json", machine(("A", {"Type": "Pass", "Parameters": {"name.$": "$$.Execution.Name", "mine.$": "$$.Mine"}})))
        self.assertEqual(self.succeeds("run", flow, "--context", '{"Execution":{"Name":"N"},"Mine":7}'), {"name": "N", "mine": 7})
        self.refused("CONTEXT_INVALID", "run", flow, "--context", "[]")

    def test_the_machine_is_named_after_its_file(self):
        flow = self.write("order.v2.asl.json", machine(("A", {"Type": "Pass", "Parameters": {"name.$": "$$.StateMachine.Name"}})))
        self.assertEqual(self.succeeds("run", flow), {"name": "order"})

    def test_options_of_the_definition(self):
        flow = self.write("o.json", machine(("A", {"Type": "Pass", "InputPath": "$.none"})))
        self.assertEqual(self.fails("run", flow)["error"], "States.Runtime")
        self.refused("OPTION_UNKNOWN", "run", flow, "--set", "nothing=1")
        self.refused("OPTION_INVALID", "run", flow, "--set", "errors=mine")


class Refusals(command.CommandTest):
    def test_a_wrong_definition_is_refused_with_place_cause_and_fix(self):
        flow = self.write("f.json", '{"StartAt":"A",\n "States":{"A":{"Type":"Pass","Nxet":"B","End":true}}}')
        text = self.refused("ASL_UNKNOWN_FIELD", "run", flow)
        self.assertIn("f.json:2:", text)
        self.assertIn("/States/A/Nxet", text)
        self.assertIn("Next", text)

    def test_diagnostics_are_json_lines_with_json(self):
        flow = self.write("f.json", '{"StartAt":"A","States":{"A":{"Type":"Pass"}}}')
        done = self.pawl("run", flow, "--json")
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        for line in done.stderr.splitlines():
            self.assertIn("code", json.loads(line))

    def test_errors_are_json_lines_with_json(self):
        flow = self.write("f.json", PASS)
        error = json.loads(self.pawl("run", flow, "--json", "--input", "{").stderr)
        self.assertEqual(error["code"], "JSON_UNEXPECTED_END")
        self.assertEqual(error["where"], "--input:1:2")

    def test_what_cannot_be_run_yet_is_refused_by_name(self):
        flow = self.write("f.json", {**PASS, "QueryLanguage": "JSONata"})
        self.refused("ASL_UNSUPPORTED_JSONATA", "run", flow)


class Clock(command.CommandTest):
    YEAR = machine(("W", {"Type": "Wait", "Seconds": 31536000}), ("T", {"Type": "Pass", "Parameters": {"at.$": "$$.State.EnteredTime"}}))

    def test_virtual_time_does_not_wait(self):
        flow = self.write("f.json", self.YEAR)
        self.assertEqual(self.succeeds("run", flow, "--virtual-time", "--now", "2019-01-01T00:00:00Z"), {"at": "2020-01-01T00:00:00.000Z"})

    def test_real_time_waits(self):
        flow = self.write("f.json", machine(("W", {"Type": "Wait", "Seconds": 1})))
        before = time.monotonic()
        self.succeeds("run", flow)
        self.assertGreaterEqual(time.monotonic() - before, 1)

    def test_now_must_be_a_timestamp_and_needs_virtual_time(self):
        flow = self.write("f.json", PASS)
        self.refused("NOW_INVALID", "run", flow, "--virtual-time", "--now", "yesterday")
        self.refused("USAGE", "run", flow, "--now", "2019-01-01T00:00:00Z")


class History(command.CommandTest):
    def test_prints_an_event_a_line_and_then_the_result(self):
        flow = self.write("f.json", machine(("A", {"Type": "Pass", "Result": [1]})))
        done = self.pawl("run", flow, "--history", "--virtual-time", "--now", "2020-01-01T00:00:00Z", "--input", '{"a": 1}')
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([line["type"] for line in lines[:-1]], ["ExecutionStarted", "PassStateEntered", "PassStateExited", "ExecutionSucceeded"])
        self.assertEqual([(line["id"], line["previousEventId"]) for line in lines[:-1]], [(1, 0), (2, 0), (3, 2), (4, 3)])
        self.assertEqual(lines[0]["executionStartedEventDetails"]["input"], '{"a": 1}')
        self.assertEqual(lines[0]["timestamp"], "2020-01-01T00:00:00.000Z")
        self.assertEqual(lines[-1], [1])

    def test_a_failure_is_the_last_line(self):
        flow = self.write("f.json", machine(("F", {"Type": "Fail", "Error": "E", "Cause": "c"})))
        lines = self.pawl("run", flow, "--history").stdout.splitlines()
        self.assertEqual(json.loads(lines[-2])["type"], "ExecutionFailed")
        self.assertEqual(json.loads(lines[-1]), {"error": "E", "cause": "c"})


if __name__ == "__main__":
    command.main()
