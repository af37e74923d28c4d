#!/usr/bin/env python3
"""`pawl invoke` and `pawl callback`, and list, show, history and stop for executions of durable functions.

    durable_commands_test.py PAWL
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

from world import CommandTest, poll

COMMAND = sys.argv.pop(1) if len(sys.argv) > 1 else None
WORKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "function_worker.py")
SECONDS_MAX = 30
FAILED, REFUSED = 1, 2  # exit codes


class DurableCommands(CommandTest):
    command = COMMAND

    def setUp(self):
        logs = tempfile.TemporaryDirectory()
        self.addCleanup(logs.cleanup)
        words = f"{sys.executable} {WORKER} {logs.name}/"
        self.more = ("--function", f"work={words}work", "--function", f"other={words}other")
        super().setUp()

    def lines(self, *words):
        return [json.loads(line) for line in self.pawl(*words).stdout.splitlines()]

    def begin(self, name, function="work"):
        """An execution that waits for a callback; its ARN."""
        return self.lines("invoke", function, "--payload", '"ask"', "--name", name, "--async")[0]["DurableExecutionArn"]

    def callback_of(self, execution):
        def started():
            return [event for event in self.lines("history", execution) if event["EventType"] == "CallbackStarted"]
        return poll(started, SECONDS_MAX, "the callback")[0]["CallbackStartedDetails"]["CallbackId"]

    def end_of(self, execution):
        def ended():
            shown = self.lines("show", execution)[0]
            return shown["Status"] != "RUNNING" and shown
        return poll(ended, SECONDS_MAX, "the end")

    def test_invoke_waits_for_the_result_and_tells_the_execution(self):
        done = self.pawl("invoke", "work", "--payload", '"wait"', "--name", "one")
        self.assertEqual(json.loads(done.stdout), {"calls": 2})
        self.assertRegex(done.stderr, r"^execution arn:aws:lambda:\S+:function:work:\$LATEST/durable-execution/one/\S+\n$")

    def test_invoke_takes_its_payload_from_a_file(self):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write('"none"')
            file.flush()
            self.assertEqual(self.lines("invoke", "work", "--payload", f"@{file.name}", "--qualifier", "$LATEST"), [{"calls": 1}])

    def test_a_callback_ends_an_execution_well(self):
        self.begin("order-42")
        identity = self.callback_of("order-42")
        self.assertEqual(self.lines("callback", "heartbeat", identity), [{}])
        self.assertEqual(self.lines("callback", "succeed", identity, "--result", '{"approved":true}'), [{}])
        self.assertEqual(self.end_of("order-42")["Result"], '{"approved":true}')
        late = self.pawl("callback", "succeed", identity, "--json", code=REFUSED).stderr
        self.assertEqual(json.loads(late)["where"], "CallbackTimeoutException")

    def test_a_callback_ends_an_execution_badly(self):
        arn = self.begin("one")
        words = ("--error", "Rejected", "--cause", "too dear", "--data", "42")
        self.lines("callback", "fail", self.callback_of("work:one"), *words)
        self.assertEqual(self.end_of(arn)["Error"], {"ErrorMessage": "too dear", "ErrorType": "Rejected", "ErrorData": "42"})
        again = self.pawl("invoke", "work", "--payload", '"ask"', "--name", "one", code=FAILED)
        self.assertEqual(json.loads(again.stdout)["errorType"], "Rejected")

    def test_an_execution_is_known_by_its_arn_its_function_and_its_name(self):
        arn = self.begin("one")
        for name in (arn, "work:one", "one"):
            self.assertEqual(self.lines("show", name)[0]["DurableExecutionArn"], arn, name)
        self.begin("one", "other")
        refused = json.loads(self.pawl("show", "one", "--json", code=REFUSED).stderr)
        self.assertEqual((refused["code"], refused["fix"]), ("EXECUTION_AMBIGUOUS", "Name the function too: FUNCTION:one."))
        self.pawl("show", "work:none", code=REFUSED)
        self.pawl("show", "none", code=REFUSED)

    def test_an_execution_of_a_version_is_known_like_any_other(self):
        self.client.request("POST", "/2015-03-31/functions/other/versions", "{}")
        words = ("invoke", "other", "--payload", '"ask"', "--name", "old", "--qualifier", "1", "--async")
        arn = self.lines(*words)[0]["DurableExecutionArn"]
        self.assertIn(":function:other:1/", arn)
        for name in ("other:old", "other:1:old", "old"):
            self.assertEqual(self.lines("show", name)[0]["DurableExecutionArn"], arn, name)

    def test_executions_are_listed_and_stopped(self):
        self.begin("a")
        self.begin("b")
        self.assertEqual([line["FunctionName"] for line in self.lines("list")], ["other", "work"])
        self.assertEqual([line["DurableExecutionName"] for line in self.lines("list", "work")], ["b", "a"])
        self.assertIn("StopTimestamp", self.lines("stop", "work:a", "--error", "Ops", "--cause", "halt")[0])
        stopped = self.lines("list", "work", "--status", "STOPPED")
        self.assertEqual([line["DurableExecutionName"] for line in stopped], ["a"])
        self.assertEqual(self.lines("show", "a")[0]["Error"], {"ErrorType": "Ops", "ErrorMessage": "halt"})
        self.assertEqual(self.lines("history", "a", "--reverse")[0]["EventType"], "ExecutionStopped")
        self.assertEqual(self.lines("history", "a", "--facts")[0]["kind"], "ExecutionStarted")

    def test_a_history_is_followed_to_the_end(self):
        self.begin("one")
        follower = subprocess.Popen(self.arguments("history", "one", "--follow"), stdout=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (follower.poll() is None and follower.kill(), follower.wait(), follower.stdout.close()))
        self.assertEqual(json.loads(follower.stdout.readline())["EventType"], "ExecutionStarted")
        self.lines("callback", "succeed", self.callback_of("one"))
        types = [json.loads(line)["EventType"] for line in follower.stdout]  # not by communicate(): lines may be in the stream's buffer
        self.assertEqual(types, ["CallbackStarted", "InvocationCompleted", "CallbackSucceeded", "InvocationCompleted", "ExecutionSucceeded"])
        self.assertEqual(follower.wait(SECONDS_MAX), 0)

    def test_what_is_not_there_is_refused_with_a_fix(self):
        refused = json.loads(self.pawl("invoke", "nobody", "--json", code=REFUSED).stderr)
        self.assertEqual((refused["code"], refused["where"]), ("SERVER_REFUSED", "ResourceNotFoundException"))
        self.assertIn("pawl list", refused["fix"])
        self.pawl("callback", "succeed", "nothing", code=REFUSED)
        self.begin("one")
        clash = json.loads(self.pawl("invoke", "work", "--payload", "1", "--name", "one", "--json", code=REFUSED).stderr)
        self.assertEqual(clash["where"], "DurableExecutionAlreadyStartedException")

    def test_a_function_has_a_name_and_a_whole_command(self):
        for given in ("work", "work=", "=true", "wo rk=true", "work:1=true", "a/b=true", "work=sh -c 'true"):
            with tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([COMMAND, "serve", "--data", folder, "--listen", "127.0.0.1:0", "--function", given],
                                      capture_output=True, text=True, timeout=SECONDS_MAX)
            self.assertEqual(done.returncode, REFUSED, given)
            self.assertIn("SERVE_FUNCTION_INVALID", done.stderr, given)


if __name__ == "__main__":
    unittest.main()
