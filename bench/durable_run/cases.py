"""What is measured of a server. A case gives one round's numbers for Pawl and for the peer, as dictionaries."""
import contextlib
import datetime
import json
import os
import socket
import statistics
import subprocess
import tempfile
import time

from .pawl_server import PawlServer
from .processes import BINARIES, Process, TaskWorker, cpu_seconds, peak_rss_mb, rss_mb, wait_until
from .restate_peer import Restate

ORDER = {"orderId": "o-12345", "amount": 42.5, "items": [{"sku": "a", "qty": 1}, {"sku": "b", "qty": 2}]}
CONNECTIONS = 64
SYNCS = 200
SYNC_BYTES = 4096


class Setting:
    """How much is measured, and where the data directories are."""

    def __init__(self, folder, seconds, scale):
        self.folder = folder
        self.seconds = seconds
        self.scale = scale  # 1: whole; 0.01: one hundredth of everything that is counted

    def count(self, whole):
        return max(1, int(whole * self.scale))

    @contextlib.contextmanager
    def directory(self):
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            yield name

    @contextlib.contextmanager
    def pawl(self, tasks=None):
        with self.directory() as name, PawlServer(name, tasks) as server:
            server.deploy()
            yield server

    @contextlib.contextmanager
    def restate(self):
        with self.directory() as name, Restate(name) as peer:
            wait_until(lambda: peer.call("none"), "Restate's first answer")
            yield peer

    def how_much(self):
        return {"seconds": self.seconds, "warm_up": self.seconds / 4}


def sync_ms(folder):
    """The median time of an append of 4 KiB and its fdatasync."""
    block = os.urandom(SYNC_BYTES)
    times = []
    with tempfile.NamedTemporaryFile(dir=folder, buffering=0) as file:
        for _ in range(SYNCS):
            begin = time.perf_counter()
            file.write(block)
            os.fdatasync(file.fileno())
            times.append((time.perf_counter() - begin) * 1000)
    return statistics.median(times)


def with_cpu(server, measure):
    """What was measured, and the server's CPU time for a request."""
    before = cpu_seconds(server.pid)
    measured = measure()
    spent = cpu_seconds(server.pid) - before
    return {**measured, "cpu_us": spent / measured["requests"] * 1e6}


# --- rates

def starts_pawl(setting):
    with setting.pawl() as server:
        return with_cpu(server, lambda: server.load("StartExecution", "chain", ORDER, CONNECTIONS, **setting.how_much()))


def starts_peer(setting):
    with setting.restate() as peer:
        return peer.load("none/send", CONNECTIONS, **setting.how_much())


def alone_pawl(setting):
    with setting.pawl() as server:
        before = sync_ms(server.directory)
        measured = server.load("StartExecution", "chain", ORDER, 1, **setting.how_much())
        measured["sync_ms"] = (before + sync_ms(server.directory)) / 2
        return measured


def alone_peer(setting):
    with setting.restate() as peer:
        return peer.load("none/send", 1, **setting.how_much())


def express_pawl(setting):
    with setting.pawl() as server:
        return with_cpu(server, lambda: server.load("StartSyncExecution", "express", ORDER, CONNECTIONS, **setting.how_much()))


def express_peer(setting):
    with setting.restate() as peer:
        return peer.load("none", CONNECTIONS, **setting.how_much())


# --- tasks

TASKS_EACH = 10
TASK_EXECUTIONS = 5_000
PEER_INVOCATIONS_AT_ONCE = 128


def tasks_pawl(setting):
    executions = setting.count(TASK_EXECUTIONS)
    with TaskWorker() as worker, tempfile.NamedTemporaryFile("w", suffix=".json") as tasks:
        json.dump({"worker": {"http": worker.url}}, tasks)
        tasks.flush()
        with setting.pawl(tasks.name) as server:
            cpu = cpu_seconds(server.pid)
            begin = time.monotonic()
            server.load("StartExecution", "tasks", ORDER, CONNECTIONS, requests=executions)
            wait_until(lambda: server.closed() >= executions, "the end of every execution", seconds=600, pause=0.005)
            seconds = time.monotonic() - begin
            cpu = cpu_seconds(server.pid) - cpu
    done = executions * TASKS_EACH
    return {"requests": done, "rate": done / seconds, "cpu_us": cpu / done * 1e6}


def tasks_peer(setting):
    with setting.restate() as peer:
        measured = peer.load("ten", PEER_INVOCATIONS_AT_ONCE, **setting.how_much())
    return {"requests": measured["requests"] * TASKS_EACH, "rate": measured["rate"] * TASKS_EACH}


# --- a process that has nothing to do

SETTLE_SECONDS = 0.5  # for the threads that a start made


def idle_pawl(setting):
    with setting.directory() as name:
        with PawlServer(name) as server:
            server.deploy()
        with PawlServer(name) as server:
            seconds = server.first_answer_seconds()
            time.sleep(SETTLE_SECONDS)
            return {"start_ms": seconds * 1000, "rss_mb": rss_mb(server.pid)}


def idle_peer(setting):
    with setting.restate() as peer:
        peer.kill()
        peer.start_server()
        seconds = peer.first_answer_seconds()
        time.sleep(SETTLE_SECONDS)
        return {"start_ms": seconds * 1000, "rss_mb": rss_mb(peer.pid)}


# --- many that are closed

CLOSED = 1_000_000
WINDOWS = 5


def closed_pawl(setting):
    """The rate of starts in a new data directory and in one with many closed executions, a window of one each in turn."""
    with setting.pawl() as full, setting.pawl() as fresh:
        full.load("StartExecution", "chain", ORDER, CONNECTIONS, requests=setting.count(CLOSED))
        rates = {full: [], fresh: []}
        costs = {full: [], fresh: []}
        for _ in range(WINDOWS):
            for server, windows in rates.items():
                how_much = setting.how_much()
                measured = with_cpu(server, lambda: server.load("StartExecution", "chain", ORDER, CONNECTIONS, **how_much))
                windows.append(measured["rate"])
                costs[server].append(measured["cpu_us"])
    before, after = statistics.median(rates[fresh]), statistics.median(rates[full])
    return {"count": setting.count(CLOSED), "before": before, "after": after, "change": after / before - 1, "cpu_us": statistics.median(costs[full]),
            "cpu_change": statistics.median(costs[full]) / statistics.median(costs[fresh]) - 1}


# --- many that sleep

SLEEPERS = 1_000_000
PEER_SLEEPERS = 10_000
CREATED_A_SECOND_MIN = 8_000
SLEEP_SECONDS_MIN = 4
SLEEP_ATTEMPTS = 5


def due_in(seconds):
    due = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return due.replace(microsecond=0)


class DueTooSoon(Exception):
    """The sleepers were due before all of them slept."""


def sleepers_pawl(setting):
    """Tries again with more time where the machine was too slow to put all to sleep before they are due."""
    count = setting.count(SLEEPERS)
    seconds = SLEEP_SECONDS_MIN + count / CREATED_A_SECOND_MIN
    for attempt in range(SLEEP_ATTEMPTS):
        with contextlib.suppress(DueTooSoon):
            return sleep_and_drain(setting, count, due_in(seconds * 2 ** attempt))
    raise RuntimeError("the sleepers were due before all of them slept")


def sleep_and_drain(setting, count, due):
    until = {"until": due.isoformat().replace("+00:00", "Z")}
    with setting.directory() as name:
        with PawlServer(name) as server:
            server.deploy()
            created = server.load("StartExecution", "sleep", until, CONNECTIONS, requests=count)
            asleep_mb = rss_mb(server.pid)
            server.kill()
        with PawlServer(name) as server:
            restart = server.first_answer_seconds()
            restarted_mb = rss_mb(server.pid)
            if datetime.datetime.now(datetime.timezone.utc) >= due:
                raise DueTooSoon
            drained = drain(server, due, count)
            return {"count": count, "created": created["rate"], "rss_mb": asleep_mb, "rss_restarted_mb": restarted_mb,
                    "restart_s": restart, "peak_rss_mb": peak_rss_mb(server.pid), **drained}


def drain(server, due, count):
    """How fast the sleepers ended, and how many of them before they were due. The first answer's execution is not one."""
    begin = due.timestamp()
    while time.time() < begin - 0.2:
        time.sleep(0.01)
    early = server.closed() - 1
    early = max(early, 0) if time.time() < begin else 0
    cpu = cpu_seconds(server.pid)
    wait_until(lambda: server.closed() > count, "the last sleeper's end", seconds=600, pause=0.02)
    seconds = time.time() - begin
    return {"drained": count / seconds, "early": early, "drain_cpu_us": (cpu_seconds(server.pid) - cpu) / count * 1e6}


def sleepers_peer(setting):
    count = setting.count(PEER_SLEEPERS)
    with setting.restate() as peer:
        before = rss_mb(peer.pid)
        created = peer.load("sleep/send", CONNECTIONS, requests=count)
        wait_until(lambda: peer.suspended() >= count, "every sleeper's suspension", seconds=600, pause=0.5)
        asleep = rss_mb(peer.pid)
        peer.kill()
        peer.start_server()
        return {"count": count, "created": created["rate"], "rss_mb": asleep, "kb_each": (asleep - before) * 1024 / count,
                "restart_s": peer.first_answer_seconds()}


# --- events

EVENTS = 100_000
WAITING_FEW, WAITING_MANY = 10_000, 1_000_000


def deliver_events(setting, waiting, events):
    """The engine in a process of its own: executions that each wait for an event with a value of their own, and events for some of them."""
    with setting.directory() as name:
        command = [BINARIES / "event_correlation", "--waiting", str(waiting), "--events", str(events), "--data", name]
        return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def events_pawl(setting):
    few, many, events = setting.count(WAITING_FEW), setting.count(WAITING_MANY), setting.count(EVENTS)
    before = deliver_events(setting, few, events)  # in rounds: as many events as with many waiting
    all_reached = deliver_events(setting, events, events)
    after = deliver_events(setting, many, events)
    return {"waiting": events, "rate": all_reached["rate"], "cpu_us": all_reached["cpu_us"], "few": few, "many": many, "before": before["rate"],
            "after": after["rate"], "change": after["rate"] / before["rate"] - 1, "cpu_change": after["cpu_us"] / before["cpu_us"] - 1,
            "exactly_once": all(run["exactly_once"] for run in (before, all_reached, after))}


# --- durable functions

FUNCTION_CALLS_AT_ONCE = 128
STEPS_EACH = 10
SUSPENDED = 100_000
WORKER_STARTS = 15


@contextlib.contextmanager
def function_server(setting, slots):
    with setting.directory() as name, PawlServer(name, function=BINARIES / "function_worker", slots=slots) as server:
        server.invoke("ten", 1, requests=1)
        yield server


def functions_pawl(setting):
    with function_server(setting, FUNCTION_CALLS_AT_ONCE) as server:
        measured = with_cpu(server, lambda: server.invoke("ten", FUNCTION_CALLS_AT_ONCE, **setting.how_much()))
    return {**measured, "rate": measured["rate"] * STEPS_EACH, "cpu_us": measured["cpu_us"] / STEPS_EACH}


def functions_alone_pawl(setting):
    with function_server(setting, 1) as server:
        before = sync_ms(server.directory)
        measured = server.invoke("ten", 1, **setting.how_much())
        measured["sync_ms"] = (before + sync_ms(server.directory)) / 2
        return measured


def functions_alone_peer(setting):
    with setting.restate() as peer:
        return peer.load("ten", 1, **setting.how_much())


def suspended_pawl(setting):
    count = setting.count(SUSPENDED)
    with function_server(setting, FUNCTION_CALLS_AT_ONCE) as server:
        before = rss_mb(server.pid)
        server.invoke("asleep", CONNECTIONS, asynchronous=True, requests=count)
        asleep = lambda: server.metric("pawl_executions_open") >= count and server.metric("pawl_tasks_in_flight") == 0  # noqa: E731
        wait_until(asleep, "every execution's wait", seconds=600, pause=0.2)
        return {"count": count, "before_mb": before, "rss_mb": rss_mb(server.pid)}


def start_of_worker(program):
    """Milliseconds from the start of the process to its first request, and the memory it has then."""
    with socket.create_server(("127.0.0.1", 0)) as runtime:
        surroundings = {**os.environ, "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{runtime.getsockname()[1]}"}
        begin = time.perf_counter()
        with Process([BINARIES / program], env=surroundings) as worker:
            connection, _ = runtime.accept()
            with connection:
                connection.recv(1)
                measured = (time.perf_counter() - begin) * 1000, rss_mb(worker.pid)
                worker.end()
                return measured


# Spec: 13.2.1-2
def function_start_pawl(_):
    """What the SDK adds to the start of a process, beside one that speaks to its runtime by itself."""
    runs = {program: [start_of_worker(program) for _ in range(WORKER_STARTS)] for program in ("function_worker", "plain_worker")}
    medians = {program: [statistics.median(column) for column in zip(*measured)] for program, measured in runs.items()}
    (start_ms, megabytes), (plain_ms, plain_mb) = medians["function_worker"], medians["plain_worker"]
    return {"start_ms": start_ms, "plain_ms": plain_ms, "mb": megabytes, "plain_mb": plain_mb}


# name, Pawl's side, the peer's, whether it is measured in every round
CASES = {
    "starts": (starts_pawl, starts_peer, True),
    "alone": (alone_pawl, alone_peer, True),
    "tasks": (tasks_pawl, tasks_peer, True),
    "express": (express_pawl, express_peer, True),
    "idle": (idle_pawl, idle_peer, True),
    "closed": (closed_pawl, None, False),
    "sleepers": (sleepers_pawl, sleepers_peer, False),
    "events": (events_pawl, None, False),
    "functions": (functions_pawl, tasks_peer, True),
    "functions-alone": (functions_alone_pawl, functions_alone_peer, True),
    "suspended": (suspended_pawl, None, False),
    "function-start": (function_start_pawl, None, True),
}
