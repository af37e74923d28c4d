#!/usr/bin/env python3
"""Uses the server through the `aws` command, Debian's awscli, as it is.

    awscli_test.py PAWL

Ends with 77, which ctest takes for a skip, and says why, where there is no such command.
"""
import http.client
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

from world import ServerProcess, poll, write_json

COMMAND = sys.argv.pop(1) if len(sys.argv) > 1 else None
SKIPPED = 77
AWS = next((path for path in ("/usr/bin/aws", shutil.which("aws")) if path and os.path.exists(path)), None)
AWS_SECONDS_MAX = 60
END_SECONDS_MAX = 60
ROLE = "arn:aws:iam::000000000000:role/test"
ASK = "arn:aws:states:::sqs:sendMessage.waitForTaskToken"


class Proxy(http.server.BaseHTTPRequestHandler):
    """Stands in for a name server that knows sync-HOST: hands everything to the server, with the Host that the client meant."""
    protocol_version = "HTTP/1.1"
    port = None
    hosts = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.hosts.append(self.headers["Host"])
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request("POST", "/", body, dict(self.headers))
        answer = connection.getresponse()
        given = answer.read()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(given)
        connection.close()

    def log_message(self, *_):
        pass


class AwsCommandTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        tasks = write_json(folder.name, "tasks.json", {ASK: {"exec": ["true"]}})
        cls.server = ServerProcess(COMMAND, str(pathlib.Path(folder.name) / "data"), tasks, more=["--allow-exec"])
        Proxy.port = cls.server.port
        cls.proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
        cls.addClassCleanup(cls.proxy.server_close)
        cls.addClassCleanup(cls.proxy.shutdown)
        threading.Thread(target=cls.proxy.serve_forever, daemon=True).start()

    @classmethod
    def tearDownClass(cls):
        code, said = cls.server.stop()
        assert code == 0, said

    def run_aws(self, operation, *options, **environment):
        settings = {"AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any", "AWS_DEFAULT_REGION": "us-east-1", "AWS_PAGER": "",
                    "AWS_CONFIG_FILE": os.devnull, "AWS_SHARED_CREDENTIALS_FILE": os.devnull, "NO_PROXY": "127.0.0.1"}
        path = {"PATH": "/usr/bin:/bin:" + os.environ.get("PATH", ""), "HOME": os.environ.get("HOME", "/")}
        command = [AWS, "stepfunctions", operation, "--output", "json", "--endpoint-url",
                   environment.pop("endpoint", f"http://127.0.0.1:{self.server.port}"), *options]
        return subprocess.run(command, env={**path, **settings, **environment}, capture_output=True, text=True, timeout=AWS_SECONDS_MAX, check=False)

    def aws(self, operation, *options, **environment):
        done = self.run_aws(operation, *options, **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout) if done.stdout.strip() else {}

    def create(self, name, states, *options):
        definition = json.dumps({"StartAt": next(iter(states)), "States": states})
        return self.aws("create-state-machine", "--name", name, "--definition", definition, "--role-arn", ROLE, *options)["stateMachineArn"]

    def end_of(self, execution):
        def ended():
            described = self.aws("describe-execution", "--execution-arn", execution)
            return described if described["status"] != "RUNNING" else None
        return poll(ended, END_SECONDS_MAX, "the end of the execution")

    def test_a_machine_is_created_run_looked_at_and_deleted(self):
        machine = self.create("hello", {"Hello": {"Type": "Pass", "Result": {"said": "hello"}, "End": True}})
        execution = self.aws("start-execution", "--state-machine-arn", machine, "--name", "one", "--input", '{"a": 1}')["executionArn"]
        ended = self.end_of(execution)
        self.assertEqual((ended["status"], json.loads(ended["output"])), ("SUCCEEDED", {"said": "hello"}))
        events = self.aws("get-execution-history", "--execution-arn", execution)["events"]
        self.assertEqual([event["type"] for event in events], ["ExecutionStarted", "PassStateEntered", "PassStateExited", "ExecutionSucceeded"])
        listed = self.aws("list-executions", "--state-machine-arn", machine, "--status-filter", "SUCCEEDED")["executions"]
        self.assertEqual([item["executionArn"] for item in listed], [execution])
        self.aws("delete-state-machine", "--state-machine-arn", machine)
        gone = self.run_aws("describe-state-machine", "--state-machine-arn", machine)
        self.assertEqual(gone.returncode, 254)
        self.assertIn("(StateMachineDoesNotExist)", gone.stderr)

    def test_a_task_is_answered_by_its_token(self):
        parameters = {"token.$": "$$.Task.Token"}
        machine = self.create("ask", {"Ask": {"Type": "Task", "Resource": ASK, "Parameters": parameters, "End": True}})
        execution = self.aws("start-execution", "--state-machine-arn", machine)["executionArn"]
        events = self.aws("get-execution-history", "--execution-arn", execution)["events"]
        scheduled = next(event for event in events if event["type"] == "TaskScheduled")
        token = json.loads(scheduled["taskScheduledEventDetails"]["parameters"])["token"]
        self.aws("send-task-heartbeat", "--task-token", token)
        self.aws("send-task-success", "--task-token", token, "--task-output", '{"answer": 42}')
        self.assertEqual(json.loads(self.end_of(execution)["output"]), {"answer": 42})

    def test_an_express_machine_is_run_by_way_of_the_host_with_a_prefix(self):
        machine = self.create("quick", {"P": {"Type": "Pass", "End": True}}, "--type", "EXPRESS")
        proxy = f"http://127.0.0.1:{self.proxy.server_address[1]}"
        ended = self.aws("start-sync-execution", "--state-machine-arn", machine, "--input", '{"n": 7}', endpoint="http://states.test:8083",
                         HTTP_PROXY=proxy, http_proxy=proxy)
        self.assertEqual((ended["status"], json.loads(ended["output"])), ("SUCCEEDED", {"n": 7}))
        self.assertEqual(Proxy.hosts[-1], "sync-states.test:8083")


if __name__ == "__main__":
    if COMMAND is None:
        sys.exit(__doc__)
    if AWS is None:
        print("skipped: there is no aws command; install Debian's awscli")
        sys.exit(SKIPPED)
    unittest.main()
