#!/usr/bin/env python3
"""Durable functions on the running server: their workers are started, ended when they take too long, and started again.

    functions_test.py PAWL
"""
import http.client
import json
import os
import sys
import tempfile
import unittest

from world import ServerProcess, poll, write_json

PAWL = sys.argv.pop(1)
SECONDS_MAX = 30
WORKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "function_worker.py")


class Functions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.log = os.path.join(self.folder, "calls")
        self.config = write_json(self.folder, "config.json", {
            "functions": {"job": {"command": [sys.executable, WORKER, self.log], "timeout": "2s"}}})
        self.start()
        self.addCleanup(lambda: self.server.process.poll() is None and self.server.kill())

    def start(self):
        self.server = ServerProcess(PAWL, os.path.join(self.folder, "data"), more=("--config", self.config))

    def invoke(self, payload, kind="RequestResponse", name="one"):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        connection.request("POST", "/2015-03-31/functions/job/invocations", json.dumps(payload),
                           {"X-Amz-Invocation-Type": kind, "X-Amz-Durable-Execution-Name": name})
        self.addCleanup(connection.close)
        answer = connection.getresponse()
        return answer, answer.read().decode()

    def calls(self):
        if not os.path.exists(self.log):
            return []
        with open(self.log, encoding="utf-8") as lines:
            return [line.split() for line in lines]

    def test_the_code_is_called_again_when_its_wait_is_over(self):
        answer, body = self.invoke("wait")
        self.assertEqual((answer.status, json.loads(body)), (200, {"calls": 2}))
        self.assertEqual([seen for _, seen in self.calls()], ["1", "3"])

    def test_a_worker_that_ends_is_started_again_and_its_call_made_again(self):
        _, body = self.invoke("exit")
        self.assertEqual(json.loads(body), {"calls": 2})
        self.assertNotEqual(self.calls()[0][0], self.calls()[1][0])

    def test_what_was_recorded_before_a_worker_ended_stays(self):
        _, body = self.invoke("exit later")
        self.assertEqual(json.loads(body), {"calls": 2})
        self.assertEqual([seen for _, seen in self.calls()], ["1", "2"])

    def test_a_worker_that_takes_too_long_is_ended(self):
        _, body = self.invoke("hang")
        self.assertEqual(json.loads(body), {"calls": 2})
        process = int(self.calls()[0][0])
        self.assertRaises(ProcessLookupError, os.kill, process, 0)

    def test_an_execution_goes_on_after_its_server_was_killed(self):
        answer, _ = self.invoke("hang", kind="Event")
        self.assertEqual(answer.status, 202)
        poll(self.calls, SECONDS_MAX, "the code is called")
        self.server.kill()
        self.start()
        _, body = self.invoke("hang")
        self.assertEqual(json.loads(body), {"calls": 2})

    def test_workers_end_with_their_server(self):
        self.invoke("wait")
        process = int(self.calls()[0][0])
        self.server.stop()

        def is_gone():
            try:
                os.kill(process, 0)
            except ProcessLookupError:
                return True
            return False
        poll(is_gone, SECONDS_MAX, "the worker ends")


if __name__ == "__main__":
    unittest.main()
