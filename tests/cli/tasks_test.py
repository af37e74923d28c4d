#!/usr/bin/env python3
"""`pawl run` with tasks: mocks, endpoints, commands, and what happens when it is interrupted."""
import json
import os
import pathlib
import pty
import signal
import subprocess
import sys

import command
from command import machine, task

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "server"))
import http_host


def config(states, responses, name="flow", case="Case"):
    return {"StateMachines": {name: {"TestCases": {case: states}}}, "MockedResponses": responses}


class Mocks(command.CommandTest):
    def test_answer_by_state_and_by_call(self):
        retry = [{"ErrorEquals": ["Busy"], "MaxAttempts": 2}]
        flow = self.write("flow.asl.json", machine(task("Pay", Retry=retry)))
        mocks = self.write("m.json", config({"Pay": "R"}, {"R": {"0-1": {"Throw": {"Error": "Busy", "Cause": "c"}}, "2": {"Return": {"ok": 1}}}}))
        self.assertEqual(self.succeeds("run", flow, "--mocks", mocks, "--virtual-time"), {"ok": 1})

    def test_a_test_case_is_chosen_by_name(self):
        flow = self.write("flow.asl.json", machine(task("Pay")))
        mocks = self.write("m.json", {"StateMachines": {"flow": {"TestCases": {"A": {"Pay": "One"}, "B": {"Pay": "Two"}}}},
                                      "MockedResponses": {"One": {"0": {"Return": 1}}, "Two": {"0": {"Return": 2}}}})
        self.assertEqual(self.succeeds("run", flow, "--mocks", mocks, "--test-case", "B"), 2)
        self.assertIn("'A', 'B'", self.refused("MOCKS_UNKNOWN_CASE", "run", flow, "--mocks", mocks))
        self.refused("MOCKS_UNKNOWN_CASE", "run", flow, "--mocks", mocks, "--test-case", "C")
        self.refused("USAGE", "run", flow, "--test-case", "B")

    def test_a_task_without_a_mock_is_named_and_no_catch_hides_it(self):
        catch = [{"ErrorEquals": ["States.ALL"], "Next": "Saved"}]
        definition = machine(task("Pay", Catch=catch))
        definition["States"]["Saved"] = {"Type": "Succeed"}
        flow = self.write("flow.asl.json", definition)
        mocks = self.write("m.json", config({}, {}))
        text = self.refused("TASK_NOT_MAPPED", "run", flow, "--mocks", mocks)
        self.assertIn("'Pay'", text)
        self.assertIn("state 'Pay'", self.refused("TASK_NOT_MAPPED", "run", flow))

    def test_a_url_is_not_called_where_there_are_mocks(self):
        flow = self.write("flow.asl.json", machine(task("Pay", "http://127.0.0.1:1/")))
        mocks = self.write("m.json", config({}, {}))
        self.refused("TASK_NOT_MAPPED", "run", flow, "--mocks", mocks)

    def test_a_call_too_many_says_so(self):
        flow = self.write("flow.asl.json", machine(task("Pay", Retry=[{"ErrorEquals": ["States.ALL"]}])))
        mocks = self.write("m.json", config({"Pay": "R"}, {"R": {"0": {"Throw": {"Error": "E"}}}}))
        self.assertIn("2 times", self.refused("MOCK_EXHAUSTED", "run", flow, "--mocks", mocks, "--virtual-time"))

    def test_no_answer_lets_the_timeout_come(self):
        flow = self.write("flow.asl.json", machine(task("Pay", TimeoutSeconds=3600)))
        mocks = self.write("m.json", config({"Pay": "R"}, {"R": {"0": {"NoAnswer": True}}}))
        self.assertEqual(self.fails("run", flow, "--mocks", mocks, "--virtual-time")["error"], "States.Timeout")

    def test_a_wrong_file_is_refused_with_its_place(self):
        flow = self.write("flow.asl.json", machine(task("Pay")))
        mocks = self.write("m.json", config({"Pay": "R"}, {"R": {"0": {"Give": 1}}}))
        self.assertIn("m.json:/MockedResponses/R/0/Give", self.refused("MOCKS_INVALID", "run", flow, "--mocks", mocks))


class Endpoint(http_host.HttpHost):
    """Answers with what a test gave it."""

    def __init__(self, status=200, body=b"null"):
        super().__init__(lambda path: (status, body, {}))
        self.url = super().url("/pay")


class Endpoints(command.CommandTest):
    def endpoint(self, *arguments):
        result = Endpoint(*arguments)
        self.addCleanup(result.close)
        return result

    def test_the_input_is_posted_and_the_answer_is_the_result(self):
        endpoint = self.endpoint(200, b'{"receipt": 7}')
        flow = self.write("flow.asl.json", machine(task("Pay", "arn:aws:lambda:eu:1:function:pay", ResultPath="$.paid")))
        tasks = self.write("t.yaml", f"'*:function:pay':\n  http: {endpoint.url}\n  headers: {{X-Key: 'k ${{SECRET}}'}}\n  timeout: 30\n")
        output = self.succeeds("run", flow, "--tasks", tasks, "--input", '{"order":1}', environment={"SECRET": "hush-hush"})
        self.assertEqual(output, {"order": 1, "paid": {"receipt": 7}})
        path, headers, body = endpoint.asked[0]
        self.assertEqual((path, json.loads(body), headers["X-Key"]), ("/pay", {"order": 1}, "k hush-hush"))
        self.assertTrue(headers["Idempotency-Key"])

    def test_a_url_is_called_directly(self):
        flow = self.write("flow.asl.json", machine(task("Pay", self.endpoint(200, b"[1]").url)))
        self.assertEqual(self.succeeds("run", flow), [1])

    def test_errors_of_the_endpoint_are_errors_of_the_task(self):
        flow = self.write("flow.asl.json", machine(task("Pay", self.endpoint(400, b'{"errorType":"Bad","errorMessage":"m"}').url)))
        self.assertEqual(self.fails("run", flow), {"error": "Bad", "cause": "m"})
        flow = self.write("flow.asl.json", machine(task("Pay", self.endpoint(403, b"no").url)))
        self.assertEqual(self.fails("run", flow)["error"], "States.Permissions")

    def test_a_task_that_waits_for_its_token_waits_for_its_timeout(self):
        tasks = self.write("t.json", {"*": {"http": self.endpoint(200, b"{}").url}})
        resource = "arn:aws:states:::lambda:invoke.waitForTaskToken"
        flow = self.write("flow.asl.json", machine(task("Ask", resource, TimeoutSeconds=60, Parameters={"token.$": "$$.Task.Token"})))
        self.assertEqual(self.fails("run", flow, "--tasks", tasks, "--virtual-time")["error"], "States.Timeout")
        flow = self.write("flow.asl.json", machine(task("Ask", resource, Parameters={"token.$": "$$.Task.Token"})))
        self.refused("RUN_STUCK", "run", flow, "--tasks", tasks)

    def test_secrets_are_never_printed(self):
        endpoint = self.endpoint(500, b"hush-hush is wrong")
        flow = self.write("flow.asl.json", machine(task("Pay")))
        tasks = self.write("t.json", {"*": {"http": endpoint.url + "/${SECRET}", "headers": {"A": "${SECRET}"}}})
        done = self.pawl("run", flow, "--tasks", tasks, "--history", environment={"SECRET": "hush-hush"})
        self.assertEqual(done.returncode, 1)
        self.assertNotIn(b"hush-hush", done.stdout + done.stderr)
        self.assertIn(b"${SECRET} answered 500", done.stdout)

    def test_a_secret_that_is_not_set_is_refused(self):
        flow = self.write("flow.asl.json", machine(task("Pay")))
        tasks = self.write("t.yaml", "'*':\n  http: http://h/${NOT_SET_ANYWHERE}\n")
        self.assertIn("t.yaml:2:9 /*/http", self.refused("TASKS_ENV_MISSING", "run", flow, "--tasks", tasks))

    def test_nobody_listening_is_a_task_that_failed(self):
        endpoint = Endpoint()
        url = endpoint.url
        endpoint.close()
        flow = self.write("flow.asl.json", machine(task("Pay", url)))
        failure = self.fails("run", flow)
        self.assertEqual(failure["error"], "States.TaskFailed")
        self.assertIn("HTTP_CONNECT_FAILED", failure["cause"])


class Commands(command.CommandTest):
    def run_with(self, words, *arguments, fields=None):
        flow = self.write("flow.asl.json", machine(task("Pay", **(fields or {}))))
        tasks = self.write("t.json", {"*": {"exec": words}})
        return self.pawl("run", flow, "--tasks", tasks, *arguments)

    def test_input_and_output_are_json(self):
        done = self.run_with(["sh", "-c", "cat"], "--input", '{"a":1}')
        self.assertEqual((done.returncode, json.loads(done.stdout)), (0, {"a": 1}))

    def test_a_non_zero_exit_is_a_task_that_failed_with_stderr_as_cause(self):
        done = self.run_with(["sh", "-c", "echo broken >&2; exit 3"])
        self.assertEqual((done.returncode, json.loads(done.stdout)), (1, {"error": "States.TaskFailed", "cause": "broken"}))

    def test_a_command_that_may_not_be_run_lacks_permissions(self):
        done = self.run_with([self.write("no.sh", "#!/bin/sh\n")])
        self.assertEqual(json.loads(done.stdout)["error"], "States.Permissions")

    def test_the_timeout_of_the_state_counts_real_time_in_virtual_time(self):
        done = self.run_with(["sleep", "1000"], "--virtual-time", fields={"TimeoutSeconds": 1})
        self.assertEqual(json.loads(done.stdout)["error"], "States.Timeout")

    def test_virtual_time_stands_still_while_a_command_runs(self):
        branches = [machine(task("Slow", TimeoutSeconds=50)), machine(("Wait", {"Type": "Wait", "Seconds": 100}))]
        flow = self.write("flow.asl.json", machine(("P", {"Type": "Parallel", "Branches": branches})))
        tasks = self.write("t.json", {"*": {"exec": ["sh", "-c", "sleep 0.3; echo 1"]}})
        self.assertEqual(self.succeeds("run", flow, "--tasks", tasks, "--virtual-time"), [1, {}])

    def test_calls_of_a_map_run_side_by_side(self):
        items = {"StartAt": "Pay", "States": {"Pay": {"Type": "Task", "Resource": "x", "End": True}}}
        flow = self.write("flow.asl.json", machine(("M", {"Type": "Map", "Iterator": items})))
        # Each of the three commands waits until all three have begun.
        meet = 'd=$1; touch $d/$$; while [ $(ls $d | wc -l) -lt 3 ]; do sleep 0.01; done; cat'
        (self.folder / "met").mkdir()
        tasks = self.write("t.json", {"x": {"exec": ["sh", "-c", meet, "meet", str(self.folder / "met")]}})
        self.assertEqual(self.succeeds("run", flow, "--tasks", tasks, "--input", "[1,2,3]"), [1, 2, 3])

    def test_unknown_fields_are_refused_with_a_suggestion(self):
        flow = self.write("flow.asl.json", machine(task("Pay")))
        tasks = self.write("t.json", {"*": {"exce": ["x"]}})
        self.assertIn("'exec'", self.refused("TASKS_UNKNOWN_FIELD", "run", flow, "--tasks", tasks))


class Interrupts(command.CommandTest):
    def start(self, *arguments, **options):
        fifo = self.folder / "begun"
        os.mkfifo(fifo)
        flow = self.write("flow.asl.json", machine(task("Slow")))
        tasks = self.write("t.json", {"*": {"exec": ["sh", "-c", f"echo $$ > {fifo}; exec sleep 1000"]}})
        process = subprocess.Popen([command.PAWL, "run", flow, "--tasks", tasks, *arguments], stdout=subprocess.PIPE, **options)
        with open(fifo, encoding="ascii") as begun:
            return process, int(begun.read())

    def assert_gone(self, pid):
        with self.assertRaises(ProcessLookupError):
            os.kill(pid, 0)

    def test_control_c_stops_the_execution_and_its_commands(self):
        process, child = self.start("--history", stderr=subprocess.PIPE)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=command.COMMAND_SECONDS_MAX)
        self.assertEqual(process.returncode, 130)
        self.assertIn(b"INTERRUPTED", errors)
        self.assertEqual(json.loads(output.splitlines()[-1])["type"], "ExecutionAborted")
        self.assert_gone(child)

    def test_sigterm_stops_too(self):
        process, child = self.start(stderr=subprocess.PIPE)
        process.terminate()
        process.communicate(timeout=command.COMMAND_SECONDS_MAX)
        self.assertEqual(process.returncode, 143)
        self.assert_gone(child)

    def test_a_terminal_shows_the_state_that_runs(self):
        try:
            ours, theirs = pty.openpty()
        except OSError as error:
            self.skipTest(f"this machine gives no terminal: {error}")
        process, _ = self.start(stderr=theirs, env={**os.environ, "TERM": "xterm"})
        os.close(theirs)
        shown = b""
        while b"Slow" not in shown:
            shown += os.read(ours, 1024)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=command.COMMAND_SECONDS_MAX)
        os.close(ours)

    def test_a_pipe_gets_no_live_line(self):
        process, _ = self.start(stderr=subprocess.PIPE)
        process.send_signal(signal.SIGINT)
        self.assertNotIn(b"\r", process.communicate(timeout=command.COMMAND_SECONDS_MAX)[1])


if __name__ == "__main__":
    command.main()
