"""The workflows of the crash test that events start and wake: what clients send to each, and how it may end.

Every event is about one number n, as an extension attribute that the workflows correlate by; its payload has a mark of its own under the
name of its step. A client sends an event until it is accepted, always with the same id, and sometimes once more after that.
"""
import dataclasses

from kinds import Kind

SOURCE = "crash"


@dataclasses.dataclass(frozen=True)
class Flow(Kind):
    """`ends` is for the kinds that a client starts with a request; of all, `outputs` gives what may come out: (n, marks by step)."""
    outputs: object = None
    steps: tuple = ()             # (step, type of the event), what clients send of their own accord, one after another
    are_ordered: bool = True      # whether a step waits until the one before was accepted
    is_begun: bool = False        # events start it: no request does
    follows: str = ""             # the kind whose end starts it
    asked_for: tuple = ()         # (step, type) that is sent once its action has asked for it
    taken: int = 0                # events that it takes after its start
    emits: tuple = ()             # types of the events that it produces, in order

    def all_steps(self):
        return [*self.steps, *([self.asked_for] if self.asked_for else [])]


def consumed(*names, value=None):
    correlation = {"contextAttributeName": "n", **({"contextAttributeValue": value} if value else {})}
    return [{"name": name, "type": f"crash.{name}", "source": SOURCE, "kind": "consumed", "correlation": [correlation]} for name in names]


def produced(name):
    return {"name": name, "type": f"crash.{name}", "kind": "produced"}


def producing(name):
    return {"eventRef": name, "data": {"n": "{{ $.n }}", name: "{{ $.n }}"}, "contextAttributes": {"n": "{{ $.n }}"}}


def workflow(name, states, events=(), functions=()):
    states = [{**states[0], "start": {"kind": "default"}}, *states[1:]]
    return {"id": name, "name": name, "version": "1", "events": list(events), "functions": list(functions), "states": states}


def taking(name, events, actions=(), exclusive=True, then=None):
    """An event state; `then` is the next one, none ends the workflow."""
    way = {"transition": {"nextState": then}} if then else {"end": {"kind": "default"}}
    return {"name": name, "type": "event", "exclusive": exclusive, "eventsActions": [{"eventRefs": list(events), "actions": list(actions)}], **way}


def calling(function, **parameters):
    return {"functionRef": {"refName": function, "parameters": parameters}}


def started(url):
    functions = [{"name": "double", "resource": url + "/double", "type": "http"}]
    states = [taking("Placed", ["placed"], [calling("double", n="{{ $.n }}")], then="Paid"), taking("Paid", ["paid"])]
    return workflow("started", states, consumed("placed", "paid"), functions)


def gathered():
    return workflow("gathered", [taking("Both", ["left", "right"], exclusive=False)], consumed("left", "right"))


def called_back(url):
    functions = [{"name": "ask", "resource": url + "/ask", "type": "http"}]
    state = {"name": "Ask", "type": "callback", "action": calling("ask", n="{{ $.n }}", kind="{{ $.kind }}"), "eventRef": "answered",
             "end": {"kind": "default"}}
    return workflow("callback", [state], consumed("answered", value="{{ $.n }}"), functions)


def ticked():
    names = ["First", "Second", "Third"]
    states = [taking(name, ["tick"], then=then) for name, then in zip(names, [*names[1:], None])]
    return workflow("ticks", states, consumed("tick", value="{{ $.n }}"))


def producer():
    begin = {"name": "Begin", "type": "inject", "data": {"begun": True}, "transition": {"nextState": "End", "produceEvent": producing("step")}}
    end = {"name": "End", "type": "inject", "data": {"ended": True}, "end": {"kind": "event", "produceEvent": producing("done")}}
    return workflow("producer", [begin, end], [produced("step"), produced("done")])


def follower():
    """Any source will do: produced events name the execution."""
    events = [{name: value for name, value in event.items() if name != "source"} for event in consumed("done")]
    return workflow("follower", [taking("Done", ["done"])], events)


def nudged():
    """A machine of SM4C, whose mailbox takes what comes while it does something else."""
    correlation = [{"contextAttributeName": "n", "contextAttributeValue": "${ .n | tostring }"}]
    names = ["First", "Second", "Third"]

    def state(name, then):
        group = {"events": ["nudge"], "resultHandler": "${ .marks += [$value.data | to_entries[] | select(.key != \"n\") | .value] }"}
        return {"name": name, "transitions": [{"nextState": then, "eventGroups": [group]}]}

    states = [state(name, then) for name, then in zip(names, [*names[1:], "Done"])]
    return {"id": "nudged", "name": "nudged", "version": "1",
            "events": [{"name": "nudge", "type": "crash.nudge", "source": SOURCE, "correlation": correlation}],
            "states": [{**states[0], "start": True}, *states[1:], {"name": "Done"}]}


def all_flows(url):
    def members(*steps, **fixed):
        return lambda n, marks: [{"n": n, **fixed, **{step: marks[step][0] for step in steps}}]

    three = ("m1", "m2", "m3")
    return [
        Flow("started", started(url), None, 2, is_begun=True, taken=1, steps=(("placed", "crash.placed"), ("paid", "crash.paid")),
             outputs=lambda n, marks: [{"n": n, "placed": marks["placed"][0], "doubled": 2 * n, "paid": marks["paid"][0]}]),
        Flow("gathered", gathered(), None, 2, is_begun=True, are_ordered=False, steps=(("left", "crash.left"), ("right", "crash.right")),
             outputs=members("left", "right")),
        Flow("callback", called_back(url), None, 2, answered_by="event", asked_for=("answered", "crash.answered"), taken=1,
             outputs=lambda n, marks: [{"n": n, "kind": "callback", "answered": mark} for mark in marks["answered"]]),
        Flow("ticks", ticked(), None, 2, steps=tuple((step, "crash.tick") for step in three), taken=3,
             outputs=members(*three, kind="ticks")),
        Flow("producer", producer(), None, 2, emits=("crash.step", "crash.done"),
             outputs=members(kind="producer", begun=True, ended=True)),
        Flow("follower", follower(), None, 0, is_begun=True, follows="producer", outputs=lambda n, marks: [{"n": n, "done": n}]),
        Flow("nudged", nudged(), None, 2, steps=tuple((step, "crash.nudge") for step in three), taken=3,
             outputs=lambda n, marks: [{"n": n, "kind": "nudged", "marks": [marks[step][0] for step in three]}]),
    ]
