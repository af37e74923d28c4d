#!/usr/bin/env python3
"""SIGTERM to a server that has a request in flight: it is answered, new connections are refused, and the process ends in order.

    shutdown_test.py PAWL
"""
import contextlib
import http.server
import json
import signal
import socket
import sys
import tempfile
import threading
import unittest

from world import Client, ServerProcess, poll, write_json

PAWL = sys.argv.pop(1)
ROLE = "arn:aws:iam::000000000000:role/test"
WORK = "arn:aws:lambda:us-east-1:000000000000:function:work"
MACHINE = json.dumps({"StartAt": "T", "States": {"T": {"Type": "Task", "Resource": WORK, "End": True}}})
SECONDS_MAX = 30


class HeldWorker:
    """A worker that answers its call only when it is told to."""

    def __init__(self):
        self.called, self.released = threading.Event(), threading.Event()
        worker = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                worker.called.set()
                worker.released.wait(SECONDS_MAX)
                with contextlib.suppress(BrokenPipeError):  # the process that called has ended
                    self.send_response(200)
                    self.send_header("Content-Length", "4")
                    self.end_headers()
                    self.wfile.write(b'"ok"')

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/"

    def close(self):
        self.released.set()
        self.server.shutdown()
        self.server.server_close()


class Shutdown(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.worker = HeldWorker()
        self.addCleanup(self.worker.close)
        tasks = write_json(folder.name, "tasks.json", {WORK: {"http": self.worker.url}})
        self.directory = folder.name + "/data"
        self.server = ServerProcess(PAWL, self.directory, tasks)
        self.addCleanup(lambda: self.server.process.poll() is None and self.server.kill())
        self.client = Client(self.server.port)
        self.addCleanup(self.client.close)

    def create(self, kind):
        made = self.client.call("CreateStateMachine", name="m", definition=MACHINE, roleArn=ROLE, type=kind)
        return made["stateMachineArn"]

    def test_a_request_in_flight_is_answered_and_the_process_ends_in_order(self):
        machine = self.create("EXPRESS")
        answers = []
        caller = threading.Thread(target=lambda: answers.append(self.client.call("StartSyncExecution", stateMachineArn=machine)))
        caller.start()
        self.assertTrue(self.worker.called.wait(SECONDS_MAX))
        self.server.process.send_signal(signal.SIGTERM)
        poll(self.refuses_connections, SECONDS_MAX, "the end of listening")
        self.worker.released.set()
        caller.join(SECONDS_MAX)
        code = self.server.process.wait(SECONDS_MAX)
        self.assertEqual([answer["output"] for answer in answers], ['"ok"'])
        self.assertEqual(code, 0)

    def test_what_was_acknowledged_before_goes_on_with_the_next_process(self):
        started = self.client.call("StartExecution", stateMachineArn=self.create("STANDARD"), name="one")
        self.assertTrue(self.worker.called.wait(SECONDS_MAX))
        code, _ = self.server.stop()
        self.assertEqual(code, 0)
        self.worker.released.set()
        tasks = write_json(self.directory, "../tasks.json", {WORK: {"http": self.worker.url}})
        again = ServerProcess(PAWL, self.directory, tasks)
        self.addCleanup(again.kill)
        client = Client(again.port)
        self.addCleanup(client.close)
        ended = poll(lambda: self.ended(client, started["executionArn"]), SECONDS_MAX, "the end")
        self.assertEqual((ended["status"], ended["output"]), ("SUCCEEDED", '"ok"'))

    @staticmethod
    def ended(client, execution):
        described = client.call("DescribeExecution", executionArn=execution)
        return described["status"] != "RUNNING" and described

    def refuses_connections(self):
        try:
            socket.create_connection(("127.0.0.1", self.server.port), SECONDS_MAX).close()
        except ConnectionRefusedError:
            return True
        return False


if __name__ == "__main__":
    unittest.main()
