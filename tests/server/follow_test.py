#!/usr/bin/env python3
"""`pawl history --follow`, `disable`, `enable` and `undeploy` against a running server.

    follow_test.py PAWL
"""
import json
import signal
import subprocess
import sys
import unittest

from world import CommandTest

COMMAND = sys.argv.pop(1) if len(sys.argv) > 1 else None
PREFIX = "arn:aws:states:us-east-1:000000000000:"
ROLE = "arn:aws:iam::000000000000:role/test"
SECONDS_MAX = 60


class FollowTest(CommandTest):
    command = COMMAND

    def create(self, name, state):
        definition = json.dumps({"StartAt": "S", "States": {"S": {**state, "End": True}}})
        return self.client.call("CreateStateMachine", name=name, definition=definition, roleArn=ROLE)["stateMachineArn"]

    def start(self, machine, name):
        return self.client.call("StartExecution", stateMachineArn=machine, name=name)["executionArn"]


class Follow(FollowTest):
    def follower(self, execution):
        process = subprocess.Popen(self.arguments("history", execution, "--follow"), stdout=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (process.poll() is None and process.kill(), process.communicate()))
        return process

    def waiting(self):
        """An execution that waits for a worker, and a follower that has seen it wait."""
        self.client.call("CreateActivity", name="pack")
        self.start(self.create("m", {"Type": "Task", "Resource": PREFIX + "activity:pack"}), "one")
        process = self.follower("m:one")
        seen = [json.loads(process.stdout.readline())["type"] for _ in range(3)]
        self.assertEqual(seen, ["ExecutionStarted", "TaskStateEntered", "ActivityScheduled"])
        return process

    def test_events_come_as_they_happen_until_the_end(self):
        process = self.waiting()
        task = self.client.call("GetActivityTask", activityArn=PREFIX + "activity:pack", workerName="w")
        self.assertEqual(json.loads(process.stdout.readline())["type"], "ActivityStarted")
        self.client.call("SendTaskSuccess", taskToken=task["taskToken"], output="{}")
        rest, _ = process.communicate(timeout=SECONDS_MAX)
        self.assertEqual([json.loads(line)["type"] for line in rest.splitlines()],
                         ["ActivitySucceeded", "TaskStateExited", "ExecutionSucceeded"])
        self.assertEqual(process.returncode, 0)

    def test_what_has_ended_is_told_as_without_following(self):
        execution = self.start(self.create("m", {"Type": "Pass"}), "one")
        followed = self.pawl("history", execution, "--follow").stdout
        self.assertEqual(followed, self.pawl("history", "m:one").stdout)
        self.assertIn("ExecutionSucceeded", followed)

    def test_a_signal_ends_it(self):
        process = self.waiting()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=SECONDS_MAX), 130)

    def test_an_unknown_execution_is_refused(self):
        refused = self.pawl("history", "m:none", "--follow", "--json", code=2)
        self.assertEqual(json.loads(refused.stderr)["where"], "EXECUTION_NOT_FOUND")

    def test_a_disabled_machine_takes_no_starts_until_it_is_enabled(self):
        self.create("m", {"Type": "Pass"})
        self.assertFalse(json.loads(self.pawl("disable", "m").stdout)["enabled"])
        self.assertIn("StateMachineDisabled", self.pawl("start", "m", code=2).stderr)
        self.assertTrue(json.loads(self.pawl("enable", PREFIX + "stateMachine:m").stdout)["enabled"])
        self.pawl("start", "m")

    def test_an_undeployed_machine_is_gone(self):
        self.create("m", {"Type": "Pass"})
        self.pawl("undeploy", "m")
        self.assertIn("StateMachineDoesNotExist", self.pawl("start", "m", code=2).stderr)
        self.assertIn("DEFINITION_NOT_FOUND", self.pawl("undeploy", "m", code=2).stderr)


class FollowInVirtualTime(FollowTest):
    more = ["--virtual-time"]

    def test_a_wait_is_followed_to_its_end(self):
        self.start(self.create("m", {"Type": "Wait", "Seconds": 3600}), "one")
        followed = self.pawl("history", "m:one", "--follow").stdout
        self.assertEqual([json.loads(line)["type"] for line in followed.splitlines()],
                         ["ExecutionStarted", "WaitStateEntered", "WaitStateExited", "ExecutionSucceeded"])


if __name__ == "__main__":
    unittest.main()
