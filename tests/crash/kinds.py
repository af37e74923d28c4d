"""The state machines of the crash test: what each is given, and how an execution of it may end.

An execution of every kind has a number of its own, n, in its input, which tasks hand to the worker: so calls and answers lead back to
their execution. `ends` gives every end that what the clients know allows; most kinds allow one.
"""
import dataclasses
import datetime

ASK = "arn:aws:states:::sqs:sendMessage.waitForTaskToken"
PREFIX = "arn:aws:states:us-east-1:000000000000:"
ACTIVITY = PREFIX + "activity:work"
WAIT_SECONDS_MAX = 1.5  # of a wait for a moment that the input names


@dataclasses.dataclass(frozen=True)
class End:
    """How an execution ends. What is None is not looked at."""
    status: str
    output: object = None
    error: str = None
    cause: str = None

    def is_like(self, described):
        return (self.status == described["status"]
                and (self.output is None or self.output == described.get("output"))
                and (self.error is None or self.error == described.get("error"))
                and (self.cause is None or self.cause == described.get("cause")))


@dataclasses.dataclass(frozen=True)
class Kind:
    name: str
    definition: dict
    ends: object               # (n, answers) -> the ends that are allowed
    weight: int = 1            # how often it is started
    more_input: object = None  # (random, now) -> further members of the input
    answered_by: str = ""      # what clients do about its tokens: success, failure, beats, beats_only, or nothing
    is_stopped: bool = False   # whether a client stops it
    is_redriven: bool = False  # whether a client redrives it, once
    has_child: bool = False    # whether it starts an execution of `child`
    machine_type: str = "STANDARD"


def machine(**states):
    return {"StartAt": next(iter(states)), "States": states}


def passing(result, **more):
    return {"Type": "Pass", "Result": result, **more}


def asking(**more):
    """A task that waits until a client sends its token back; the item tells the questions of one execution apart."""
    parameters = {"token.$": "$$.Task.Token", "n.$": "$.n", "kind.$": "$.kind", "item": 0}
    return {"Type": "Task", "Resource": ASK, "Parameters": parameters, "ResultPath": "$.answer", **more}


def chain():
    states = {f"S{i}": passing(i, ResultPath=f"$.s{i}", Next=f"S{i + 1}") for i in range(9)}
    return machine(**states, S9=passing(9, ResultPath="$.s9", End=True))


def choosing():
    rules = [{"Variable": "$.third", "NumericEquals": i, "Next": name} for i, name in enumerate(("Well", "Badly"))]
    return machine(
        Third={"Type": "Pass", "Parameters": {"third.$": "States.ArrayGetItem(States.ArrayRange(0, 2, 1), $.choice)"}, "Next": "Which"},
        Which={"Type": "Choice", "Choices": rules, "Default": "Else"},
        Well={"Type": "Succeed"},
        Badly={"Type": "Fail", "Error": "Chosen.Badly", "Cause": "as the input says"},
        Else=passing("else", End=True))


def calling(url, path, **more):
    return {"Type": "Task", "Resource": url + path, **more}


def working(url):
    return machine(First=calling(url, "/double", ResultPath="$.first", Next="Pause"),
                   Pause={"Type": "Wait", "Seconds": 1, "Next": "Last"},
                   Last=calling(url, "/double", End=True))


def failing(url):
    """Is busy at the first try, then works; then a task that is broken for ever, which a Catch takes."""
    retry = [{"ErrorEquals": ["Worker.Busy"], "IntervalSeconds": 1, "MaxAttempts": 3, "BackoffRate": 1}]
    catch = [{"ErrorEquals": ["Worker.Broken"], "ResultPath": "$.caught", "Next": "Caught"}]
    return machine(Flaky=calling(url, "/flaky", Retry=retry, ResultPath="$.flaky", Next="Broken"),
                   Broken=calling(url, "/broken", Catch=catch, End=True),
                   Caught={"Type": "Pass", "Parameters": {"try.$": "$.flaky.try", "caught.$": "$.caught"}, "End": True})


def parallel(url):
    branches = [machine(Task=calling(url, "/double", End=True)),
                machine(Wait={"Type": "Wait", "TimestampPath": "$.until", "Next": "Number"},
                        Number={"Type": "Pass", "OutputPath": "$.n", "End": True}),
                machine(Ask=asking(OutputPath="$.answer", End=True))]
    return machine(Fork={"Type": "Parallel", "Branches": branches, "End": True})


def mapping(url):
    parameters = {"n.$": "$.n", "kind.$": "$.kind", "item.$": "$$.Map.Item.Value"}
    body = machine(Task=calling(url, "/slow", End=True))
    return machine(Each={"Type": "Map", "ItemsPath": "$.items", "ItemSelector": parameters, "MaxConcurrency": 2,
                         "ItemProcessor": body, "End": True})


def repaired(url):
    """A task that is broken until the execution is redriven."""
    parameters = {"n.$": "$.n", "kind.$": "$.kind", "redrives.$": "$$.Execution.RedriveCount"}
    return machine(Before=passing(1, ResultPath="$.before", Next="Task"),
                   Task=calling(url, "/repaired", Parameters=parameters, ResultPath="$.task", Next="Told"),
                   Told={"Type": "Pass", "Parameters": {"before.$": "$.before", "redrives.$": "$.task.redrives"}, "End": True})


def polled():
    """A worker that asks for it may never hear the answer: the silence ends that attempt, and the next one is offered anew."""
    retry = [{"ErrorEquals": ["States.Timeout"], "IntervalSeconds": 1, "MaxAttempts": 30, "BackoffRate": 1}]
    return {"Type": "Task", "Resource": ACTIVITY, "HeartbeatSeconds": 1, "TimeoutSeconds": 60, "Retry": retry, "ResultPath": "$.answer"}


def starting(resource, **more):
    """A task that starts an execution of `child`, with the same n."""
    parameters = {"StateMachineArn": PREFIX + "stateMachine:child", "Input": {"n.$": "$.n", "kind": "child"}}
    return {"Type": "Task", "Resource": f"arn:aws:states:::states:startExecution{resource}", "Parameters": parameters, "End": True, **more}


def moment(random, now):
    until = datetime.datetime.fromtimestamp(now + random.uniform(0, WAIT_SECONDS_MAX), datetime.timezone.utc)
    return {"until": until.strftime("%Y-%m-%dT%H:%M:%S.") + f"{until.microsecond // 1000:03}Z"}


def succeeded(output_of):
    return lambda n, answers: [End("SUCCEEDED", output=output_of(n))]


def chosen_ends(n, answers):
    del n
    return {0: [End("SUCCEEDED", output={"third": 0})],
            1: [End("FAILED", error="Chosen.Badly", cause="as the input says")],
            2: [End("SUCCEEDED", output="else")]}[answers.input["choice"]]


TIMED_OUT = End("FAILED", error="States.Timeout")


def answered_ends(shape):
    """The answer that was accepted is the one in the output; where none is known to be, one of those whose fate is unknown is."""
    return lambda n, answers: [End("SUCCEEDED", output=shape(n, mark)) for mark in answers.possible_marks()]


def answered_or_timed_out(n, answers):
    ends = answered_ends(lambda n, mark: {"n": n, "mark": mark})(n, answers)
    return ends if answers.is_accepted() else ends + [TIMED_OUT]


def answered_or_stopped(n, answers):
    ends = [End("SUCCEEDED", output={"n": n, "mark": mark}) for mark in answers.possible_marks()]
    return ends if answers.is_accepted() else ends + stopped_ends(n, answers)


def stopped_ends(n, answers):
    del n
    return [End("ABORTED", error="Client.Stopped", cause=mark) for mark in answers.possible_stops()]


def all_kinds(url):
    until_then = machine(Wait={"Type": "Wait", "TimestampPath": "$.until", "Next": "Number"},
                         Number={"Type": "Pass", "OutputPath": "$.n", "End": True})
    marked = {"ResultSelector": {"mark.$": "$.mark"}, "Next": "Told"}
    told = {"Type": "Pass", "Parameters": {"n.$": "$.n", "mark.$": "$.answer.mark"}, "End": True}
    caught = {"Type": "Pass", "Parameters": {"n.$": "$.n", "error.$": "$.caught.Error", "mark.$": "$.caught.Cause"}, "End": True}
    catch = [{"ErrorEquals": ["Client.Failed"], "ResultPath": "$.caught", "Next": "Caught"}]
    return [
        Kind("chain", chain(), lambda n, answers: [End("SUCCEEDED", output={**answers.input, **{f"s{i}": i for i in range(10)}})], 2),
        Kind("choice", choosing(), chosen_ends, 2, lambda random, now: {"choice": random.randrange(3)}),
        Kind("wait", machine(Wait={"Type": "Wait", "Seconds": 1, "End": True}), lambda n, answers: [End("SUCCEEDED", output=answers.input)]),
        Kind("until", until_then, succeeded(lambda n: n), 2, moment),
        Kind("task", working(url), succeeded(lambda n: {"doubled": 2 * n}), 3),
        Kind("retry", failing(url), succeeded(lambda n: {"try": 2, "caught": {"Error": "Worker.Broken", "Cause": str(n)}}), 2),
        Kind("ask", machine(Ask=asking(**marked), Told=told), answered_ends(lambda n, mark: {"n": n, "mark": mark}), 3,
             answered_by="success"),
        Kind("ask_failed", machine(Ask=asking(Catch=catch, End=True), Caught=caught),
             answered_ends(lambda n, mark: {"n": n, "error": "Client.Failed", "mark": mark}), 2, answered_by="failure"),
        Kind("activity", machine(Work={**polled(), "Next": "Told"}, Told=told), answered_ends(lambda n, mark: {"n": n, "mark": mark}), 2,
             answered_by="success"),
        Kind("beats", machine(Ask=asking(HeartbeatSeconds=2, TimeoutSeconds=60, **marked), Told=told), answered_or_timed_out, 2,
             answered_by="beats"),
        Kind("silence", machine(Ask=asking(HeartbeatSeconds=1, TimeoutSeconds=60, End=True)), lambda n, answers: [TIMED_OUT], 1,
             answered_by="beats_only"),
        Kind("timeout", machine(Ask=asking(TimeoutSeconds=1, End=True)), lambda n, answers: [TIMED_OUT]),
        Kind("deadline", {**machine(Wait={"Type": "Wait", "Seconds": 3600, "End": True}), "TimeoutSeconds": 1},
             lambda n, answers: [End("TIMED_OUT")]),
        Kind("stop", machine(Wait={"Type": "Wait", "Seconds": 3600, "End": True}), stopped_ends, 2, is_stopped=True),
        Kind("race", machine(Ask=asking(**marked), Told=told), answered_or_stopped, 2, answered_by="success", is_stopped=True),
        Kind("parallel", parallel(url), answered_ends(lambda n, mark: [{"doubled": 2 * n}, n, {"mark": mark}]), 2, moment, "success"),
        Kind("map", mapping(url), succeeded(lambda n: [{"item": i, "n": n} for i in range(5)]), 2,
             lambda random, now: {"items": list(range(5))}),
        Kind("redrive", repaired(url), succeeded(lambda n: {"before": 1, "redrives": 1}), 2, is_redriven=True),
        Kind("nested", machine(Start=starting(".sync:2", OutputPath="$.Output")), succeeded(lambda n: {"doubled": 2 * n}), 2, has_child=True),
        Kind("launch", machine(Start=starting("", ResultPath=None, OutputPath="$.n")), succeeded(lambda n: n), 2, has_child=True),
        Kind("child", working(url), succeeded(lambda n: {"doubled": 2 * n}), weight=0),
        Kind("express", working(url), None, 2, machine_type="EXPRESS"),
    ]
