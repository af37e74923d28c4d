#!/usr/bin/env python3
"""Functions of type rpc against a real gRPC server: in `pawl run`, and on a server after a crash.

    grpc_test.py PAWL DEPOT
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from world import ServerProcess

DEPOT = sys.argv.pop(2) if len(sys.argv) > 2 else None
COMMAND = sys.argv.pop(1) if len(sys.argv) > 1 else None
SECONDS_MAX = 60
PROTO = """syntax = "proto3";
package shop;
import "google/protobuf/timestamp.proto";
message PackRequest { string order = 1; repeated string items = 2; google.protobuf.Timestamp at = 3; }
message Parcel { string order = 1; int64 number = 2; repeated string items = 5; string token = 6; }
service Depot { rpc Pack(PackRequest) returns (Parcel); }
"""
MACHINE = {
    "id": "parcel", "name": "Parcel", "version": "1",
    "functions": [{"name": "pack", "type": "rpc", "operation": "depot.proto#Depot/Pack"}],
    "states": [{
        "name": "Pack", "start": True,
        "enterAction": {"type": "invokeFunction", "functionName": "pack", "waitForCompletion": True,
                        "arguments": {"order": "${ .order }", "items": "${ .items }"},
                        "errorHandlers": [{"condition": "${ $value.type == \"Grpc.NOT_FOUND\" }", "resultHandler": "${ .refused = $value.message }"}]},
        "enterResultHandler": "${ .parcel = $value }"}]}
PACKED = {"order": "o-1", "number": "7", "items": ["cup"], "token": "Bearer t0ken"}


class Grpc(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        depot = subprocess.Popen([DEPOT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(depot.communicate)
        address = depot.stdout.readline().strip()
        (self.folder / "depot.proto").write_text(PROTO)
        (self.folder / "parcel.json").write_text(json.dumps(MACHINE))
        (self.folder / "tasks.yaml").write_text(f"grpc:depot.proto#*:\n  grpc: {address}\n  headers: {{authorization: Bearer t0ken}}\n")

    def path(self, name):
        return str(self.folder / name)

    def pawl(self, *words):
        done = subprocess.run([COMMAND, *words], capture_output=True, text=True, timeout=SECONDS_MAX)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def run_with(self, **given):
        return self.pawl("run", self.path("parcel.json"), "--tasks", self.path("tasks.yaml"), "--input", json.dumps(given))

    def test_a_run_calls_the_method_with_json_in_and_out(self):
        given = {"order": "o-1", "items": ["cup"]}
        self.assertEqual(self.run_with(**given), {**given, "parcel": PACKED})

    def test_a_status_is_an_error_that_a_handler_takes(self):
        given = {"order": "missing", "items": []}
        self.assertEqual(self.run_with(**given), {**given, "refused": "There is no such order.", "parcel": None})

    def test_a_server_keeps_the_proto_file_and_calls_the_method(self):
        server = ServerProcess(COMMAND, self.path("data"), tasks=self.path("tasks.yaml"))
        self.addCleanup(lambda: server.process.poll() is None and server.kill())
        endpoint = ["--endpoint", f"http://127.0.0.1:{server.port}"]
        self.pawl("deploy", self.path("parcel.json"), "--json", *endpoint)
        (self.folder / "depot.proto").unlink()
        server.kill()
        server = ServerProcess(COMMAND, self.path("data"), tasks=self.path("tasks.yaml"))
        endpoint = ["--endpoint", f"http://127.0.0.1:{server.port}"]
        given = {"order": "o-1", "items": ["cup"]}
        self.assertEqual(self.pawl("start", "parcel", "--input", json.dumps(given), "--wait", *endpoint), {**given, "parcel": PACKED})


if __name__ == "__main__":
    unittest.main()
