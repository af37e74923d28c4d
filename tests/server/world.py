"""What tests of the running server stand on: its process, and a client that remembers nothing."""
import atexit
import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

READY_SECONDS_MAX = 30
REQUEST_SECONDS_MAX = 30


class Refused(Exception):
    """The server answered with an error of the protocol."""

    def __init__(self, kind, message):
        super().__init__(f"{kind}: {message}")
        self.kind = kind


class Lost(Exception):
    """No answer came: whether the request counted is unknown."""


class Client:
    """One connection, for one thread."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=REQUEST_SECONDS_MAX)

    def call(self, operation, **fields):
        headers = {"X-Amz-Target": f"AWSStepFunctions.{operation}", "Content-Type": "application/x-amz-json-1.0"}
        status, body = self.request("POST", "/", json.dumps(fields), headers)
        parsed = json.loads(body)
        if status != 200:
            raise Refused(parsed.get("__type"), parsed.get("message"))
        return parsed

    def request(self, method, path, body=None, headers=None):
        """Any request: the status and the body of its answer."""
        try:
            self.connection.request(method, path, body, headers or {})
            answer = self.connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.connection.close()
            raise Lost(str(error)) from error

    def close(self):
        self.connection.close()


living = set()  # servers that must not outlive the test, however it ends


@atexit.register
def kill_living():
    for server in list(living):
        server.kill()


signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by SIGTERM"))


class ServerProcess:
    """`pawl serve` on a data directory; every start takes a free port."""

    def __init__(self, command, directory, tasks=None, wait=True, more=(), before_exec=None):
        self.process = subprocess.Popen(
            [command, "serve", "--data", directory, "--listen", "127.0.0.1:0", "--shards", "2", "--log-level", "error",
             "--json", *more,
             *(["--tasks", tasks] if tasks else [])],
            stderr=subprocess.PIPE, preexec_fn=before_exec)
        living.add(self)
        self.port = None
        if wait:
            self.wait_for_banner()

    def wait_for_banner(self):
        banner = self.process.stderr.readline()
        if not banner.startswith(b'{"url"'):
            raise RuntimeError(f"the server did not start: {banner!r}")
        self.port = int(json.loads(banner)["url"].rsplit(":", 1)[1])

    def kill(self):
        living.discard(self)
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stderr.close()

    def stop(self):
        """Ends it as an operator would; gives what it said."""
        self.process.send_signal(signal.SIGTERM)
        said = self.process.stderr.read()
        self.process.stderr.close()
        code = self.process.wait(READY_SECONDS_MAX)
        living.discard(self)
        return code, said


def poll(condition, seconds, what):
    """Waits until the condition gives something; fails loudly when it never does."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    raise TimeoutError(f"{what}: not within {seconds} s")


def write_json(folder, name, value):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file)
    return path


class CommandTest(unittest.TestCase):
    """Commands against a server with an empty data directory; the subclass names the command."""

    command = None
    more = ()
    seconds_max = 60

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.server = ServerProcess(self.command, folder.name, more=self.more)
        self.addCleanup(lambda: self.server.process.poll() is None and self.server.kill())
        self.client = Client(self.server.port)
        self.addCleanup(self.client.close)

    def arguments(self, *words):
        return [self.command, *words, "--endpoint", f"http://127.0.0.1:{self.server.port}"]

    def pawl(self, *words, code=0):
        done = subprocess.run(self.arguments(*words), capture_output=True, text=True, timeout=self.seconds_max)
        self.assertEqual(done.returncode, code, done.stderr)
        return done
