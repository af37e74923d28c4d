"""Judges the journal of a crash test: a list of what the clients, the worker and the last look at the server wrote down.

    {"what": "start",  "arn", "kind", "n", "input", "started"}                      an acknowledged start, or its repetition
    {"what": "send",   "n", "token", "how", "mark", "answer", "sent"}               success, failure or beat; the answer is ok, lost or an error's name
    {"what": "stop",   "arn", "mark", "answer"}                                     likewise
    {"what": "redrive", "arn", "date"}                                              an acknowledged redrive, or its repetition
    {"what": "take",   "n", "token"}                                                an activity that a worker got
    {"what": "call",   "key", "path", "body", "n", "at"}                            a task that reached the worker
    {"what": "end",    "arn", "described", "events"}                                how it stood when nothing was killed any more; null where it was not found
    {"what": "end",    "arn", "described", "facts"}                                 the same of a workflow that takes events
    {"what": "listed", "arns"}                                                      what the lists of executions held

What tells of events is in flow_checker.py.

`find_violations` gives a sentence for everything in it that the server has promised not to happen. It is pure, so that its own test
can hand it falsified journals.
"""
import collections
import datetime
import json

from flow_checker import TERMINAL, check_begun, check_events, check_flow, check_sink, group
from flow_checker import check_calls as check_calls_of_flow
from flows import Flow

TOLERANCE_SECONDS = 0.0015  # times are told in whole milliseconds


class Answers:
    """What clients did about one execution."""

    def __init__(self, given, sends, stops):
        self.input = given
        self.sends = [send for send in sends if send["how"] != "beat"]
        self.beats = [send for send in sends if send["how"] == "beat"]
        self.stops = stops

    def accepted(self):
        return [send for send in self.sends if send["answer"] == "ok"]

    def is_accepted(self):
        return bool(self.accepted())

    def possible_marks(self):
        """Those of an accepted answer, else of those that may have been."""
        return [send["mark"] for send in self.accepted() or self.sends if send["answer"] in ("ok", "lost")]

    def possible_stops(self):
        """One client stops an execution, one try after the other: the first that counted did, and none after an answer."""
        marks = []
        for stop in self.stops:
            marks.append(stop["mark"])
            if stop["answer"] == "ok":
                break
        return marks


class Journal:
    """The records, sorted by what they tell of."""

    def __init__(self, records):
        by = collections.defaultdict(list)
        for record in records:
            by[record["what"]].append(record)
        self.starts = by["start"]
        self.ends = {end["arn"]: end for end in by["end"]}
        self.listed = collections.Counter(arn for page in by["listed"] for arn in page["arns"])
        self.calls = by["call"]
        self.calls_of = group(by["call"], "n")
        self.takes = by["take"]
        self.takes_of = group(by["take"], "n")
        self.sends_of = group(by["send"], "n")
        self.stops_of = group(by["stop"], "arn")
        self.redrives_of = group(by["redrive"], "arn")
        self.plans = by["plan"]
        self.events = by["event"]
        self.events_of = group(by["event"], "n")
        self.instances = by["instance"]
        self.sunk = by["sink"]


def find_violations(records, kinds):
    kinds = {kind.name: kind for kind in kinds}
    journal = Journal(records)
    found = check_starts(journal) + check_calls(journal) + check_takes(journal) + check_events(journal)
    found += check_begun(journal, kinds) + check_sink(journal, kinds)
    for arn, start in {start["arn"]: start for start in journal.starts}.items():
        kind = kinds[start["kind"]]
        check = check_flow_execution if isinstance(kind, Flow) else check_execution
        found += [f"{arn} ({kind.name}): {problem}" for problem in check(journal, arn, start, kind)]
    return found


def check_starts(journal):
    found = []
    first = {}
    for start in journal.starts:
        earlier = first.setdefault(start["arn"], start)
        if earlier["n"] != start["n"]:
            found.append(f"{start['arn']}: was given to two starts, {earlier['n']} and {start['n']}")
        elif start["started"] and earlier["started"] and earlier["started"] != start["started"]:
            found.append(f"{start['arn']}: started at {earlier['started']} and again at {start['started']}")
    return found


def check_calls(journal):
    """A call that is made again carries the same key and the same input."""
    first = {}
    found = []
    for call in journal.calls:
        if first.setdefault(call["key"], call)["body"] != call["body"] or first[call["key"]]["path"] != call["path"]:
            found.append(f"the key {call['key']}: came with two inputs")
    return found


def check_takes(journal):
    """An activity goes to one worker."""
    counts = collections.Counter(take["token"] for take in journal.takes)
    return [f"the activity {token}: was given to {count} workers" for token, count in counts.items() if count > 1]


def check_execution(journal, arn, start, kind):
    if kind.machine_type == "EXPRESS":  # nothing of it can be described: its last call tells that it went to its end
        calls = len([call for call in journal.calls_of[start["n"]] if call["body"].get("first")])
        return [] if calls else ["its last task was never called"]
    end = journal.ends.get(arn)
    if end is None or end["described"] is None:
        return ["was acknowledged and is not there"]
    described = end["described"]
    if described["status"] == "RUNNING":
        return ["is stuck: it still runs"]
    answers = Answers(start["input"], journal.sends_of[start["n"]], journal.stops_of[arn])
    found = check_end(described, start, kind, answers)
    found += check_answers(answers, kind)
    found += check_redrives(described, journal.redrives_of[arn])
    malformed = check_history(end["events"], described)
    found += malformed
    if not malformed:  # else nothing leads from one event to the next
        found += check_timers(end["events"], kind, answers)
        check = check_children if kind.has_child else check_tasks
        found += check(end["events"], journal.calls_of[start["n"]])
        found += check_activities(end["events"], journal.takes_of[start["n"]])
    if journal.listed[arn] != 1:
        found.append(f"is listed {journal.listed[arn]} times")
    return found


def check_flow_execution(journal, arn, start, kind):
    end = journal.ends.get(arn)
    if end is None or end["described"] is None:
        return ["was acknowledged and is not there"]
    found = check_flow(journal, start["n"], kind, end["described"], end["facts"]) + check_calls_of_flow(journal, start["n"], kind)
    if journal.listed[arn] != 1:
        found.append(f"is listed {journal.listed[arn]} times")
    return found


def check_end(described, start, kind, answers):
    found = []
    ends = kind.ends(start["n"], answers)
    if not any(end.is_like(described) for end in ends):
        shown = {name: described.get(name) for name in ("status", "output", "error", "cause") if name in described}
        found.append(f"ended as {shown}, allowed is {ends}")
    if start["started"] and start["started"] != described["startDate"]:
        found.append(f"the start was answered with {start['started']}, described is {described['startDate']}")
    return found


def check_answers(answers, kind):
    """One answer of a task is accepted; one that is refused was not the first."""
    found = []
    if len(answers.accepted()) > 1:
        found.append(f"answers were accepted twice: {[send['mark'] for send in answers.accepted()]}")
    may_end_otherwise = kind.is_stopped or kind.answered_by.startswith("beats")
    if answers.sends and not may_end_otherwise and not answers.possible_marks():
        found.append(f"every answer was refused: {[send['answer'] for send in answers.sends]}")
    if kind.is_stopped and answers.stops and not answers.possible_stops():
        found.append("no stop was accepted")
    return found


def check_redrives(described, redrives):
    """Whatever the number of times that it was asked for, a redrive with one token counts once."""
    dates = {redrive["date"] for redrive in redrives}
    if len(dates) > 1:
        return [f"one redrive was answered with {sorted(dates)}"]
    if dates and (described.get("redriveCount"), described.get("redriveDate")) != (1, *dates):
        return [f"was redriven {described.get('redriveCount')} times, at {described.get('redriveDate')}; answered was {dates}"]
    return []


def check_history(events, described):
    found = []
    if [event["id"] for event in events] != list(range(1, len(events) + 1)):
        found.append("the ids of its events are not consecutive")
    if any(not 0 <= event["previousEventId"] < event["id"] for event in events):
        found.append("an event names one before that is not before it")
    if any(later["timestamp"] < earlier["timestamp"] for earlier, later in zip(events, events[1:])):
        found.append("the times of its events go back")
    if not events or events[0]["type"] != "ExecutionStarted":
        found.append("its history does not begin with its start")
    terminal = [event["type"] for event in events if event["type"] in TERMINAL]
    redrives = described.get("redriveCount", 0)
    if len([event for event in events if event["type"] == "ExecutionRedriven"]) != redrives:
        found.append(f"its history does not have its {redrives} redrives")
    if len(terminal) != 1 + redrives or events[-1]["type"] != terminal[-1]:
        found.append(f"its history has the ends {terminal}, and {events[-1]['type'] if events else 'nothing'} is last")
    elif TERMINAL[terminal[-1]] != described["status"]:
        found.append(f"its history ends with {terminal[-1]}, its status is {described['status']}")
    entered = [event["stateEnteredEventDetails"]["name"] for event in events if event["type"].endswith("StateEntered")]
    exited = [event["stateExitedEventDetails"]["name"] for event in events if event["type"].endswith("StateExited")]
    if collections.Counter(exited) - collections.Counter(entered):
        found.append(f"states were left that were not entered: {exited} of {entered}")
    if described["status"] == "SUCCEEDED" and len(entered) != len(exited):
        found.append(f"states were entered and never left: {entered}, left {exited}")
    return found


def states_of(definition):
    """Every state by its name, those of branches and iterations too."""
    states = dict(definition["States"])
    for state in definition["States"].values():
        for inner in [*state.get("Branches", []), *([state["ItemProcessor"]] if "ItemProcessor" in state else [])]:
            states.update(states_of(inner))
    return states


def check_timers(events, kind, answers):
    """Nothing that waits goes on before its time."""
    states = states_of(kind.definition)
    by_id = {event["id"]: event for event in events}
    found = []
    for event in events:
        due = due_time(event, by_id, states, kind, answers)
        if due is not None and event["timestamp"] < due - TOLERANCE_SECONDS:
            found.append(f"{event['type']} (event {event['id']}) is {due - event['timestamp']:.3f} s early")
    return found


def due_time(event, by_id, states, kind, answers):
    """When the event could come at the earliest; None where no timer brought it."""
    before = by_id.get(event["previousEventId"])
    if event["type"] == "WaitStateExited":
        state = states[event["stateExitedEventDetails"]["name"]]
        return before["timestamp"] + state["Seconds"] if "Seconds" in state else parse_time(answers.input["until"])
    if event["type"] == "ExecutionTimedOut":
        return by_id[1]["timestamp"] + kind.definition["TimeoutSeconds"]
    if event["type"] in ("TaskTimedOut", "ActivityTimedOut"):
        return timeout_time(event, by_id, states, answers)
    is_retry = before is not None and before["type"] in ("TaskFailed", "TaskTimedOut", "ActivityTimedOut")
    if event["type"] in ("TaskScheduled", "ActivityScheduled") and is_retry:
        return before["timestamp"] + states[state_name(event, by_id)]["Retry"][0]["IntervalSeconds"]
    return None


def timeout_time(event, by_id, states, answers):
    state = states[state_name(event, by_id)]
    begun = earlier_event(event, by_id, "TaskStarted", "ActivityStarted", "ActivityScheduled")
    started = begun["timestamp"]
    if "HeartbeatSeconds" not in state or begun["type"] == "ActivityScheduled":  # no worker came
        return started + state["TimeoutSeconds"]
    beats = [beat["sent"] for beat in answers.beats if beat["answer"] == "ok"]
    return max([started, *beats]) + state["HeartbeatSeconds"]


def earlier_event(event, by_id, *types):
    while event["type"] not in types:
        event = by_id[event["previousEventId"]]
    return event


def state_name(event, by_id):
    return earlier_event(event, by_id, "TaskStateEntered")["stateEnteredEventDetails"]["name"]


def parse_time(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def check_tasks(events, calls):
    """Each call that the worker answered and that counted has a key of its own, and no call has a key that nothing scheduled."""
    keys = len({call["key"] for call in calls})
    types = collections.Counter(event["type"] for event in events)
    tokens = [event for event in events if event["type"] == "TaskScheduled" and "Token" in event["taskScheduledEventDetails"]["resource"]]
    answered = types["TaskSucceeded"] + types["TaskFailed"] if not tokens else types["TaskSubmitted"]
    if keys > types["TaskScheduled"]:
        return [f"the worker saw {keys} keys, {types['TaskScheduled']} tasks were scheduled"]
    if keys < answered:
        return [f"{answered} tasks were answered, the worker saw {keys} keys"]
    return []


def check_children(events, calls):
    """Its one child has two tasks, and so two keys: more would be of a child that was started twice."""
    del events
    keys = {call["key"]: "first" in call["body"] for call in calls}
    if len(keys) != 2 or sum(keys.values()) != 1:
        return [f"the worker saw {len(keys)} keys of its child, {sum(keys.values())} of them of the last task"]
    return []


def check_activities(events, takes):
    """A worker got it only once that was recorded."""
    started = sum(event["type"] == "ActivityStarted" for event in events)
    return [f"workers got {len(takes)} activities, {started} were started"] if len(takes) > started else []


def load(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]
