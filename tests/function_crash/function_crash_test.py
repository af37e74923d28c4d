#!/usr/bin/env python3
"""Kills the server and the workers of durable functions with SIGKILL at random moments, while clients use them; then judges it.

    function_crash_test.py PAWL WORKER [--kills N] [--seed N]

Clients invoke a function that has every kind of operation (crash_worker.cpp) and answer its callbacks, each again until it is
acknowledged; and they invoke one that is not durable (plain_worker.py) without waiting for it. Then, with nothing killed any more, every
acknowledged execution must have succeeded with the result that it must have, each step must have run as often as it may, each checkpoint
must stand in its history once, and each call that was accepted must have been made (judge.py). A failure prints its seed and keeps the
data directory.
"""
import argparse
import collections
import contextlib
import http.client
import itertools
import json
import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "server"))
sys.path.insert(0, str(HERE))

from judge import find_violations
from world import ServerProcess, poll

CLIENTS = 3
START_PAUSE_SECONDS_MAX = 0.1
LIFE_SECONDS_MAX = 0.5       # of a server that is killed
BIRTH_SECONDS_MAX = 0.05     # of one that is killed while it starts
KILLED_AT_BIRTH = 0.15       # so many of the kills
WORKERS_KILLED = 0.5         # so many kills are of the server's workers
RIVALS = 0.3                 # so many callbacks are answered twice
END_SECONDS_MAX = 120
NOTE_SECONDS_MAX = 30
REQUEST_SECONDS_MAX = 10
SLOTS = 8
PLAIN_WORKER = HERE / "plain_worker.py"


class Lost(Exception):
    """No answer came: whether the request counted is unknown."""


def ask(port, method, path, body=None, headers=None):
    """(status, headers, parsed body) of one request."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=REQUEST_SECONDS_MAX)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        text = answer.read()
    except (OSError, http.client.HTTPException) as error:
        raise Lost(str(error)) from error
    finally:
        connection.close()
    return answer.status, answer.headers, json.loads(text) if text else None


def execution_path(arn, what=""):
    return "/2025-12-01/durable-executions/" + urllib.parse.quote(arn, safe="") + what


def children_of(pid):
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            found += [int(child) for child in (task / "children").read_text().split()]
        except OSError:
            continue  # a thread that ended just now
    return found


def is_plain(pid):
    """A call that ends with its worker is tried again after a minute, as on AWS: too long for this test."""
    try:
        return PLAIN_WORKER.name in pathlib.Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return False


class Deeds:
    """What the bodies of steps wrote down."""

    def __init__(self, path):
        self.path = path
        self.read_up_to = 0
        self.all = []

    def news(self):
        if not os.path.exists(self.path):
            return []
        with open(self.path, encoding="utf-8") as file:
            file.seek(self.read_up_to)
            lines = file.readlines()
            self.read_up_to = file.tell()
        news = [json.loads(line) for line in lines]
        self.all += news
        return news


class Clients:
    """Invoke and answer, through whichever server there is."""

    def __init__(self, deeds, seed):
        self.random = random.Random(seed)
        self.deeds = deeds
        self.port = None
        self.numbers = itertools.count(1)
        self.starts = {}                               # n: the execution's ARN, once it is acknowledged
        self.notes = set()                             # n of calls of the function that is not durable, once they are accepted
        self.answers = collections.defaultdict(list)   # n: what was sent
        self.questions = []                            # (n, callback, mark) to be answered
        self.problems = []
        self.are_starting = True
        self.is_over = False
        self.threads = [threading.Thread(target=self.invoke_loop) for _ in range(CLIENTS)]
        self.threads.append(threading.Thread(target=self.answer_loop))

    def begin(self):
        for thread in self.threads:
            thread.start()

    def end(self):
        self.is_over = True
        for thread in self.threads:
            thread.join()

    def until_answered(self, once):
        """Calls it with the port until it answers; None where the test ends before."""
        while not self.is_over:
            port = self.port
            if port is not None:
                try:
                    return once(port)
                except Lost:
                    pass
                except Exception as error:  # a refusal that nobody expected
                    self.problems.append(f"a client was refused: {error!r}")
                    return None
            time.sleep(0.01)
        return None

    # --- invocations

    def invoke_loop(self):
        while not self.is_over:
            time.sleep(self.random.uniform(0, START_PAUSE_SECONDS_MAX))
            if self.are_starting:
                n = next(self.numbers)
                self.until_answered(lambda port, n=n: self.invoke(port, n))
                self.until_answered(lambda port, n=n: self.note(port, n))

    def invoke(self, port, n):
        """The name makes it one execution, however often it is asked for."""
        headers = {"X-Amz-Invocation-Type": "Event", "X-Amz-Durable-Execution-Name": f"n{n}"}
        status, answered, body = ask(port, "POST", "/2015-03-31/functions/work:$LATEST/invocations", str(n), headers)
        if status != 202:
            raise RuntimeError(f"invoking {n}: {status} {body}")
        self.starts[n] = answered["X-Amz-Durable-Execution-Arn"]

    def note(self, port, n):
        """Where the answer is lost it is asked for again: such a call may be made more than once."""
        status, _, body = ask(port, "POST", "/2015-03-31/functions/note/invocations", str(n), {"X-Amz-Invocation-Type": "Event"})
        if status != 202:
            raise RuntimeError(f"noting {n}: {status} {body}")
        self.notes.add(n)

    # --- callbacks

    def answer_loop(self):
        while not self.is_over:
            self.take_questions()
            for question in self.questions[:]:
                self.until_answered(lambda port, question=question: self.answer(port, *question))
                self.questions.remove(question)
            time.sleep(0.01)

    def take_questions(self):
        for deed in self.deeds.news():
            if deed["deed"] == "ask":
                times = 2 if self.random.random() < RIVALS else 1
                self.questions += [(deed["n"], deed["detail"], f"m{deed['n']}-{len(self.deeds.all)}-{i}") for i in range(times)]

    def answer(self, port, n, callback, mark):
        path = f"/2025-12-01/durable-execution-callbacks/{urllib.parse.quote(callback, safe='')}/succeed"
        outcome = "lost"
        try:
            status, headers, body = ask(port, "POST", path, mark)
            outcome = "ok" if status == 200 else headers["x-amzn-ErrorType"]
            if status >= 500:
                raise RuntimeError(f"answering {n}: {status} {body}")
        finally:
            self.answers[n].append((mark, outcome))


class Crashes:
    """The server and its workers, which are killed and started again."""

    def __init__(self, command, worker, folder, seed):
        self.random = random.Random(seed)
        self.command, self.data = command, folder + "/data"
        self.functions = [word for name in ("work", "double") for word in ("--function", f"{name}=env PAWL_DURABLE_SLOTS={SLOTS} {worker}")]
        self.functions += ["--plain-function", f"note={sys.executable} {PLAIN_WORKER}"]
        self.kills = 0

    def start(self, wait=True):
        return ServerProcess(self.command, self.data, wait=wait, more=self.functions)

    def kill(self, server):
        server.kill()
        self.kills += 1

    def kill_a_worker(self, server):
        workers = [pid for pid in children_of(server.process.pid) if not is_plain(pid)]
        with contextlib.suppress(IndexError, ProcessLookupError):  # there is none, or it has just ended
            os.kill(self.random.choice(workers), signal.SIGKILL)
            self.kills += 1

    def play(self, clients, until):
        """One life of the server."""
        if self.random.random() < KILLED_AT_BIRTH:
            server = self.start(wait=False)
            time.sleep(self.random.uniform(0, BIRTH_SECONDS_MAX))
            return self.kill(server)
        server = self.start()
        clients.port = server.port
        while self.kills < until:
            time.sleep(self.random.uniform(0, LIFE_SECONDS_MAX))
            if server.process.poll() is not None:
                clients.problems.append(f"the server ended by itself: {server.process.stderr.read()!r}")
            if self.random.random() >= WORKERS_KILLED:
                break
            self.kill_a_worker(server)
        clients.port = None
        return self.kill(server)


def look(port, arn):
    """How it ended; None while it runs."""
    status, _, described = ask(port, "GET", execution_path(arn))
    if status != 200:
        return {"status": f"{status} {described}", "result": None, "events": []}
    if described["Status"] == "RUNNING":
        return None
    events, marker = [], ""
    while marker is not None:
        _, _, page = ask(port, "GET", execution_path(arn, f"/history?MaxItems=1000&Marker={urllib.parse.quote(marker, safe='')}"))
        events += page["Events"]
        marker = page.get("NextMarker")
    result = json.loads(described["Result"]) if "Result" in described else described.get("Error")
    return {"status": described["Status"], "result": result, "events": events}


def play(arguments, folder):
    os.environ["PAWL_DEEDS"] = folder + "/deeds.jsonl"
    deeds = Deeds(os.environ["PAWL_DEEDS"])
    crashes = Crashes(arguments.pawl, arguments.worker, folder, arguments.seed)
    clients = Clients(deeds, arguments.seed)
    clients.begin()
    while crashes.kills < arguments.kills and not clients.problems:
        crashes.play(clients, arguments.kills)
    server = crashes.start()
    clients.port, clients.are_starting = server.port, False
    ends = {}

    def all_have_ended():
        for n in [n for n in list(clients.starts) if n not in ends]:
            seen = look(server.port, clients.starts[n])
            if seen is None:
                return False
            ends[n] = seen
        return True

    try:
        poll(all_have_ended, END_SECONDS_MAX, "the end of every execution")
    except TimeoutError:
        open_ones = [n for n in clients.starts if n not in ends]
        clients.problems.append(f"{len(open_ones)} executions are stuck: {open_ones[:10]}")
    clients.end()
    deeds.news()

    def all_are_noted():
        deeds.news()
        return clients.notes <= {deed["n"] for deed in deeds.all if deed["deed"] == "note"}

    try:
        poll(all_are_noted, NOTE_SECONDS_MAX, "every call that was accepted")
    except TimeoutError:
        pass  # the judge says which
    server.stop()
    starts = {n: arn for n, arn in clients.starts.items() if n in ends}
    violations = clients.problems + find_violations(starts, ends, deeds.all, clients.answers, clients.notes)
    counts = f"{len(clients.starts)} acknowledged executions, {len(clients.notes)} accepted calls, {len(deeds.all)} bodies run"
    return violations, f"{crashes.kills} kills, {counts}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pawl")
    parser.add_argument("worker")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="pawl-function-crash-")
    violations, counts = play(arguments, folder)
    print(f"seed {arguments.seed}: {counts}, {len(violations)} violations")
    if violations:
        print("\n".join(violations[:20]))
        print(f"the data directory is kept in {folder}")
        return 1
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
