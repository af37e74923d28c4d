#!/usr/bin/env python3
"""`pawl activity` and `pawl token` against a running server.

    activity_command_test.py PAWL
"""
import json
import signal
import subprocess
import sys
import unittest

from world import CommandTest, poll

COMMAND = sys.argv.pop(1) if len(sys.argv) > 1 else None
PREFIX = "arn:aws:states:us-east-1:000000000000:"
SECONDS_MAX = 60


class ActivityCommands(CommandTest):
    command = COMMAND

    def answer(self, *words):
        return json.loads(self.pawl(*words).stdout)

    def start(self, value, **more):
        """An execution that waits for the activity `pack`."""
        self.pawl("activity", "create", "pack")
        definition = {"StartAt": "T", "States": {"T": {"Type": "Task", "Resource": PREFIX + "activity:pack", "End": True, **more}}}
        machine = self.client.call("CreateStateMachine", name="m", definition=json.dumps(definition), roleArn="arn:aws:iam::1:role/r")
        started = self.client.call("StartExecution", stateMachineArn=machine["stateMachineArn"], input=json.dumps(value))
        return started["executionArn"]

    def end_of(self, execution):
        def ended():
            described = self.client.call("DescribeExecution", executionArn=execution)
            return described["status"] != "RUNNING" and described
        return poll(ended, SECONDS_MAX, "the end")

    def worker(self, *words):
        process = subprocess.Popen(self.arguments("activity", "poll", "pack", *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(lambda: (process.poll() is None and process.kill(), process.communicate()))
        return process

    def test_activities_are_created_listed_and_deleted(self):
        created = self.answer("activity", "create", "pack")
        self.assertEqual(created["activityArn"], PREFIX + "activity:pack")
        self.pawl("activity", "create", "ship")
        names = [json.loads(line)["name"] for line in self.pawl("activity", "list").stdout.splitlines()]
        self.assertEqual(names, ["pack", "ship"])
        self.pawl("activity", "delete", "pack")
        self.pawl("activity", "delete", created["activityArn"])
        self.assertEqual(len(self.pawl("activity", "list").stdout.splitlines()), 1)
        self.assertIn("InvalidName", self.pawl("activity", "create", "a b", code=2).stderr)

    def test_a_task_is_taken_and_answered_by_its_token(self):
        execution = self.start({"n": 1})
        task = self.answer("activity", "poll", "pack", "--worker", "me")
        self.assertEqual(json.loads(task["input"]), {"n": 1})
        self.assertEqual(self.answer("token", "heartbeat", task["taskToken"]), {})
        self.assertEqual(self.answer("token", "succeed", task["taskToken"], "--output", "[2]"), {})
        self.assertEqual(self.end_of(execution)["output"], "[2]")
        refused = self.pawl("activity", "heartbeat", task["taskToken"], "--json", code=2)
        self.assertEqual(json.loads(refused.stderr)["where"], "TaskTimedOut")

    def test_a_task_is_failed_by_its_token(self):
        execution = self.start({})
        token = self.answer("activity", "poll", "pack")["taskToken"]
        self.pawl("activity", "fail", token, "--error", "Torn", "--cause", "wet")
        ended = self.end_of(execution)
        self.assertEqual((ended["error"], ended["cause"]), ("Torn", "wet"))
        self.pawl("token", "succeed", "made-up", code=2)

    def test_a_worker_is_a_command(self):
        execution = self.start({"n": 20})
        worker = self.worker("--exec", """python3 -c 'import json,sys; print(json.load(sys.stdin)["n"] + 1)'""")
        self.assertEqual(self.end_of(execution)["output"], "21")
        self.assertEqual(json.loads(worker.stdout.readline()), {"output": "21"})
        worker.send_signal(signal.SIGTERM)
        self.assertEqual(worker.wait(SECONDS_MAX), 143)

    def test_a_command_that_fails_fails_the_task(self):
        execution = self.start({})
        worker = self.worker("--once", "--exec", "echo no paper >&2; exit 3")
        ended = self.end_of(execution)
        self.assertEqual((ended["error"], ended["cause"]), ("States.TaskFailed", "no paper"))
        self.assertEqual(worker.wait(SECONDS_MAX), 0)

    def test_a_worker_keeps_a_long_task_alive(self):
        execution = self.start({}, HeartbeatSeconds=2)
        self.worker("--once", "--heartbeat", "1", "--exec", "sleep 4; echo 1")
        ended = self.end_of(execution)
        self.assertEqual(ended["status"], "SUCCEEDED", ended)

    def test_a_worker_ends_what_nobody_waits_for(self):
        execution = self.start({})
        worker = self.worker("--once", "--heartbeat", "1", "--exec", "sleep 600")
        poll(lambda: any(event["type"] == "ActivityStarted" for event in
                         self.client.call("GetExecutionHistory", executionArn=execution)["events"]), SECONDS_MAX, "the taking")
        self.client.call("StopExecution", executionArn=execution)
        self.assertEqual(worker.wait(SECONDS_MAX), 0)


if __name__ == "__main__":
    unittest.main()
