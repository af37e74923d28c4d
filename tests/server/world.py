"""What the test of kills is made of: a server process, a client that remembers nothing, and a worker for tasks."""
import http.client
import http.server
import json
import os
import signal
import subprocess
import threading
import time

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
        try:
            self.connection.request("POST", "/", json.dumps(fields), headers)
            answer = self.connection.getresponse()
            body = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.connection.close()
            raise Lost(str(error)) from error
        parsed = json.loads(body)
        if answer.status != 200:
            raise Refused(parsed.get("__type"), parsed.get("message"))
        return parsed


class ServerProcess:
    """`pawl serve` on a data directory; every start takes a free port."""

    def __init__(self, command, directory, tasks):
        self.process = subprocess.Popen(
            [command, "serve", "--data", directory, "--listen", "127.0.0.1:0", "--tasks", tasks, "--shards", "2", "--json"],
            stderr=subprocess.PIPE)
        banner = self.process.stderr.readline()
        if not banner.startswith(b'{"url"'):
            raise RuntimeError(f"the server did not start: {banner!r}")
        self.port = int(json.loads(banner)["url"].rsplit(":", 1)[1])

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stderr.close()

    def stop(self):
        """Ends it as an operator would; gives what it said."""
        self.process.send_signal(signal.SIGTERM)
        said = self.process.stderr.read()
        self.process.stderr.close()
        return self.process.wait(READY_SECONDS_MAX), said


class Worker:
    """Answers tasks: /double at once, /ask by a token that someone must send back later."""

    def __init__(self):
        self.lock = threading.Lock()
        self.bodies = {}  # by idempotency key
        self.contradictions = []
        self.calls = 0
        self.tokens = {}  # token -> the number that came with it
        worker = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                worker.note(self.headers["Idempotency-Key"], self.path, body)
                answer = json.dumps({"doubled": 2 * body["n"]} if self.path == "/double" else {}).encode()
                try:
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(answer)))
                    self.end_headers()
                    self.wfile.write(answer)
                except OSError:
                    pass  # the server was killed: it will ask again

            def log_message(self, *_):
                pass

        class QuietServer(http.server.ThreadingHTTPServer):
            request_queue_size = 128

            def handle_error(self, *_):
                pass  # a connection that a kill cut off

        self.server = QuietServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def note(self, key, path, body):
        with self.lock:
            self.calls += 1
            if self.bodies.setdefault(key, (path, body)) != (path, body):
                self.contradictions.append(key)
            if path == "/ask":
                self.tokens[body["token"]] = body["n"]

    def close(self):
        self.server.shutdown()
        self.server.server_close()


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
