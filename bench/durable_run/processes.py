"""Servers, workers and load as processes, and what they took of the machine."""
import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import time

BENCH = pathlib.Path(__file__).resolve().parents[1]
BINARIES = pathlib.Path(os.environ.get("PAWL_BINARIES", BENCH.parent / "build/bin"))
ANSWER_SECONDS_MAX = 60


def rss_mb(pid):
    return status_kb(pid, "VmRSS") / 1024


def peak_rss_mb(pid):
    return status_kb(pid, "VmHWM") / 1024


def status_kb(pid, field):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1])
    raise RuntimeError(f"/proc has no {field}")


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def request(port, method, path, body=b"", headers=None, patience=ANSWER_SECONDS_MAX):
    """(status, body) of one request on a connection of its own; OSError where there is no answer."""
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: {len(body)}\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in (headers or {}).items())
    with socket.create_connection(("127.0.0.1", port), timeout=patience) as connection:
        connection.sendall(head.encode() + b"\r\n" + body)
        received = b""
        while chunk := connection.recv(65536):
            received += chunk
    head, _, body = received.partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 "):
        raise OSError("no HTTP answer")
    return int(head.split()[1]), body


def wait_until(condition, what, seconds=ANSWER_SECONDS_MAX, pause=0.01):
    """What condition() gives, once that is true; failed connections count as false."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            if result := condition():
                return result
        time.sleep(pause)
    raise RuntimeError(f"{what}: not within {seconds} s")


def load(port, path, headers, body, connections, requests=None, seconds=None, warm_up=0):
    """What load_generator measured."""
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(body)
        file.flush()
        command = [BINARIES / "load_generator", "--port", str(port), "--path", path, "--body", file.name,
                   "--connections", str(connections), "--warm-up", str(warm_up)]
        for name, value in headers.items():
            command += ["--header", f"{name}: {value}"]
        command += ["--requests", str(requests)] if requests is not None else ["--seconds", str(seconds)]
        measured = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    if measured["failed"]:
        raise RuntimeError(f"{measured['failed']} of {measured['requests']} requests failed")
    return measured


class Process:
    """A program that is ended with this object."""

    def __init__(self, command, **options):
        self.process = subprocess.Popen([str(word) for word in command], **options)
        self.pid = self.process.pid

    def end(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


class TaskWorker(Process):
    """bench/task_worker.cpp."""

    def __init__(self):
        super().__init__([BINARIES / "task_worker"], stdout=subprocess.PIPE)
        self.url = f"http://127.0.0.1:{int(self.process.stdout.readline())}/"
