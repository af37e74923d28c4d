#!/usr/bin/env python3
"""Clients that break the rules of HTTP or strain its limits: each gets an error or nothing, and the server goes on answering others.

    bad_http_test.py PAWL
"""
import contextlib
import json
import os
import pathlib
import resource
import socket
import statistics
import struct
import sys
import tempfile
import threading
import time
import unittest

from world import Client, ServerProcess

COMMAND = sys.argv.pop(1) if len(sys.argv) > 1 else None
ROLE = "arn:aws:iam::000000000000:role/test"
BODY_BYTES_MAX = 8 * 1024 * 1024
FUNCTION_BODY_BYTES_MAX = 40 * 1024 * 1024  # nothing is read beyond it, whatever the request is about
IDLE = 10_000
DRIBBLERS = 200
OTHER_DESCRIPTORS = 600         # of this process, beside the idle connections
SLOWNESS = 10 if os.environ.get("PAWL_SANITIZE") else 1  # of a server under a sanitizer
SLOWEST_SECONDS_MAX = 2.0 * SLOWNESS  # of a request beside the bad clients, on a machine that does other things too
MEDIAN_SECONDS_MAX = 0.1 * SLOWNESS
ANSWER_SECONDS_MAX = 20
RESIDENT_BYTES_MAX = 512 * 1024 * 1024
MEASURES_MEMORY = not os.environ.get("PAWL_SANITIZE")  # sanitizers have memory of their own
HEAD = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\n"


def request(operation, body, more=""):
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    return (f"{HEAD}X-Amz-Target: AWSStepFunctions.{operation}\r\n{more}Content-Length: {len(body)}\r\n\r\n").encode() + body


def read_answer(stream):
    """Gives (status, body), or None where the connection was closed."""
    status_line = stream.readline()
    if not status_line:
        return None
    headers = {}
    while (line := stream.readline().strip()):
        key, value = line.decode().split(":", 1)
        headers[key.lower()] = value.strip()
    return int(status_line.split()[1]), stream.read(int(headers.get("content-length", 0)))


def reset(connection):
    """Closes it at once, so that thousands of them leave nothing behind."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def raise_descriptor_limit(wanted):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < wanted:
        raise unittest.SkipTest(f"this machine allows {hard} open files a process, {wanted} are needed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


class BadHttpTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.server = ServerProcess(COMMAND, str(pathlib.Path(cls.folder.name) / "data"))
        client = Client(cls.server.port)
        definition = {"StartAt": "P", "States": {"P": {"Type": "Pass", "Comment": "x" * 900_000, "End": True}}}
        cls.machine = client.call("CreateStateMachine", name="m", definition=json.dumps(definition), roleArn=ROLE)["stateMachineArn"]
        client.close()

    @classmethod
    def tearDownClass(cls):
        code, said = cls.server.stop()
        cls.folder.cleanup()
        assert code == 0 and not said, (code, said)

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", self.server.port), timeout=ANSWER_SECONDS_MAX)
        self.addCleanup(connection.close)
        return connection

    def ask(self, data):
        """Sends bytes on a connection of their own and gives the first answer."""
        connection = self.connect()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # refused before all was sent
            connection.sendall(data)
        return read_answer(connection.makefile("rb"))

    def expect_others_served(self, requests=30):
        """What other clients notice: new connections and kept ones are answered, quickly."""
        kept = Client(self.server.port)
        seconds = []
        for number in range(requests):
            client = kept if number % 2 else Client(self.server.port)
            began = time.monotonic()
            self.assertEqual(len(client.call("ListStateMachines")["stateMachines"]), 1)
            seconds.append(time.monotonic() - began)
            if client is not kept:
                client.close()
        kept.close()
        self.assertLess(statistics.median(seconds), MEDIAN_SECONDS_MAX)
        self.assertLess(max(seconds), SLOWEST_SECONDS_MAX)

    def test_broken_json_is_refused(self):
        deep = b'{"input": ' + b"[" * 100_000
        for body in (b"{", b"[]", b"7", b'"a"', b"nul", b"{}}", b'{"a":1,}', b"{'a':1}", b'{"a":NaN}', b'{"name":"\xff\xfe"}', b"\x00", b"\xef\xbb\xbf",
                     b'{"a":"\\ud800"}', b'{"a":1e}', b"{" * 1000, deep):
            with self.subTest(body=body[:20]):
                status, answer = self.ask(request("ListStateMachines", body))
                self.assertEqual(status, 400)
                self.assertIn(json.loads(answer)["__type"], ("SerializationException", "ValidationException"))
        self.expect_others_served()

    def test_a_wrong_target_is_refused(self):
        for target in ("", "X-Amz-Target: \r\n", "X-Amz-Target: AWSStepFunctions\r\n", "X-Amz-Target: AWSStepFunctions.\r\n",
                       "X-Amz-Target: AWSStepFunctions.NoSuch\r\n", "X-Amz-Target: AWSStepFunctions.liststatemachines\r\n",
                       "X-Amz-Target: DynamoDB_20120810.ListTables\r\n", "X-Amz-Target: AWSStepFunctions.ListStateMachines\x01\r\n",
                       f"X-Amz-Target: AWSStepFunctions.{'a' * 10_000}\r\n"):
            with self.subTest(target=target[:60]):
                status, answer = self.ask((HEAD + target + "Content-Length: 2\r\n\r\n{}").encode())
                self.assertEqual(status, 400)
                if b"__type" in answer:
                    self.assertEqual(json.loads(answer)["__type"], "UnknownOperationException")
        self.expect_others_served()

    def test_wrong_methods_and_paths_are_refused(self):
        for line in ("GET /", "PUT /", "POST /nothing", "DELETE /health", "OPTIONS *", "GET /../../etc/passwd", "GET /%00", "POST //",
                     "CONNECT a:1", "BREW /", f"GET /{'a' * 20_000}"):
            with self.subTest(line=line[:40]):
                status, _ = self.ask(f"{line} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n".encode())
                self.assertIn(status, range(400, 500))
        self.expect_others_served()

    def test_what_is_no_http_is_refused(self):
        for data in (b"\r\n" * 1000 + b"x\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 100, b"GET\r\n\r\n",
                     b"POST / HTTP/9.9\r\n\r\n", b"A: b\r\n\r\n", b"\x00" * 1000, b"POST / HTTP/1.1\r\nbad header\r\n\r\n",
                     b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
                     b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
                     b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n\r\n", b"a" * 100_000):
            with self.subTest(data=data[:40]):
                answer = self.ask(data)
                self.assertTrue(answer is None or 400 <= answer[0] < 506, answer)
        self.expect_others_served()

    def test_a_body_above_the_limit_is_refused(self):
        self.assertEqual(self.ask(request("ListStateMachines", b" " * (BODY_BYTES_MAX + 1)))[0], 413)
        told = f"{HEAD}Content-Length: {2**62}\r\n\r\n".encode()
        self.assertEqual(self.ask(told)[0], 413)
        chunk = b"100000\r\n" + b" " * 0x100000 + b"\r\n"
        self.assertEqual(self.ask(f"{HEAD}Transfer-Encoding: chunked\r\n\r\n".encode() + chunk * (FUNCTION_BODY_BYTES_MAX // 0x100000 + 1))[0], 413)
        self.assertEqual(self.ask(request("ListStateMachines", b"{}".ljust(BODY_BYTES_MAX)))[0], 200)
        self.expect_others_served()

    def test_slow_clients_hold_up_nobody(self):
        data = request("ListStateMachines", b"{}".ljust(2000))
        connections = [self.connect() for _ in range(DRIBBLERS)]
        is_over = threading.Event()

        def dribble():
            for position in range(len(data)):
                for number, connection in enumerate(connections):
                    offset = position if number % 2 else 300 + position  # half of them are in the header, half in the body
                    if number % 2 == 0 and position == 0:
                        connection.sendall(data[:300])
                    connection.sendall(data[offset:offset + 1])
                if is_over.wait(0.01):
                    return

        thread = threading.Thread(target=dribble)
        thread.start()
        self.expect_others_served(100)
        is_over.set()
        thread.join()

    def test_a_client_that_has_closed_its_half_is_answered(self):
        connection = self.connect()
        connection.sendall(request("ListStateMachines", {}))
        connection.shutdown(socket.SHUT_WR)
        stream = connection.makefile("rb")
        self.assertEqual(read_answer(stream)[0], 200)
        self.assertEqual(stream.read(), b"")

    def test_a_request_that_is_cut_off_is_not_carried_out(self):
        whole = request("StartExecution", {"stateMachineArn": self.machine, "name": "cut"})
        for size in (1, 40, len(whole) - 30, len(whole) - 1):
            connection = self.connect()
            connection.sendall(whole[:size])
            connection.shutdown(socket.SHUT_WR)
            answer = read_answer(connection.makefile("rb"))
            self.assertTrue(answer is None or answer[0] == 400, answer)
        client = Client(self.server.port)
        self.assertNotIn("cut", [execution["name"] for execution in client.call("ListExecutions", stateMachineArn=self.machine)["executions"]])
        client.close()
        self.expect_others_served()

    def test_pipelined_requests_are_answered_in_their_order(self):
        count = 200
        connection = self.connect()
        sent = b"".join(request("StartExecution", {"stateMachineArn": self.machine, "name": f"p{i}"}) if i % 3 else request("NoSuch", {})
                        for i in range(count))
        sender = threading.Thread(target=connection.sendall, args=(sent,))
        sender.start()
        stream = connection.makefile("rb")
        for i in range(count):
            status, answer = read_answer(stream)
            self.assertEqual(status, 200 if i % 3 else 400)
            if i % 3:
                self.assertTrue(json.loads(answer)["executionArn"].endswith(f":p{i}"), answer)
        sender.join()

    def test_clients_that_go_away_leave_nothing_behind(self):
        whole = request("DescribeStateMachine", {"stateMachineArn": self.machine})
        for number in range(300):
            connection = socket.create_connection(("127.0.0.1", self.server.port))
            connection.sendall(whole[:number * 2] if number % 2 else whole)
            reset(connection)
        self.expect_others_served()

    def test_clients_that_do_not_read_their_answers_hold_up_nobody(self):
        whole = request("DescribeStateMachine", {"stateMachineArn": self.machine})
        connections = [self.connect() for _ in range(50)]
        for connection in connections:
            connection.sendall(whole * 50)
        self.expect_others_served()
        self.expect_memory_within(RESIDENT_BYTES_MAX)
        for connection in connections:
            reset(connection)

    def resident_bytes(self):
        pages = pathlib.Path(f"/proc/{self.server.process.pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * resource.getpagesize()

    def expect_memory_within(self, limit):
        if MEASURES_MEMORY:
            self.assertLess(self.resident_bytes(), limit)

    def test_ten_thousand_idle_connections_hold_up_nobody(self):
        raise_descriptor_limit(IDLE + OTHER_DESCRIPTORS)
        before = self.resident_bytes()
        idle = []
        try:
            for _ in range(IDLE):
                idle.append(socket.create_connection(("127.0.0.1", self.server.port), timeout=ANSWER_SECONDS_MAX))
            self.expect_others_served(100)
            self.expect_memory_within(before + RESIDENT_BYTES_MAX)
            for connection in idle[::1000]:  # they are no dead ones
                connection.sendall(request("ListStateMachines", {}))
                self.assertEqual(read_answer(connection.makefile("rb"))[0], 200)
        finally:
            for connection in idle:
                reset(connection)
        self.expect_others_served()


class FewDescriptorsTest(unittest.TestCase):
    """A server that may open few files refuses connections before it lacks files for its work."""

    FILES = 1024

    def test_connections_leave_descriptors_for_the_rest(self):
        with tempfile.TemporaryDirectory() as folder:
            limit = (self.FILES, self.FILES)
            server = ServerProcess(COMMAND, folder + "/data", before_exec=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, limit))
            kept = Client(server.port)
            kept.call("ListStateMachines")
            raise_descriptor_limit(self.FILES + OTHER_DESCRIPTORS)
            crowd = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(self.FILES)]
            last = crowd[-1]
            last.settimeout(ANSWER_SECONDS_MAX)
            self.assertEqual(read_answer(last.makefile("rb"))[0], 503)
            self.assertLess(len(list(pathlib.Path(f"/proc/{server.process.pid}/fd").iterdir())), self.FILES - 100)
            definition = json.dumps({"StartAt": "P", "States": {"P": {"Type": "Pass", "End": True}}})
            kept.call("CreateStateMachine", name="m", definition=definition, roleArn=ROLE)
            for connection in crowd:
                reset(connection)
            kept.close()
            self.assertEqual(server.stop(), (0, b""))


if __name__ == "__main__":
    if COMMAND is None:
        sys.exit(__doc__)
    unittest.main()
