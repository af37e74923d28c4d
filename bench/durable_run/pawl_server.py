"""`pawl serve` as the benchmarks use it."""
import json
import re
import signal
import subprocess
import time

from .processes import BENCH, BINARIES, Process, load, request, wait_until

ROLE = "arn:aws:iam::000000000000:role/bench"
MACHINES = ("chain", "tasks", "sleep")


def headers_of(operation):
    return {"X-Amz-Target": f"AWSStepFunctions.{operation}", "Content-Type": "application/x-amz-json-1.0"}


class PawlServer(Process):
    """A server on a data directory, with a state machine for each of MACHINES and an EXPRESS one, "express"."""

    def __init__(self, directory, tasks=None, function=None, slots=1):
        self.directory = directory
        command = [BINARIES / "pawl", "serve", "--data", directory, "--listen", "127.0.0.1:0", "--log-level", "error", "--json"]
        if tasks is not None:
            command += ["--tasks", tasks]
        if function is not None:
            command += ["--function", f"steps=env PAWL_DURABLE_SLOTS={slots} {function}"]
        self.started = time.monotonic()
        super().__init__(command, stderr=subprocess.PIPE)
        banner = self.process.stderr.readline()
        if not banner.startswith(b"{"):
            raise RuntimeError(f"the server did not start: {banner!r}")
        self.port = int(json.loads(banner)["url"].rsplit(":", 1)[1])

    def call(self, operation, **fields):
        status, body = request(self.port, "POST", "/", json.dumps(fields).encode(), headers_of(operation))
        if status != 200:
            raise RuntimeError(f"{operation}: {body!r}")
        return json.loads(body)

    def deploy(self):
        for name in MACHINES:
            text = (BENCH / f"machines/{name}.asl.json").read_text()
            self.call("CreateStateMachine", name=name, definition=text, roleArn=ROLE)
        chain = (BENCH / "machines/chain.asl.json").read_text()
        self.call("CreateStateMachine", name="express", definition=chain, roleArn=ROLE, type="EXPRESS")

    def load(self, operation, machine, data, connections, **how_much):
        arn = f"arn:aws:states:us-east-1:000000000000:stateMachine:{machine}"
        body = json.dumps({"stateMachineArn": arn, "input": json.dumps(data)})
        return load(self.port, "/", headers_of(operation), body, connections, **how_much)

    def invoke(self, what, connections, asynchronous=False, **how_much):
        """Calls of the durable function "steps"."""
        headers = {"Content-Type": "application/json", "X-Amz-Invocation-Type": "Event" if asynchronous else "RequestResponse"}
        return load(self.port, "/2015-03-31/functions/steps/invocations?Qualifier=$LATEST", headers, json.dumps(what), connections, **how_much)

    def metric(self, name):
        """The sum over all its labels."""
        _, body = request(self.port, "GET", "/metrics")
        return int(sum(float(value) for value in re.findall(rf"^{name}(?:{{.*}})? (\S+)$", body.decode(), re.MULTILINE)))

    def closed(self):
        return self.metric("pawl_executions_closed_total")

    def first_answer_seconds(self):
        """From the start of the process to its first answered start of an execution."""
        arn = "arn:aws:states:us-east-1:000000000000:stateMachine:chain"
        wait_until(lambda: self.call("StartExecution", stateMachineArn=arn, input="{}"), "a first answer", pause=0.001)
        return time.monotonic() - self.started

    def kill(self):
        self.end(signal.SIGKILL)
