#!/usr/bin/env python3
"""`pawl backup`, `pawl doctor`, `pawl dev` and the demo of `make run`, on real data directories.

    data_directory_test.py PAWL
"""
import json
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

from world import Client, ServerProcess

PAWL = sys.argv[1]
ROOT = pathlib.Path(__file__).resolve().parents[2]
WAIT = json.dumps({"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 86400, "End": True}}})
PASS = json.dumps({"StartAt": "P", "States": {"P": {"Type": "Pass", "End": True}}})
ROLE = "arn:aws:iam::000000000000:role/test"
WAIT_SECONDS_MAX = 30


def pawl(*arguments):
    return subprocess.run([PAWL, *arguments], capture_output=True, text=True, timeout=60)


def wait_until(holds):
    deadline = time.monotonic() + WAIT_SECONDS_MAX
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError("it never came")
        time.sleep(0.02)


class DataDirectory(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.data = str(self.folder / "data")

    def serve(self, directory):
        server = ServerProcess(PAWL, directory)
        self.addCleanup(server.kill)
        return server, Client(server.port)

    def fill(self):
        """Ten closed executions and ten that wait."""
        server, client = self.serve(self.data)
        for name, definition in (("waits", WAIT), ("passes", PASS)):
            arn = client.call("CreateStateMachine", name=name, definition=definition, roleArn=ROLE)["stateMachineArn"]
            for i in range(10):
                client.call("StartExecution", stateMachineArn=arn, name=f"e{i}", input="{}")
        client.close()
        return server

    def test_a_backup_of_a_running_server_goes_on_by_itself(self):
        self.fill()
        copy = str(self.folder / "copy")
        made = pawl("backup", "--data", self.data, "--to", copy, "--json")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertGreater(json.loads(made.stdout)["bytes"], 0)
        _, client = self.serve(copy)
        arn = "arn:aws:states:us-east-1:000000000000:stateMachine:waits"
        listed = client.call("ListExecutions", stateMachineArn=arn, statusFilter="RUNNING")["executions"]
        self.assertEqual(len(listed), 10)
        client.close()

    def test_a_backup_overwrites_nothing(self):
        self.fill()
        (self.folder / "used").mkdir()
        (self.folder / "used" / "mine").write_text("x")
        refused = pawl("backup", "--data", self.data, "--to", str(self.folder / "used"))
        self.assertEqual(refused.returncode, 2)
        self.assertIn("BACKUP_TARGET_USED", refused.stderr)

    def test_a_backup_of_nothing_is_refused(self):
        refused = pawl("backup", "--data", str(self.folder), "--to", str(self.folder / "copy"))
        self.assertIn("BACKUP_NO_DATABASE", refused.stderr)

    def test_the_doctor_finds_nothing_wrong_after_a_kill(self):
        self.fill().kill()
        healthy = pawl("doctor", "--data", self.data, "--json")
        self.assertEqual(healthy.returncode, 0, healthy.stderr)
        seen = json.loads(healthy.stdout)
        self.assertEqual((seen["executions"], seen["open"], seen["findings"]), (20, 10, 0))

    def test_the_doctor_names_what_is_wrong(self):
        self.fill().kill()
        harms = {
            "UPDATE chunks SET body = substr(body, 1, length(body) - 1) || x'00' WHERE id = (SELECT min(id) FROM chunks)":
                "DOCTOR_EXECUTION",
            "UPDATE live SET wake_ms = wake_ms + 1000000": "DOCTOR_WAKE",
            "DELETE FROM live WHERE execution = (SELECT max(execution) FROM live)": "DOCTOR_LIVE_ROW",
            "DELETE FROM names": "DOCTOR_NAME",
            "UPDATE executions SET status = 1 WHERE id = (SELECT id FROM executions WHERE status = 2 LIMIT 1);"
            "INSERT INTO live(execution, head, attention) SELECT id, head, 0 FROM executions WHERE status = 1 AND head > 0":
                "DOCTOR_STATUS",
        }
        for sql, code in harms.items():
            with self.subTest(code):
                copy = self.folder / code
                self.assertEqual(pawl("backup", "--data", self.data, "--to", str(copy)).returncode, 0)
                with sqlite3.connect(copy / "pawl.db") as database:
                    database.executescript(sql)
                database.close()
                ill = pawl("doctor", "--data", str(copy))
                self.assertEqual(ill.returncode, 1, ill.stderr)
                self.assertIn(code, ill.stderr)

    def test_the_doctor_finds_a_damaged_page(self):
        self.fill().kill()
        copy = self.folder / "copy"
        pawl("backup", "--data", self.data, "--to", str(copy))
        file = copy / "pawl.db"
        content = bytearray(file.read_bytes())
        middle = len(content) // 2
        content[middle:middle + 4096] = b"\xa5" * 4096
        file.write_bytes(content)
        ill = pawl("doctor", "--data", str(copy))
        self.assertIn(ill.returncode, (1, 2))
        self.assertRegex(ill.stderr, "DOCTOR_|STORE_|CATALOG_")

    def test_the_doctor_leaves_a_running_server_alone(self):
        self.fill()
        refused = pawl("doctor", "--data", self.data)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("STORE_IN_USE", refused.stderr)


class Dev(unittest.TestCase):
    def test_what_changes_in_the_folder_is_deployed(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "first.asl.json").write_text(PASS)
            (folder / "note.json").write_text('{"no": "definition"}')
            process = subprocess.Popen([PAWL, "dev", name, "--listen", "127.0.0.1:0", "--json", "--log-level", "off"],
                                       stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
            try:
                url = json.loads(process.stderr.readline())["url"]
                client = Client(int(url.rsplit(":", 1)[1]))
                names = lambda: {machine["name"] for machine in client.call("ListStateMachines")["stateMachines"]}
                wait_until(lambda: names() == {"first"})
                (folder / "second.yaml").write_text("StartAt: P\nStates:\n  P: {Type: Succeed}\n")
                wait_until(lambda: names() == {"first", "second"})
                (folder / "first.asl.json").write_text(WAIT)
                arn = "arn:aws:states:us-east-1:000000000000:stateMachine:first"
                wait_until(lambda: "86400" in client.call("DescribeStateMachine", stateMachineArn=arn)["definition"])
                client.close()
            finally:
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=30)

    def test_no_folder_is_refused(self):
        refused = pawl("dev", "/does/not/exist")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("DEV_NO_FOLDER", refused.stderr)


class Demo(unittest.TestCase):
    def test_every_example_succeeds_on_the_server(self):
        with tempfile.TemporaryDirectory() as data:
            ran = subprocess.run([sys.executable, ROOT / "tools" / "demo", PAWL, "--data", data, "--listen", "127.0.0.1:0",
                                  "--once", "--virtual-time"], capture_output=True, text=True, timeout=120)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.assertIn("Hello", ran.stdout)
        self.assertIn("payment-42", ran.stdout)  # of the durable function


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
