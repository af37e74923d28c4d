#!/usr/bin/env python3
"""`pawl run` of Serverless Workflow definitions: tasks, events, sub-workflows, schedules, what is printed."""
import json

import command


def workflow(*states, **fields):
    """A definition whose first state is where it starts and whose last one is its end."""
    states = [dict(state) for state in states]
    states[0].setdefault("start", {"kind": "default"})
    for state, following in zip(states, states[1:]):
        if state["type"] != "switch":
            state.setdefault("transition", {"nextState": following["name"]})
    states[-1].setdefault("end", {"kind": "default"})
    return {"id": "flow", "name": "Flow", "version": "1.0", "states": states, **fields}


def inject(name, **data):
    return {"name": name, "type": "inject", "data": data}


GREET = {"functions": [{"name": "greet", "resource": "greeter"}]}
CALL = {"name": "Call", "type": "operation", "actionMode": "sequential",
        "actions": [{"functionRef": {"refName": "greet", "parameters": {"name": "{{ $.name }}"}}}]}
MOVED = {"events": [{"name": "Moved", "source": "toys", "type": "toy.moved", "kind": "consumed",
                     "correlation": [{"contextAttributeName": "toy"}]}]}
WAIT = {"name": "Wait", "type": "event", "exclusive": True, "eventsActions": [{"eventRefs": ["Moved"], "actions": []}]}


def event(source="toys", type="toy.moved", **attributes):
    return {"specversion": "1.0", "id": "1", "source": source, "type": type, **attributes}


class Workflows(command.CommandTest):
    def write_events(self, *lines):
        return self.write("events.jsonl", "".join(json.dumps(line) + "\n" for line in lines))

    def lines(self, *arguments):
        done = self.pawl(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return [json.loads(line) for line in done.stdout.splitlines()]


class Output(Workflows):
    def test_prints_what_an_inject_state_injects(self):
        flow = self.write("hello.json", workflow(inject("Hello", result="Hello World!")))
        done = self.pawl("run", flow)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b'{"result":"Hello World!"}\n', b""))

    def test_yaml_runs_too(self):
        flow = self.write("hello.yaml", "id: hello\nname: Hello\nversion: '1'\nstates:\n- name: Hello\n  type: inject\n"
                          "  start: {kind: default}\n  data: {result: Hi}\n  end: {kind: default}\n")
        self.assertEqual(self.succeeds("run", flow), {"result": "Hi"})

    def test_a_failed_execution_prints_its_error(self):
        flow = self.write("f.json", workflow(CALL, **GREET))
        mocks = self.write("mocks.json", {"StateMachines": {"flow": {"TestCases": {"Down": {"greet": "Down"}}}},
                                          "MockedResponses": {"Down": {"0": {"Throw": {"Error": "Greeter.Down", "Cause": "gone"}}}}})
        self.assertEqual(self.fails("run", flow, "--mocks", mocks)["error"], "Greeter.Down")

    def test_an_input_that_is_no_object_is_an_error(self):
        flow = self.write("f.json", workflow(inject("A")))
        self.assertIn("error", self.fails("run", flow, "--input", "[1]"))

    def test_a_text_in_no_language_is_refused(self):
        self.refused("DEFINITION_LANGUAGE_UNKNOWN", "run", self.write("f.json", {"steps": []}))

    def test_a_definition_with_errors_does_not_run(self):
        flow = self.write("f.json", workflow({"name": "A", "type": "inject", "transition": {"nextState": "Nowhere"}}, inject("B")))
        self.assertEqual(self.pawl("run", flow).returncode, 2)

    def test_history_prints_facts_and_then_the_output(self):
        flow = self.write("f.json", workflow(inject("A", x=1)))
        lines = self.lines("run", flow, "--history")
        self.assertEqual([line["kind"] for line in lines[:-1]],
                         ["ExecutionStarted", "StateEntered", "StateExited", "ExecutionSucceeded"])
        self.assertEqual(lines[1]["state"], "A")
        self.assertTrue(lines[1]["execution"].startswith("flow:"))
        self.assertEqual(lines[-1], {"x": 1})


    def test_the_version_is_what_the_input_says_and_the_history_shows_it(self):
        flow = self.write("f.json", {**workflow(inject("A", inputVersion="later")), "version": "{{ $.inputVersion }}"})
        started = self.lines("run", flow, "--input", '{"inputVersion":"1.0.0"}', "--history")[0]
        self.assertEqual(started["extra"]["context"]["Workflow"], {"id": "flow", "name": "Flow", "version": "1.0.0"})


class Tasks(Workflows):
    def test_mocks_go_by_the_functions_name_and_the_definitions_id(self):
        flow = self.write("greeting.json", workflow(CALL, **GREET))
        mocks = self.write("mocks.json", {"StateMachines": {"flow": {"TestCases": {"Fine": {"greet": "Fine"}}}, "other": {"TestCases": {}}},
                                          "MockedResponses": {"Fine": {"0": {"Return": {"greeting": "Hello Ada"}}}}})
        self.assertEqual(self.succeeds("run", flow, "--input", '{"name":"Ada"}', "--mocks", mocks),
                         {"name": "Ada", "greeting": "Hello Ada"})

    def test_tasks_go_by_the_functions_name_or_its_resource(self):
        flow = self.write("greeting.json", workflow(CALL, **GREET))
        for key in ("greet", "greeter"):
            tasks = self.write("tasks.json", {key: {"exec": ["sh", "-c", "cat; true"]}})
            self.assertEqual(self.succeeds("run", flow, "--input", '{"name":"Ada"}', "--tasks", tasks), {"name": "Ada"})

    def test_a_function_that_nobody_answers_for_ends_the_run(self):
        self.refused("TASK_NOT_MAPPED", "run", self.write("f.json", workflow(CALL, **GREET)))

    def test_a_delay_takes_no_virtual_time(self):
        flow = self.write("f.json", workflow({"name": "Later", "type": "delay", "timeDelay": "P1Y"}, inject("Done", done=True)))
        self.assertEqual(self.succeeds("run", flow, "--virtual-time"), {"done": True})


class Events(Workflows):
    def test_an_event_starts_an_instance_each(self):
        flow = self.write("f.json", workflow(WAIT, **MOVED))
        events = self.write_events({"event": event(toy="ball", data={"by": 1})},
                                   {"after": "PT5S", "event": event(id="2", toy="car", data={"by": 2})})
        self.assertEqual(self.lines("run", flow, "--events", events, "--virtual-time"),
                         [{"by": 1, "toy": "ball"}, {"by": 2, "toy": "car"}])

    def test_a_definition_that_no_event_starts_is_an_error(self):
        flow = self.write("f.json", workflow(WAIT, **MOVED))
        self.refused("RUN_NOTHING_STARTED", "run", flow)
        self.refused("RUN_NOTHING_STARTED", "run", flow, "--events", self.write_events({"event": event(type="other", toy="x")}))

    def test_a_waiting_execution_gets_its_event(self):
        flow = self.write("f.json", workflow(inject("First", x=1), WAIT, **MOVED))
        events = self.write_events({"after": "PT1H", "event": event(toy="ball", data={"by": 1})})
        self.assertEqual(self.succeeds("run", flow, "--events", events, "--virtual-time"), {"x": 1, "by": 1, "toy": "ball"})

    def test_an_execution_that_waits_for_ever_is_stuck(self):
        flow = self.write("f.json", workflow(inject("First", x=1), WAIT, **MOVED))
        self.refused("RUN_STUCK", "run", flow, "--virtual-time")

    def test_emitted_prints_the_events_that_are_produced(self):
        definition = workflow({**inject("A", x=1), "end": {"kind": "event", "produceEvent": {"eventRef": "Done", "data": "{{ $.x }}"}}},
                              events=[{"name": "Done", "type": "flow.done", "kind": "produced"}])
        lines = self.lines("run", self.write("f.json", definition), "--emitted")
        self.assertEqual((lines[0]["type"], lines[0]["data"], lines[1]), ("flow.done", 1, {"x": 1}))

    def test_a_line_that_is_no_event_is_refused_with_its_number(self):
        flow = self.write("f.json", workflow(WAIT, **MOVED))
        for line in ("nonsense", "[]", '{"after":"PT1S"}', '{"after":"5s","event":{}}', '{"when":1,"event":{}}'):
            done = self.pawl("run", flow, "--events", self.write("e.jsonl", '\n' + line + "\n"))
            self.assertEqual(done.returncode, 2)
            self.assertIn(b"e.jsonl:2", done.stderr)

    def test_an_event_that_the_server_would_refuse_is_refused_with_its_place(self):
        flow = self.write("f.json", workflow(WAIT, **MOVED))
        for code, name, wrong in (("EVENT_ATTRIBUTE_MISSING", "type", {"type": None}),
                                  ("EVENT_ATTRIBUTE_NAME", "bad-name", {"bad-name": "x"}),
                                  ("EVENT_ATTRIBUTE_NAME", "toy", {"Toy": "a", "toy": "b"}),
                                  ("EVENT_ATTRIBUTE_VALUE", "toy", {"toy": [1]}),
                                  ("EVENT_ATTRIBUTE_VALUE", "specversion", {"specversion": "0.3"}),
                                  ("EVENT_ATTRIBUTE_VALUE", "time", {"time": "yesterday"})):
            line = json.dumps({"event": event(**wrong)})
            column = line.index(f'"{name}": ') + len(f'"{name}": ') + 1
            refused = self.refused(code, "run", flow, "--events", self.write("e.jsonl", "\n" + line + "\n"))
            self.assertIn(f"e.jsonl:2:{column} /event/{name}: error", refused)

    def test_an_event_of_10_megabytes_is_refused(self):
        flow = self.write("f.json", workflow(WAIT, **MOVED))
        events = self.write_events({"event": event(toy="ball", data="x" * 10_000_000)})
        self.assertIn("events.jsonl:1:11 /event: error", self.refused("EVENT_TOO_LARGE", "run", flow, "--events", events))

    def test_the_place_of_a_wrong_after_is_its_column(self):
        flow = self.write("f.json", workflow(WAIT, **MOVED))
        for code, line, place in (("DURATION_INVALID", '{"after":"P","event":{}}', "1:10 /after"),
                                  ("EVENTS_INVALID", '{"after":5,"event":{}}', "1:10 /after"),
                                  ("JSON_UNEXPECTED_CHARACTER", '{"after":x}', "1:10")):
            refused = self.refused(code, "run", flow, "--events", self.write("e.jsonl", line + "\n"))
            self.assertIn(f"e.jsonl:{place}: error", refused)


class SubWorkflows(Workflows):
    PARENT = [{"name": "Sub", "type": "subflow", "workflowId": "child", "waitForCompletion": True}]

    def test_a_sub_workflow_is_found_by_its_id_beside_the_file(self):
        self.write("some-child.json", {**workflow(inject("C", fromChild=True)), "id": "child"})
        flow = self.write("parent.json", workflow(*self.PARENT))
        self.assertEqual(self.succeeds("run", flow, "--input", '{"x":1}'), {"x": 1, "fromChild": True})

    def test_it_inherits_the_functions_of_its_parent(self):
        self.write("child.json", {**workflow(CALL), "id": "child"})
        flow = self.write("parent.json", workflow(*self.PARENT, **GREET))
        mocks = self.write("mocks.json", {"StateMachines": {"flow": {"TestCases": {"Fine": {"greet": "Fine"}}}},
                                          "MockedResponses": {"Fine": {"0": {"Return": {"greeting": "Hi"}}}}})
        self.assertEqual(self.succeeds("run", flow, "--mocks", mocks)["greeting"], "Hi")

    def test_one_that_is_not_there_fails_the_state(self):
        flow = self.write("parent.json", workflow(*self.PARENT))
        self.assertEqual(self.fails("run", flow)["error"], "SUBFLOW_UNKNOWN")

    def test_a_circle_by_way_of_another_is_an_error(self):
        self.write("child.json", {**workflow({"name": "Back", "type": "subflow", "workflowId": "flow", "waitForCompletion": True}), "id": "child"})
        flow = self.write("parent.json", workflow(*self.PARENT))
        failure = self.fails("run", flow)
        self.assertEqual(failure["error"], "SUBFLOW_CIRCLE")
        self.assertIn("flow > child > flow", failure["cause"])

    def test_its_terminate_ends_the_parent_too(self):
        self.write("child.json", {**workflow({**inject("C", fromChild=True), "end": {"kind": "terminate"}}), "id": "child"})
        flow = self.write("parent.json", workflow(*self.PARENT, inject("Never", reached=True)))
        self.assertNotIn("reached", self.succeeds("run", flow))

    def test_definitions_names_another_folder(self):
        self.write("subs/child.json", {**workflow(inject("C", fromChild=True)), "id": "child"})
        flow = self.write("parent.json", workflow(*self.PARENT))
        self.assertEqual(self.succeeds("run", flow, "--definitions", "subs"), {"fromChild": True})


class Schedules(Workflows):
    def scheduled(self, **schedule):
        return {"start": {"kind": "scheduled", "schedule": schedule}}

    def test_a_closed_interval_refuses_a_direct_start_where_the_definition_says_so(self):
        first = {**inject("A", x=1), **self.scheduled(interval="2020-03-20T09:00:00Z/PT6H", directInvoke="deny")}
        flow = self.write("f.json", workflow(first))
        self.refused("START_NOT_ALLOWED", "run", flow, "--virtual-time", "--now", "2020-03-20T15:00:00Z")
        self.assertEqual(self.succeeds("run", flow, "--virtual-time", "--now", "2020-03-20T14:59:59Z"), {"x": 1})

    def test_events_outside_of_the_interval_start_nothing(self):
        flow = self.write("f.json", workflow({**WAIT, **self.scheduled(interval="2020-03-20T09:00:00Z/PT6H")}, **MOVED))
        events = self.write_events({"event": event(toy="a")}, {"after": "PT2H", "event": event(id="2", toy="b")})
        self.assertEqual(self.lines("run", flow, "--events", events, "--virtual-time", "--now", "2020-03-20T08:00:00Z"), [{"toy": "b"}])

    def test_a_cron_start_on_an_event_state_makes_the_event_itself(self):
        flow = self.write("f.json", workflow({**WAIT, **self.scheduled(cron="0 0/15 * * * ?")}, **MOVED))
        self.assertEqual(len(self.lines("run", flow)), 1)


if __name__ == "__main__":
    command.main()
