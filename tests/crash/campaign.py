"""The clients of the crash test: they start, answer, beat, stop, redrive, send events and repeat, and write down every answer in the journal."""
import heapq
import itertools
import json
import queue
import random
import threading
import time

from event_client import EventClient
from flows import Flow
from kinds import ACTIVITY, PREFIX
from world import Client, Lost, Refused

STARTERS = 3
POLLERS = 2               # workers that ask for activities
START_PAUSE_SECONDS_MAX = 0.06
PATIENCE_SECONDS = 0.01   # of a client that has nothing to do
BEAT_SECONDS = 0.3
BEATS_MAX = 5
REPEATED = 0.1            # so many of the named starts are sent once more
RIVALS = 0.3              # so many answers are sent twice, with different contents
ROLE = "arn:aws:iam::000000000000:role/test"


class Journal:
    """Records in memory; `add` may be called from any thread."""

    def __init__(self):
        self.lock = threading.Lock()
        self.records = []

    def add(self, what, **fields):
        with self.lock:
            self.records.append({"what": what, **fields})

    def of(self, what):
        return [record for record in self.records if record["what"] == what]

    def clear(self):
        self.records = []

    def write(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(record) + "\n" for record in self.records)


class Gate:
    """Where the server is now; closed while there is none."""

    def __init__(self):
        self.changed = threading.Condition()
        self.port = None
        self.is_over = False

    def open(self, port):
        with self.changed:
            self.port = port
            self.changed.notify_all()

    def close(self):
        with self.changed:
            self.port = None

    def end(self):
        with self.changed:
            self.is_over = True
            self.changed.notify_all()

    def wait(self):
        """The port of the next server, or None when there will be none."""
        with self.changed:
            self.changed.wait_for(lambda: self.port is not None or self.is_over)
            return None if self.is_over else self.port


class Agenda:
    """What is to be done about tokens and executions, and when."""

    def __init__(self):
        self.lock = threading.Lock()
        self.order = itertools.count()
        self.entries = []

    def put(self, due, job):
        with self.lock:
            heapq.heappush(self.entries, (due, next(self.order), job))

    def take(self):
        with self.lock:
            if self.entries and self.entries[0][0] <= time.monotonic():
                return heapq.heappop(self.entries)[2]
        return None


class Campaign:
    def __init__(self, kinds, worker, journal, seed):
        self.kinds = {kind.name: kind for kind in kinds}
        self.worker = worker
        self.journal = journal
        self.random = random.Random(seed)
        self.gate = self.agenda = None  # of the chapter
        self.threads = self.pollers = []
        self.events = EventClient(journal, self.random)
        self.doubtful = queue.SimpleQueue()  # starts with a name that were sent and never answered
        self.unstarted = set()               # n of workflows whose start is not answered yet
        self.numbers = itertools.count(1)
        self.marks = itertools.count(1)
        self.problems = []
        self.are_starting = False

    def begin(self):
        self.gate, self.agenda, self.are_starting = Gate(), Agenda(), True
        self.events.agenda = self.agenda
        self.threads = self.run_threads([self.start_one] * STARTERS + [self.do_one] * 2)
        self.pollers = self.run_threads([self.take_activity] * POLLERS)

    def run_threads(self, jobs):
        threads = [threading.Thread(target=self.client_loop, args=(job,), daemon=True) for job in jobs]
        for thread in threads:
            thread.start()
        return threads

    def end(self):
        """Those that ask for activities wait for an answer as long as there is a server: `end_pollers` when there is none."""
        self.gate.end()
        for thread in self.threads:
            thread.join()

    def has_more_to_send(self):
        """Whether an event, or the start of a workflow that takes some, is not yet accepted."""
        return bool(self.events.pending or self.unstarted)

    def end_pollers(self):
        for thread in self.pollers:
            thread.join()

    def client_loop(self, job):
        while (port := self.gate.wait()) is not None:
            client = Client(port)
            try:
                while self.gate.port == port and not self.gate.is_over:
                    job(client)
            except Lost:
                time.sleep(PATIENCE_SECONDS / 10)  # until the gate knows it too
            except Exception as error:  # what is no loss of the connection is a finding
                self.problems.append(f"a client was refused: {error!r}")
                return
            finally:
                client.close()

    # --- starts

    def start_one(self, client):
        time.sleep(self.random.uniform(0, START_PAUSE_SECONDS_MAX))
        if not self.are_starting and self.doubtful.empty():
            return
        plan = self.next_start()
        kind = self.kinds[plan["kind"]]
        if isinstance(kind, Flow) and kind.is_begun:
            return self.begin_by_events(kind, plan["n"])
        self.send_start(client, plan)
        if plan["name"] and self.random.random() < REPEATED:
            self.send_start(client, plan)
        if isinstance(kind, Flow):
            self.events.plan_steps(kind, plan["n"])
            self.unstarted.discard(plan["n"])
        if kind.is_stopped:
            self.agenda.put(time.monotonic() + self.random.uniform(0, 0.5), lambda client: self.stop(client, plan["arn"]))
        if kind.is_redriven:
            self.agenda.put(time.monotonic(), lambda client: self.redrive(client, plan["arn"], f"redrive-{plan['n']}"))

    def begin_by_events(self, kind, n):
        self.journal.add("plan", kind=kind.name, n=n)
        self.events.plan_steps(kind, n)

    def next_start(self):
        if not self.doubtful.empty():
            return self.doubtful.get()
        kind = self.random.choices(list(self.kinds.values()), [kind.weight for kind in self.kinds.values()])[0]
        n = next(self.numbers)
        more = kind.more_input(self.random, time.time()) if kind.more_input else {}
        is_named = isinstance(kind, Flow) or (kind.machine_type == "STANDARD" and self.random.random() < 0.6)
        if isinstance(kind, Flow) and not kind.is_begun:
            self.unstarted.add(n)
        return {"kind": kind.name, "n": n, "name": f"n{n}" if is_named else None, "input": {"n": n, "kind": kind.name, **more}}

    def send_start(self, client, plan):
        fields = {"stateMachineArn": f"{PREFIX}stateMachine:{plan['kind']}", "input": json.dumps(plan["input"])}
        if plan["name"]:
            fields["name"] = plan["name"]
        started = None
        try:
            answer = client.call("StartExecution", **fields)
            plan["arn"], started = answer["executionArn"], answer["startDate"]
        except Refused as refused:
            if refused.kind != "ExecutionAlreadyExists":
                raise
            plan["arn"] = f"{PREFIX}execution:{plan['kind']}:{plan['name']}"  # an unanswered start did count
        except Lost:
            if plan["name"]:
                self.doubtful.put(plan)
            raise
        self.journal.add("start", arn=plan["arn"], kind=plan["kind"], n=plan["n"], input=plan["input"], started=started)

    # --- answers, beats, stops and redrives

    def do_one(self, client):
        self.plan_questions()
        job = self.agenda.take()
        if job is None:
            time.sleep(PATIENCE_SECONDS)
            return
        try:
            job(client)
        except Lost:
            self.agenda.put(time.monotonic(), job)
            raise

    def take_activity(self, client):
        task = client.call("GetActivityTask", activityArn=ACTIVITY, workerName="worker")
        if task.get("taskToken"):
            given = json.loads(task["input"])
            self.journal.add("take", n=given["n"], token=task["taskToken"])
            self.worker.asked.put((task["taskToken"], given["n"], given["kind"]))

    def plan_questions(self):
        """Decides what is done about each task that has begun to wait for its token."""
        while not self.worker.asked.empty():
            try:
                token, n, kind = self.worker.asked.get_nowait()
            except queue.Empty:
                return
            how = self.kinds[kind].answered_by
            now = time.monotonic()
            if how.startswith("beats"):
                beats = self.random.randint(1, BEATS_MAX)
                self.agenda.put(now, lambda client, token=token, n=n, beats=beats, how=how: self.beat(client, token, n, beats, how))
            elif how == "event":
                self.events.plan_answer(self.kinds[kind], n)
            elif how:
                for _ in range(2 if self.random.random() < RIVALS else 1):
                    self.agenda.put(now + self.random.uniform(0, 0.3),
                                    lambda client, token=token, n=n, how=how: self.send(client, token, n, how))

    def send(self, client, token, n, how):
        mark = f"m{next(self.marks)}"
        fields = {"success": {"output": json.dumps({"mark": mark})}, "failure": {"error": "Client.Failed", "cause": mark}, "beat": {}}[how]
        operation = {"success": "SendTaskSuccess", "failure": "SendTaskFailure", "beat": "SendTaskHeartbeat"}[how]
        sent, answer = time.time(), "lost"
        try:
            client.call(operation, taskToken=token, **fields)
            answer = "ok"
        except Refused as refused:
            answer = refused.kind
            if answer != "TaskTimedOut":
                raise
        finally:
            self.journal.add("send", n=n, token=token, how=how, mark=mark, answer=answer, sent=sent)
        return answer == "ok"

    def beat(self, client, token, n, beats, how):
        is_alive = self.send(client, token, n, "beat")
        if not is_alive:
            return
        later = time.monotonic() + BEAT_SECONDS
        if beats > 1:
            self.agenda.put(later, lambda client: self.beat(client, token, n, beats - 1, how))
        elif how == "beats":
            self.agenda.put(later, lambda client: self.send(client, token, n, "success"))

    def stop(self, client, arn):
        mark, answer = f"m{next(self.marks)}", "lost"
        try:
            client.call("StopExecution", executionArn=arn, error="Client.Stopped", cause=mark)
            answer = "ok"
        finally:
            self.journal.add("stop", arn=arn, mark=mark, answer=answer)

    def redrive(self, client, arn, token):
        """Asks with the same token until an answer comes, and then once more: it counts once."""
        try:
            date = client.call("RedriveExecution", executionArn=arn, clientToken=token)["redriveDate"]
        except Refused as refused:
            if refused.kind != "ExecutionNotRedrivable":
                raise
            later = time.monotonic() + PATIENCE_SECONDS  # it has not failed yet
            self.agenda.put(later, lambda client: self.redrive(client, arn, token))
            return
        self.journal.add("redrive", arn=arn, date=date)
        if self.random.random() < REPEATED:
            again = client.call("RedriveExecution", executionArn=arn, clientToken=token)["redriveDate"]
            self.journal.add("redrive", arn=arn, date=again)
