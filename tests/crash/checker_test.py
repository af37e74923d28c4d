#!/usr/bin/env python3
"""Hands the judge of the crash test journals with a broken promise each, and looks that it names it."""
import copy
import unittest

from checker import find_violations
from flows import all_flows
from kinds import all_kinds

KINDS = all_kinds("http://worker") + all_flows("http://worker")


def event(number, kind, at, previous=None, **details):
    return {"id": number, "previousEventId": number - 1 if previous is None else previous, "type": kind, "timestamp": at, **details}


def entered(number, kind, at, name):
    return event(number, kind + "StateEntered", at, stateEnteredEventDetails={"name": name})


def exited(number, kind, at, name):
    return event(number, kind + "StateExited", at, stateExitedEventDetails={"name": name})


def started(kind, n, **more):
    return {"what": "start", "arn": f"arn:{n}", "kind": kind, "n": n, "input": {"n": n, "kind": kind, **more}, "started": 100.0}


def ended(n, status, events, **more):
    described = {"status": status, "startDate": 100.0, **more}
    return [{"what": "end", "arn": f"arn:{n}", "described": described, "events": events}, {"what": "listed", "arns": [f"arn:{n}"]}]


def scheduled(number, at, resource):
    return event(number, "TaskScheduled", at, taskScheduledEventDetails={"resource": resource})


def call(n, key, path, at=100.0, **body):
    return {"what": "call", "key": key, "path": path, "body": {"n": n, **body}, "n": n, "at": at}


def waited():
    """An execution that waited for a second."""
    events = [event(1, "ExecutionStarted", 100.0), entered(2, "Wait", 100.0, "Wait"), exited(3, "Wait", 101.0, "Wait"),
              event(4, "ExecutionSucceeded", 101.0)]
    return [started("wait", 1)] + ended(1, "SUCCEEDED", events, output={"n": 1, "kind": "wait"})


def asked():
    """One whose token two clients sent back; the first was accepted."""
    events = [event(1, "ExecutionStarted", 100.0), entered(2, "Task", 100.0, "Ask"), scheduled(3, 100.0, "sendMessage.waitForTaskToken"),
              event(4, "TaskStarted", 100.0), event(5, "TaskSubmitted", 100.1), event(6, "TaskSucceeded", 100.2),
              exited(7, "Task", 100.2, "Ask"), entered(8, "Pass", 100.2, "Told"), exited(9, "Pass", 100.2, "Told"),
              event(10, "ExecutionSucceeded", 100.2)]
    sends = [{"what": "send", "n": 2, "token": "t", "how": "success", "mark": "m1", "answer": "ok", "sent": 100.15},
             {"what": "send", "n": 2, "token": "t", "how": "success", "mark": "m2", "answer": "TaskTimedOut", "sent": 100.3}]
    return [started("ask", 2), call(2, "k2", "/ask"), *sends] + ended(2, "SUCCEEDED", events, output={"n": 2, "mark": "m1"})


def polled():
    """One whose first worker was never heard of."""
    events = [event(1, "ExecutionStarted", 100.0), entered(2, "Task", 100.0, "Work"), event(3, "ActivityScheduled", 100.0),
              event(4, "ActivityStarted", 100.5), event(5, "ActivityTimedOut", 101.5), event(6, "ActivityScheduled", 102.5),
              event(7, "ActivityStarted", 102.6), event(8, "ActivitySucceeded", 102.7), exited(9, "Task", 102.7, "Work"),
              entered(10, "Pass", 102.7, "Told"), exited(11, "Pass", 102.7, "Told"), event(12, "ExecutionSucceeded", 102.7)]
    send = {"what": "send", "n": 8, "token": "t8", "how": "success", "mark": "m8", "answer": "ok", "sent": 102.65}
    return [started("activity", 8), {"what": "take", "n": 8, "token": "t8"}, send] + ended(8, "SUCCEEDED", events, output={"n": 8, "mark": "m8"})


def nested():
    """One that started another and waited for it."""
    events = [event(1, "ExecutionStarted", 100.0), entered(2, "Task", 100.0, "Start"), scheduled(3, 100.0, "startExecution.sync:2"),
              event(4, "TaskStarted", 100.0), event(5, "TaskSubmitted", 100.1), event(6, "TaskSucceeded", 101.5),
              exited(7, "Task", 101.5, "Start"), event(8, "ExecutionSucceeded", 101.5)]
    calls = [call(9, "k20", "/double", kind="child"), call(9, "k21", "/double", kind="child", first={"doubled": 18})]
    return [started("nested", 9), *calls] + ended(9, "SUCCEEDED", events, output={"doubled": 18})


def beaten():
    """One that beat once and then was silent for a second."""
    events = [event(1, "ExecutionStarted", 100.0), entered(2, "Task", 100.0, "Ask"), scheduled(3, 100.0, "sendMessage.waitForTaskToken"),
              event(4, "TaskStarted", 100.0), event(5, "TaskSubmitted", 100.1), event(6, "TaskTimedOut", 101.5),
              event(7, "ExecutionFailed", 101.5)]
    beat = {"what": "send", "n": 3, "token": "t3", "how": "beat", "mark": "m3", "answer": "ok", "sent": 100.5}
    return [started("silence", 3), call(3, "k3", "/ask"), beat] + ended(3, "FAILED", events, error="States.Timeout")


def retried():
    """One whose first task was busy once."""
    events = [event(1, "ExecutionStarted", 100.0), entered(2, "Task", 100.0, "Flaky"), scheduled(3, 100.0, "http"),
              event(4, "TaskStarted", 100.0), event(5, "TaskFailed", 100.1), scheduled(6, 101.1, "http"),
              event(7, "TaskStarted", 101.1), event(8, "TaskSucceeded", 101.2), exited(9, "Task", 101.2, "Flaky"),
              entered(10, "Task", 101.2, "Broken"), scheduled(11, 101.2, "http"), event(12, "TaskStarted", 101.2),
              event(13, "TaskFailed", 101.3), exited(14, "Task", 101.3, "Broken"), entered(15, "Pass", 101.3, "Caught"),
              exited(16, "Pass", 101.3, "Caught"), event(17, "ExecutionSucceeded", 101.3)]
    calls = [call(4, "k4", "/flaky"), call(4, "k5", "/flaky"), call(4, "k6", "/broken")]
    output = {"try": 2, "caught": {"Error": "Worker.Broken", "Cause": "4"}}
    return [started("retry", 4), *calls] + ended(4, "SUCCEEDED", events, output=output)


def stopped():
    events = [event(1, "ExecutionStarted", 100.0), entered(2, "Wait", 100.0, "Wait"), event(3, "ExecutionAborted", 100.4)]
    stops = [{"what": "stop", "arn": "arn:5", "mark": "m4", "answer": "lost"}, {"what": "stop", "arn": "arn:5", "mark": "m5", "answer": "ok"}]
    return [started("stop", 5), *stops] + ended(5, "ABORTED", events, error="Client.Stopped", cause="m4")


def redriven():
    """One whose task was broken until it was redriven; the client asked twice."""
    events = [event(1, "ExecutionStarted", 100.0), entered(2, "Pass", 100.0, "Before"), exited(3, "Pass", 100.0, "Before"),
              entered(4, "Task", 100.0, "Task"), scheduled(5, 100.0, "http"), event(6, "TaskStarted", 100.0), event(7, "TaskFailed", 100.1),
              event(8, "ExecutionFailed", 100.1), event(9, "ExecutionRedriven", 100.5),
              {**scheduled(10, 100.5, "http"), "previousEventId": 4},
              event(11, "TaskStarted", 100.5), event(12, "TaskSucceeded", 100.6), exited(13, "Task", 100.6, "Task"),
              entered(14, "Pass", 100.6, "Told"), exited(15, "Pass", 100.6, "Told"), event(16, "ExecutionSucceeded", 100.6)]
    calls = [call(7, "k9", "/repaired", redrives=0), call(7, "k10", "/repaired", redrives=1)]
    redrives = [{"what": "redrive", "arn": "arn:7", "date": 100.5}] * 2
    return [started("redrive", 7), *calls, *redrives] + ended(7, "SUCCEEDED", events, output={"before": 1, "redrives": 1}, redriveCount=1,
                                                              redriveDate=100.5)


def expressed():
    return [started("express", 6), call(6, "k7", "/double"), call(6, "k8", "/double", first={"doubled": 12})]


# --- workflows that take events

def fact(seq, kind, **more):
    return {"seq": seq, "kind": kind, **more}


def taken(seq, number):
    return fact(seq, "OperationEnded", value={"filter": 0, "event": {}, "number": number})


def facts_of(*numbers, n=None):
    """Of an execution that took these events, and that events about n started, where it is given."""
    extra = {} if n is None else {"extra": {"events": [{"event": "e", "value": {"n": str(n)}}]}}
    facts = [fact(1, "ExecutionStarted", **extra), *(taken(2 + i, number) for i, number in enumerate(numbers))]
    return [*facts, fact(len(facts) + 1, "ExecutionSucceeded")]


def sent(kind, n, step, number, *answers):
    return [{"what": "event", "kind": kind, "n": n, "step": step, "id": f"e{number}", "mark": f"m{number}", "answer": answer}
            for answer in answers or ("ok",)]


def flow_ended(n, facts, **output):
    described = {"status": "SUCCEEDED", "output": {"n": n, **output}}
    return [{"what": "end", "arn": f"arn:{n}", "described": described, "facts": facts}, {"what": "listed", "arns": [f"arn:{n}"]}]


def instance(kind, n, facts, **output):
    described = {"status": "SUCCEEDED", "output": {"n": n, **output}}
    return {"what": "instance", "kind": kind, "arn": f"arn:{kind}{n}", "described": described, "facts": facts}


def ticked():
    """One that took three events of one type; the answer to the second was lost once, and the third was sent again."""
    events = [*sent("ticks", 20, "m1", 1), *sent("ticks", 20, "m2", 2, "lost", "ok"), *sent("ticks", 20, "m3", 3, "ok", "ok")]
    return [started("ticks", 20), *events] + flow_ended(20, facts_of(4, 5, 6), kind="ticks", m1="m1", m2="m2", m3="m3")


def nudged():
    events = [record for number, step in enumerate(("m1", "m2", "m3"), 7) for record in sent("nudged", 21, step, number)]
    return [started("nudged", 21), *events] + flow_ended(21, facts_of(7, 8, 9), kind="nudged", marks=["m7", "m8", "m9"])


def called_back():
    """One whose question got two answers."""
    events = [*sent("callback", 22, "answered", 10), *sent("callback", 22, "answered", 11)]
    return [started("callback", 22), call(22, "k30", "/ask"), *events] + flow_ended(22, facts_of(10), kind="callback", answered="m10")


def begun():
    """One that an event started, and another of the same correlation woke."""
    events = [*sent("started", 23, "placed", 12), *sent("started", 23, "paid", 13)]
    return [{"what": "plan", "kind": "started", "n": 23}, *events, call(23, "k31", "/double"),
            instance("started", 23, facts_of(13, n=23), placed="m12", doubled=46, paid="m13")]


def gathered():
    events = [*sent("gathered", 24, "right", 14), *sent("gathered", 24, "left", 15)]
    return [{"what": "plan", "kind": "gathered", "n": 24}, *events, instance("gathered", 24, facts_of(n=24), left="m15", right="m14")]


def emitting():
    """One whose first event came to the sink twice, and whose second started another workflow."""
    sunk = [{"what": "sink", "id": id, "type": kind, "n": 25} for id, kind in (("s", "crash.step"), ("s", "crash.step"), ("d", "crash.done"))]
    return [started("producer", 25), *sunk, instance("follower", 25, facts_of(n=25), done=25),
            *flow_ended(25, facts_of(), kind="producer", begun=True, ended=True)]


FLOWS = (ticked, nudged, called_back, begun, gathered, emitting)


class CheckerTest(unittest.TestCase):
    def test_a_true_journal_has_no_violation(self):
        for journal in (waited, asked, polled, nested, beaten, retried, stopped, redriven, expressed, *FLOWS):
            self.assertEqual(find_violations(journal(), KINDS), [], journal.__name__)

    def expect(self, journal, what):
        found = find_violations(journal, KINDS)
        self.assertTrue(any(what in violation for violation in found), f"{what!r} is not among {found}")

    def changed(self, journal, change):
        records = copy.deepcopy(journal())
        change({record["what"]: record for record in records})
        return records

    def test_a_lost_start_is_reported(self):
        self.expect([started("wait", 1)], "was acknowledged and is not there")
        self.expect(self.changed(waited, lambda by: by["end"].update(described=None)), "was acknowledged and is not there")

    def test_a_stuck_execution_is_reported(self):
        self.expect(self.changed(waited, lambda by: by["end"].update(described={"status": "RUNNING"})), "is stuck")

    def test_an_execution_that_is_in_no_list_is_reported(self):
        self.expect(self.changed(waited, lambda by: by["listed"].update(arns=[])), "is listed 0 times")
        self.expect(self.changed(waited, lambda by: by["listed"].update(arns=["arn:1", "arn:1"])), "is listed 2 times")

    def test_an_execution_that_was_started_twice_is_reported(self):
        self.expect(waited() + [{**started("wait", 1), "started": 100.5}], "and again at 100.5")
        self.expect(waited() + [{**started("wait", 9), "arn": "arn:1"}], "was given to two starts")

    def test_a_redrive_that_did_not_count_once_is_reported(self):
        self.expect(self.changed(redriven, lambda by: by["end"]["described"].update(redriveCount=2)), "was redriven 2 times")
        self.expect(self.changed(redriven, lambda by: by["end"]["described"].update(redriveDate=100.7)), "at 100.7")
        self.expect(redriven() + [{"what": "redrive", "arn": "arn:7", "date": 101.0}], "one redrive was answered with")
        self.expect(self.changed(redriven, lambda by: by["end"]["events"].pop()), "its history has the ends")

    def test_a_wrong_output_is_reported(self):
        self.expect(self.changed(waited, lambda by: by["end"]["described"].update(output={"n": 7})), "ended as")

    def test_a_wrong_status_is_reported(self):
        self.expect(self.changed(waited, lambda by: by["end"]["described"].update(status="FAILED")), "ended as")

    def test_an_answer_that_was_accepted_twice_is_reported(self):
        self.expect(self.changed(asked, lambda by: by["send"].update(answer="ok")), "accepted twice")

    def test_an_accepted_answer_that_did_not_count_is_reported(self):
        self.expect(self.changed(asked, lambda by: by["end"]["described"].update(output={"n": 2, "mark": "m2"})), "ended as")

    def test_answers_that_were_all_refused_are_reported(self):
        records = [record for record in asked() if record.get("mark") != "m1"]
        self.expect(records, "every answer was refused")

    def test_a_task_that_was_counted_twice_is_reported(self):
        self.expect(retried() + [call(4, "k9", "/broken")], "the worker saw 4 keys")
        self.expect(self.changed(retried, lambda by: by["end"]["described"]["output"].update({"try": 3})), "ended as")

    def test_a_completion_without_a_call_is_reported(self):
        self.expect([record for record in retried() if record.get("key") != "k6"], "3 tasks were answered")

    def test_an_activity_that_went_to_two_workers_is_reported(self):
        self.expect(polled() + [{"what": "take", "n": 8, "token": "t8"}], "was given to 2 workers")
        more = [{"what": "take", "n": 8, "token": f"other{i}"} for i in range(2)]
        self.expect(polled() + more, "workers got 3 activities, 2 were started")

    def test_an_activity_that_timed_out_early_is_reported(self):
        self.expect(self.changed(polled, lambda by: by["end"]["events"][4].update(timestamp=101.2)), "ActivityTimedOut (event 5) is 0.300 s early")
        self.expect(self.changed(polled, lambda by: by["end"]["events"][5].update(timestamp=101.9)), "ActivityScheduled (event 6) is 0.600 s early")

    def test_a_child_that_was_started_twice_or_lost_is_reported(self):
        self.expect(nested() + [call(9, "k22", "/double", kind="child")], "3 keys of its child")
        self.expect([record for record in nested() if record.get("key") != "k21"], "0 of them of the last task")

    def test_a_key_with_two_inputs_is_reported(self):
        self.expect(asked() + [call(2, "k2", "/ask", item=7)], "came with two inputs")

    def test_an_early_timer_is_reported(self):
        self.expect(self.changed(waited, lambda by: by["end"]["events"][2].update(timestamp=100.99)), "WaitStateExited (event 3) is 0.010 s early")

    def test_an_early_heartbeat_timeout_is_reported(self):
        self.expect(self.changed(beaten, lambda by: by["end"]["events"][5].update(timestamp=101.3)), "TaskTimedOut (event 6) is 0.200 s early")

    def test_an_early_retry_is_reported(self):
        self.expect(self.changed(retried, lambda by: by["end"]["events"][5].update(timestamp=100.5)), "TaskScheduled (event 6) is 0.600 s early")

    def test_a_stop_that_came_after_an_answered_one_does_not_count(self):
        late = {"what": "stop", "arn": "arn:5", "mark": "m6", "answer": "ok"}
        self.expect(self.changed(stopped, lambda by: by["end"]["described"].update(cause="m6")) + [late], "ended as")

    def test_an_express_execution_that_never_ended_is_reported(self):
        self.expect([record for record in expressed() if record.get("key") != "k8"], "its last task was never called")

    def test_a_malformed_history_is_reported(self):
        def without(number):
            return lambda by: by["end"]["events"].pop(number)
        self.expect(self.changed(waited, without(1)), "are not consecutive")
        self.expect(self.changed(waited, without(3)), "its history has the ends []")
        self.expect(self.changed(waited, lambda by: by["end"]["events"][1].update(previousEventId=3)), "is not before it")
        self.expect(self.changed(waited, lambda by: by["end"]["events"][3].update(timestamp=99)), "go back")
        self.expect(self.changed(waited, lambda by: by["end"]["events"].append(event(5, "ExecutionSucceeded", 102))), "has the ends")
        self.expect(self.changed(waited, lambda by: by["end"]["events"][3].update(type="ExecutionFailed")), "its history ends with")
        self.expect(self.changed(waited, lambda by: by["end"]["events"][2]["stateExitedEventDetails"].update(name="Wait2")), "not entered")

    def test_an_event_that_was_never_accepted_is_reported(self):
        self.expect(self.changed(ticked, lambda by: by["event"].update(id="e9", answer="lost")), "the event e9: was never accepted")
        self.expect(ticked() + sent("ticks", 20, "m3", 1), "the event e1: was sent with two contents")

    def test_an_accepted_event_that_did_not_count_is_reported(self):
        self.expect(self.changed(ticked, lambda by: by["end"]["described"].update(status="RUNNING")), "is stuck")
        self.expect(self.changed(ticked, lambda by: by["end"].update(described=None)), "was acknowledged and is not there")
        self.expect(self.changed(ticked, lambda by: by["end"]["described"]["output"].pop("m3")), "ended as")
        self.expect(self.changed(nudged, lambda by: by["end"]["described"]["output"].update(marks=["m7", "m9", "m8"])), "ended as")

    def test_an_event_that_counted_twice_is_reported(self):
        self.expect(self.changed(ticked, lambda by: by["end"].update(facts=facts_of(4, 4, 5))), "it took the events [4, 4, 5]")
        self.expect(self.changed(ticked, lambda by: by["end"].update(facts=facts_of(4, 6, 5))), "it took the events [4, 6, 5]")
        self.expect(self.changed(called_back, lambda by: by["end"].update(facts=facts_of(10, 11))), "it took the events [10, 11]")

    def test_an_event_that_nobody_sent_is_reported(self):
        self.expect(self.changed(called_back, lambda by: by["end"]["described"]["output"].update(answered="m99")), "ended as")
        self.expect([record for record in called_back() if record["what"] != "event"], "though nobody sent ['answered']")

    def test_what_events_start_twice_or_never_is_reported(self):
        for journal, kind in ((begun, "started"), (gathered, "gathered"), (emitting, "follower")):
            whole = journal()
            [once] = [record for record in whole if record["what"] == "instance"]
            self.expect([record for record in whole if record is not once], f"{kind} of")
            self.expect(whole + [{**once, "arn": "arn:again"}], "was started 2 times, and should have been 1 times")
        self.expect([record for record in gathered() if record["what"] != "plan"], "was started 1 times, and should have been 0 times")

    def test_what_events_started_that_ended_otherwise_is_reported(self):
        self.expect(self.changed(begun, lambda by: by["instance"]["described"].update(status="FAILED")), "ended as")
        self.expect(self.changed(begun, lambda by: by["instance"]["described"]["output"].update(paid="m12")), "ended as")
        self.expect(self.changed(gathered, lambda by: by["instance"]["described"].update(status="RUNNING")), "is stuck")

    def test_an_action_that_was_called_twice_or_never_is_reported(self):
        self.expect(begun() + [call(23, "k32", "/double")], "the worker saw 2 keys")
        self.expect([record for record in called_back() if record["what"] != "call"], "the worker saw 0 keys")

    def test_a_sink_that_got_other_events_than_were_produced_is_reported(self):
        whole = emitting()
        sunk = [record for record in whole if record["what"] == "sink"]
        rest = [record for record in whole if record["what"] != "sink"]
        self.expect(rest + sunk[:2], "the sink got ['crash.step']")
        self.expect(rest + sunk[::-1], "the sink got ['crash.done', 'crash.step']")
        self.expect(rest + sunk + [{**sunk[0], "id": "t"}], "under two ids")
        self.expect(whole + [{**sunk[0], "n": 99}], "events of 99, which nobody started")

    def test_a_malformed_list_of_facts_is_reported(self):
        self.expect(self.changed(ticked, lambda by: by["end"]["facts"].pop(0)), "are not consecutive")
        self.expect(self.changed(ticked, lambda by: by["end"]["facts"].pop()), "its history has the ends []")
        self.expect(self.changed(ticked, lambda by: by["end"]["facts"][0].update(kind="StateEntered")), "does not begin with its start")
        self.expect(self.changed(ticked, lambda by: by["listed"].update(arns=[])), "is listed 0 times")


if __name__ == "__main__":
    unittest.main()
