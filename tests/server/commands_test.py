#!/usr/bin/env python3
"""The commands that talk to a server, against a running one: from a definition in a file to a redrive.

    commands_test.py PAWL
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from world import ServerProcess

COMMAND = sys.argv.pop(1) if len(sys.argv) > 1 else None
FAILED, REFUSED = 1, 2  # exit codes
FAIL = {"StartAt": "F", "States": {"F": {"Type": "Fail", "Error": "Bad", "Cause": "so"}}}


class CommandsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.server = ServerProcess(COMMAND, str(self.folder / "data"))
        self.addCleanup(self.server.stop)

    def pawl(self, *arguments, code=0):
        """What the command printed, line by line."""
        done = subprocess.run([COMMAND, *arguments, "--endpoint", f"http://127.0.0.1:{self.server.port}", "--json"], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout if code == 0 or done.stdout else done.stderr

    def deploy(self, name, definition):
        path = self.folder / f"{name}.asl.json"
        path.write_text(json.dumps(definition))
        self.pawl("deploy", str(path))

    def test_an_execution_that_failed_is_redriven(self):
        self.deploy("broken", FAIL)
        self.assertEqual(json.loads(self.pawl("start", "broken", "--name", "one", "--wait", code=FAILED))["error"], "Bad")
        redriven = json.loads(self.pawl("redrive", "broken:one"))
        shown = json.loads(self.pawl("show", "broken:one"))
        self.assertEqual((shown["redriveCount"], shown["redriveDate"]), (1, redriven["redriveDate"]))
        types = [json.loads(line)["type"] for line in self.pawl("history", "broken:one").splitlines()]
        self.assertEqual(types.count("ExecutionRedriven"), 1)

    def test_one_that_succeeded_is_not(self):
        self.deploy("fine", {"StartAt": "S", "States": {"S": {"Type": "Succeed"}}})
        self.pawl("start", "fine", "--name", "one", "--wait")
        refused = json.loads(self.pawl("redrive", "fine:one", code=REFUSED))
        self.assertEqual((refused["code"], refused["where"]), ("SERVER_REFUSED", "ExecutionNotRedrivable"))
        self.assertEqual(refused["fix"], "Start another execution with the same input.")


if __name__ == "__main__":
    unittest.main()
