"""Judges a crash test of durable functions.

    starts     {n: name}                  acknowledged invocations
    ends       {n: {"status", "result", "events"}}   how each stood in the end; events as GetDurableExecutionHistory gives them
    deeds      [{"n", "deed", "detail"}]  what the bodies of steps did
    answers    {n: [(mark, outcome)]}     callbacks that were sent: "ok", "lost", or the refusal's name
    notes      {n}                        accepted calls of the function that is not durable

`find_violations` gives a sentence for everything that must not happen. It is pure, so that its own test can hand it falsified records.
"""
import collections
import datetime

ONCE = "pay"
REPEATABLE = ("charge", "double", "ask", "ship-1", "ship-2", "ship-3")
WAIT_SECONDS = 1
# What an operation may have in its history at most once.
ENDINGS = ("StepSucceeded", "StepFailed", "WaitSucceeded", "CallbackSucceeded", "ChainedInvokeSucceeded", "ContextSucceeded")


def find_violations(starts, ends, deeds, answers, notes=()):
    done = collections.Counter((deed["n"], deed["deed"]) for deed in deeds)
    found = [f"{n}: its call was accepted and never made" for n in notes if not done[n, "note"]]
    for n in starts:
        problems = judge_end(n, ends.get(n), done, answers.get(n, []))
        if n in ends:
            problems += judge_history(ends[n]["events"])
        found += [f"{n}: {problem}" for problem in problems]
    return found


def judge_end(n, end, done, answers):
    if end is None:
        return ["it was acknowledged and is gone"]
    if end["status"] != "SUCCEEDED":
        return [f"it ended as {end['status']}"]
    result = end["result"]
    problems = []
    if (result["doubled"], result["items"], result["tries"]) != (2 * n, [10 * n + i for i in (1, 2, 3)], 2):
        problems.append(f"its result is {result}")
    problems += [f"the step {deed} never ran" for deed in REPEATABLE if not done[n, deed]]
    if done[n, "flaky"] < 2:
        problems.append("the step flaky did not run again")
    return problems + judge_once(result["paid"], done[n, ONCE]) + judge_answer(result["answer"], answers)


def judge_once(said, times):
    if times > 1:
        return [f"the step that runs at most once ran {times} times"]
    return ["the step that runs at most once is done and never ran"] if said == "paid" and times == 0 else []


def judge_answer(mark, answers):
    accepted = [sent for sent, outcome in answers if outcome == "ok"]
    possible = accepted or [sent for sent, outcome in answers if outcome == "lost"]
    return [] if mark in possible else [f"its callback was answered with {mark}, not with one of {possible}"]


def judge_history(events):
    ended = collections.Counter((event["Id"], event["EventType"]) for event in events if event["EventType"] in ENDINGS)
    problems = [f"{kind} stands {times} times in the history of {entry}" for (entry, kind), times in ended.items() if times > 1]
    begun = {event["Id"]: event["EventTimestamp"] for event in events if event["EventType"] == "WaitStarted"}
    for event in events:
        if event["EventType"] == "WaitSucceeded" and seconds_between(begun[event["Id"]], event["EventTimestamp"]) < WAIT_SECONDS:
            problems.append("its wait ended early")
    kinds = [event["EventType"] for event in events]
    if kinds.count("ExecutionStarted") != 1 or kinds.count("ExecutionSucceeded") != 1:
        problems.append("its history does not start once and end once")
    if [event["EventId"] for event in events] != list(range(1, len(events) + 1)):
        problems.append("the numbers of its events have gaps")
    return problems


def seconds_between(begin, end):
    return (as_time(end) - as_time(begin)).total_seconds()


def as_time(stamp):
    """AWS's REST protocol has seconds since 1970."""
    return datetime.datetime.fromtimestamp(stamp, datetime.timezone.utc)
