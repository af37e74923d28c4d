#!/usr/bin/env python3
"""A data directory belongs to one server at a time.

    second_process_test.py PAWL
"""
import json
import subprocess
import sys
import tempfile
import unittest

from world import Client, ServerProcess

COMMAND = sys.argv.pop(1) if len(sys.argv) > 1 else None
SECONDS_MAX = 30


class SecondProcessTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data = folder.name + "/data"

    def start_second(self, *options):
        command = [COMMAND, "serve", "--data", self.data, "--listen", "127.0.0.1:0", *options]
        return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_MAX, check=False)

    def test_a_second_server_is_refused_and_the_first_goes_on(self):
        first = ServerProcess(COMMAND, self.data)
        second = self.start_second("--json")
        self.assertEqual((second.returncode, second.stdout), (2, ""))
        error = json.loads(second.stderr.splitlines()[-1])
        self.assertEqual(error["code"], "STORE_IN_USE", second.stderr)
        self.assertIn(self.data, second.stderr)
        client = Client(first.port)
        self.assertEqual(client.call("ListStateMachines")["stateMachines"], [])
        client.close()
        self.assertEqual(first.stop(), (0, b""))

    def test_the_error_says_what_to_do(self):
        first = ServerProcess(COMMAND, self.data)
        self.assertRegex(self.start_second().stderr, r"STORE_IN_USE[\s\S]*Another process uses this data directory")
        first.stop()

    def test_a_directory_is_free_again_after_any_end(self):
        for end in (ServerProcess.stop, ServerProcess.kill):
            end(ServerProcess(COMMAND, self.data))
        self.assertEqual(ServerProcess(COMMAND, self.data).stop(), (0, b""))


if __name__ == "__main__":
    if COMMAND is None:
        sys.exit(__doc__)
    unittest.main()
