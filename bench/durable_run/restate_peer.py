"""Restate and its Node service, as the benchmarks use them."""
import contextlib
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import time

from .processes import BENCH, Process, free_port, load, request, wait_until

FOLDER = BENCH / "peers/restate"
NODE_MAJOR_MIN = 22
PARTITIONS = 4  # the fastest number found on two cores; its default is 24
JSON = {"Content-Type": "application/json"}


def install():
    """Whether the peer is there."""
    if shutil.which("npm") is None:
        print("bench: npm is missing, so Pawl's server is measured alone", file=sys.stderr)
        return False
    if not (FOLDER / "node_modules/.package-lock.json").exists():
        command = ["npm", "ci", "--engine-strict=false", "--loglevel=error"]
        if subprocess.run(command, cwd=FOLDER, stdout=sys.stderr).returncode != 0:
            print("bench: npm cannot install Restate, so Pawl's server is measured alone", file=sys.stderr)
            return False
    return server_program() is not None and node_program() is not None


def node_major(program):
    with contextlib.suppress(OSError, subprocess.CalledProcessError, ValueError):
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
        return int(said.lstrip("v").split(".")[0])
    return 0


def node_program():
    """The machine's own Node where it is new enough for the SDK, else the one that npm installed beside it."""
    beside = sorted(str(path) for path in FOLDER.glob("node_modules/node-linux-*/bin/node"))
    return next((node for node in ["node", *beside] if node_major(node) >= NODE_MAJOR_MIN), None)


def server_program():
    return next(iter(FOLDER.glob("node_modules/@restatedev/restate-server-linux-*/bin/restate-server")), None)


class Restate:
    """A server with its defaults but for the partitions, on loopback, and the service of peers/restate."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)
        self.ingress, self.admin, self.node, service = (free_port() for _ in range(4))
        self.configuration = self.directory / "restate.toml"
        self.configuration.write_text(self.configuration_text())
        self.service = Process([node_program(), FOLDER / "service.mjs", service], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
        self.start_server()
        self.register(service)

    def configuration_text(self):
        return "\n".join([
            'cluster-name = "bench"', 'node-name = "one"', f'base-dir = "{self.directory / "data"}"',
            "disable-telemetry = true", 'log-filter = "error"', f"default-num-partitions = {PARTITIONS}",
            f'bind-address = "127.0.0.1:{self.node}"', f'advertised-address = "http://127.0.0.1:{self.node}/"',
            f'[admin]\nbind-address = "127.0.0.1:{self.admin}"', f'[ingress]\nbind-address = "127.0.0.1:{self.ingress}"',
            '[worker.invoker]\ninactivity-timeout = "1s"', ""])

    def start_server(self):
        self.started = time.monotonic()
        log = (self.directory / "log").open("ab")
        self.server = Process([server_program(), "--no-logo", "-c", self.configuration], stdout=log, stderr=log)
        self.pid = self.server.pid
        wait_until(lambda: request(self.admin, "GET", "/health")[0] == 200, "Restate's health")

    def register(self, port):
        body = json.dumps({"uri": f"http://127.0.0.1:{port}"}).encode()
        wait_until(lambda: request(self.admin, "POST", "/deployments", body, JSON)[0] in (200, 201), "Restate's deployment")

    def call(self, handler):
        return request(self.ingress, "POST", f"/steps/{handler}", b"{}", JSON)[0] in (200, 202)

    def load(self, handler, connections, **how_much):
        return load(self.ingress, f"/steps/{handler}", JSON, "{}", connections, **how_much)

    def suspended(self):
        query = json.dumps({"query": "select count(*) as n from sys_invocation where status = 'suspended'"}).encode()
        _, body = request(self.admin, "POST", "/query", query, {**JSON, "Accept": "application/json"})
        return int(body.decode().split('"n":')[1].split("}")[0])

    def first_answer_seconds(self):
        wait_until(lambda: self.call("none"), "Restate's first answer", pause=0.005)
        return time.monotonic() - self.started

    def kill(self):
        self.server.end(signal.SIGKILL)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(Exception):
            self.server.end(signal.SIGKILL)
        self.service.end(signal.SIGKILL)
