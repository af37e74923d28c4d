"""Judges what events have come to: the part of the judge (checker.py) that is about the workflows of flows.py.

    {"what": "plan",  "kind", "n"}                                             clients send the events that start one
    {"what": "event", "kind", "n", "step", "id", "mark", "answer"}             an attempt to send one: ok or lost
    {"what": "sink",  "id", "type", "n"}                                       a produced event that the sink took
    {"what": "instance", "kind", "arn", "described", "facts"}                  an execution that events have started

An accepted event counts once, whatever number of times it was sent, and one that was never accepted is a finding too: clients send it until
it is.
"""
import collections

TERMINAL = {"ExecutionSucceeded": "SUCCEEDED", "ExecutionFailed": "FAILED", "ExecutionTimedOut": "TIMED_OUT", "ExecutionAborted": "ABORTED"}


def check_events(journal):
    """Every event was accepted in the end, and one id is one event."""
    found = []
    for id, attempts in group(journal.events, "id").items():
        if len({(attempt["n"], attempt["step"], attempt["mark"]) for attempt in attempts}) > 1:
            found.append(f"the event {id}: was sent with two contents")
        if not any(attempt["answer"] == "ok" for attempt in attempts):
            found.append(f"the event {id}: was never accepted")
    return found


def group(records, key):
    groups = collections.defaultdict(list)
    for record in records:
        groups[record[key]].append(record)
    return groups


def marks_of(journal, n):
    """By step, those of events that were sent and accepted."""
    marks = collections.defaultdict(list)
    for event in journal.events_of[n]:
        if event["answer"] == "ok" and event["mark"] not in marks[event["step"]]:
            marks[event["step"]].append(event["mark"])
    return marks


# --- executions

def check_flow(journal, n, kind, described, facts):
    """An execution, whichever way it was started."""
    if described["status"] == "RUNNING":
        return ["is stuck: it still runs"]
    marks = marks_of(journal, n)
    missing = [step for step, _ in kind.all_steps() if not marks[step]]
    if missing:
        return [f"ended, though nobody sent {missing}"]
    found = check_facts(kind, described, facts)
    outputs = kind.outputs(n, marks)
    if described["status"] != "SUCCEEDED" or described.get("output") not in outputs:
        shown = {name: described.get(name) for name in ("status", "output", "error", "cause") if name in described}
        found.append(f"ended as {shown}, allowed is {outputs}")
    return found


def check_facts(kind, described, facts):
    found = []
    if [fact["seq"] for fact in facts] != list(range(1, len(facts) + 1)):
        found.append("its facts are not consecutive")
    if not facts or facts[0]["kind"] != "ExecutionStarted":
        found.append("its history does not begin with its start")
    ends = [fact["kind"] for fact in facts if fact["kind"] in TERMINAL]
    if len(ends) != 1 or facts[-1]["kind"] != ends[0] or TERMINAL[ends[0]] != described["status"]:
        found.append(f"its history has the ends {ends}, its status is {described['status']}")
    numbers = [fact["value"]["number"] for fact in facts if is_event_taken(fact)]
    if len(numbers) != kind.taken or sorted(set(numbers)) != numbers:
        found.append(f"it took the events {numbers}, and should have taken {kind.taken}, each after the one before")
    return found


def is_event_taken(fact):
    return fact["kind"] == "OperationEnded" and isinstance(fact.get("value"), dict) and "number" in fact["value"]


def check_calls(journal, n, kind):
    """The action of such a workflow is called under one key."""
    keys = {call["key"] for call in journal.calls_of[n]}
    expected = 1 if kind.definition.get("functions") else 0
    return [] if len(keys) == expected else [f"the worker saw {len(keys)} keys, and should have seen {expected}"]


# --- what events start

def number_of(instance):
    """The n of the events that started it."""
    return int(instance["facts"][0]["extra"]["events"][0]["value"]["n"])


def check_begun(journal, kinds):
    """What events start was started once for each set of them."""
    found = []
    planned = {(plan["kind"], plan["n"]) for plan in journal.plans}
    for kind in kinds.values():
        if getattr(kind, "follows", ""):
            planned |= {(kind.name, start["n"]) for start in journal.starts if start["kind"] == kind.follows}
    instances = collections.defaultdict(list)
    for instance in journal.instances:
        instances[instance["kind"], number_of(instance)].append(instance)
    for name, n in sorted(planned | set(instances)):
        which = instances[name, n]
        if len(which) != 1 or (name, n) not in planned:
            found.append(f"{name} of {n}: was started {len(which)} times, and should have been {1 if (name, n) in planned else 0} times")
        for instance in which:
            problems = check_flow(journal, n, kinds[name], instance["described"], instance["facts"]) + check_calls(journal, n, kinds[name])
            found += [f"{instance['arn']} ({name}): {problem}" for problem in problems]
    return found


# --- sinks

def check_sink(journal, kinds):
    """Each produced event came at least once, always under one id, and the first arrivals of an execution's are in order."""
    found = []
    arrivals = group(journal.sunk, "n")
    for start in {start["arn"]: start for start in journal.starts}.values():
        emits = list(getattr(kinds[start["kind"]], "emits", ()))
        if not emits:
            continue
        came = arrivals.pop(start["n"], [])
        ids = {}
        for event in came:
            ids.setdefault(event["type"], {}).setdefault(event["id"], event)
        if list(ids) != emits:
            found.append(f"{start['arn']}: the sink got {list(ids)}, and should have got {emits}")
        if any(len(of_type) != 1 for of_type in ids.values()):
            found.append(f"{start['arn']}: the sink got one event under two ids")
    return found + [f"the sink got events of {n}, which nobody started" for n in arrivals]
