"""The client of the crash test that sends events: each until it is accepted, whatever becomes of the server meanwhile."""
import dataclasses
import itertools
import json
import time

from flows import SOURCE

REPEATED = 0.2               # so many accepted events are sent once more
RIVALS = 0.3                 # so many questions get two answers, with different contents
PAUSE_SECONDS_MAX = 0.2      # before an event


@dataclasses.dataclass(frozen=True)
class Event:
    kind: str
    n: int
    step: str
    type: str
    id: str
    mark: str

    def body(self):
        return {"specversion": "1.0", "id": self.id, "source": SOURCE, "type": self.type, "n": str(self.n),
                "data": {"n": self.n, self.step: self.mark}}


class EventClient:
    """Jobs for the agenda of a chapter. `pending` holds what is not yet done: ids of events."""

    def __init__(self, journal, random):
        self.journal, self.random = journal, random
        self.numbers = itertools.count(1)
        self.pending = set()
        self.agenda = None

    def plan_steps(self, kind, n):
        """What clients send to an execution of their own accord."""
        events = [self.make_event(kind, n, step, event_type) for step, event_type in kind.steps]
        if kind.are_ordered:
            return self.plan_chain(events)
        self.random.shuffle(events)
        for event in events:
            self.plan_chain([event])

    def plan_answer(self, kind, n):
        for _ in range(2 if self.random.random() < RIVALS else 1):
            self.plan_chain([self.make_event(kind, n, *kind.asked_for)])

    def make_event(self, kind, n, step, event_type):
        number = next(self.numbers)
        event = Event(kind.name, n, step, event_type, f"e{number}", f"m{number}")
        self.pending.add(event.id)
        return event

    def plan_chain(self, events):
        if events:
            due = time.monotonic() + self.random.uniform(0, PAUSE_SECONDS_MAX)
            self.agenda.put(due, lambda client: self.send_first(client, events))

    def send_first(self, client, events):
        """Where the answer is lost, the agenda has it done again."""
        event = events[0]
        self.send(client, event)
        if self.random.random() < REPEATED:
            self.send(client, event)
        self.pending.discard(event.id)
        self.plan_chain(events[1:])

    def send(self, client, event):
        answer = "lost"
        try:
            status = client.request("POST", "/events", *self.encode(event.body()))[0]
            answer = "ok" if status == 202 else str(status)
            if answer != "ok":
                raise RuntimeError(f"POST /events was answered {status}")
        finally:
            self.journal.add("event", kind=event.kind, n=event.n, step=event.step, id=event.id, mark=event.mark, answer=answer)

    def encode(self, event):
        """The body and the headers, in one of the three modes."""
        mode = self.random.choice(("structured", "binary", "batch"))
        if mode == "structured":
            return json.dumps(event), {"Content-Type": "application/cloudevents+json"}
        if mode == "batch":
            return json.dumps([event]), {"Content-Type": "application/cloudevents-batch+json"}
        headers = {f"ce-{name}": value for name, value in event.items() if name != "data"}
        return json.dumps(event["data"]), {"Content-Type": "application/json", **headers}
