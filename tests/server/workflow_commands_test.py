#!/usr/bin/env python3
"""Serverless Workflows and SM4C machines on a running server: deployed with the command, started by events and by schedules, over
crashes, and by each other.

    workflow_commands_test.py PAWL
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import urllib.request

from http_host import PetHost
from world import ServerProcess, poll

COMMAND = sys.argv.pop(1) if len(sys.argv) > 1 else None
SECONDS_MAX = 60


def workflow(name, *states, **fields):
    return {"id": name, "name": name, "version": "1", "states": list(states), **fields}


def inject(name, start=None, **data):
    return {"name": name, "type": "inject", "data": data, "start": start or {"kind": "default"}, "end": {"kind": "default"}}


EVERY_SECOND = {"kind": "scheduled", "schedule": {"cron": "* * * * * ?", "timezone": "UTC", "directInvoke": "deny"}}
MOVED = {"events": [{"name": "Moved", "source": "toys", "type": "toy.moved", "kind": "consumed",
                     "correlation": [{"contextAttributeName": "toy"}]}]}
WAIT = {"name": "Wait", "type": "event", "exclusive": True, "eventsActions": [{"eventRefs": ["Moved"], "actions": []}],
        "start": {"kind": "default"}, "end": {"kind": "default"}}


class Commands(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.start_server()
        self.addCleanup(lambda: self.server.process.poll() is None and self.server.kill())

    def start_server(self):
        self.server = ServerProcess(COMMAND, str(self.folder / "data"))

    def crash(self):
        self.server.kill()
        self.start_server()

    def pawl(self, *words, code=0):
        done = subprocess.run([COMMAND, *words, "--endpoint", f"http://127.0.0.1:{self.server.port}"], capture_output=True, text=True,
                              timeout=SECONDS_MAX)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def lines(self, *words):
        return [json.loads(line) for line in self.pawl(*words).stdout.splitlines()]

    def deploy(self, definition, code=0):
        file = self.folder / "flow.json"
        file.write_text(json.dumps(definition))
        return self.pawl("deploy", str(file), code=code)

    def publish(self, **attributes):
        event = {"specversion": "1.0", "id": "1", "source": "toys", "type": "toy.moved", **attributes}
        request = urllib.request.Request(f"http://127.0.0.1:{self.server.port}/events", json.dumps(event).encode(),
                                         {"Content-Type": "application/cloudevents+json"})
        with urllib.request.urlopen(request, timeout=SECONDS_MAX) as answer:
            self.assertEqual(answer.status, 202)

    def executions(self, definition, count):
        return poll(lambda: (found := self.lines("list", "--definition", definition)) and len(found) >= count and found, SECONDS_MAX,
                    f"{count} executions of {definition}")

    def output(self, execution):
        ended = poll(lambda: (shown := json.loads(self.pawl("show", execution).stdout)) and shown["status"] != "RUNNING" and shown,
                     SECONDS_MAX, f"the end of {execution}")
        return json.loads(ended["output"])

    def start(self, definition, **given):
        return json.loads(self.pawl("start", definition, "--input", json.dumps(given), "--json").stdout)["executionArn"]


class WorkflowCommands(Commands):
    def test_a_workflow_is_deployed_under_its_id_and_started(self):
        self.deploy(workflow("hello", inject("Say", greeting="Hi")))
        self.assertEqual(self.pawl("start", "hello", "--wait").stdout, '{"greeting":"Hi"}\n')
        execution = self.lines("list", "--definition", "hello")[0]["executionArn"]
        self.assertEqual([fact["kind"] for fact in self.lines("history", execution)],
                         ["ExecutionStarted", "StateEntered", "StateExited", "ExecutionSucceeded"])

    def test_the_files_that_a_workflow_refers_to_go_with_it(self):
        schema = self.folder / "person.json"
        schema.write_text(json.dumps({"type": "object", "required": ["name"]}))
        self.deploy(workflow("checked", inject("Say"), dataInputSchema="person.json"))
        schema.unlink()
        self.crash()
        self.pawl("start", "checked", "--input", '{"name":"Ada"}', "--wait")
        self.pawl("start", "checked", "--wait", code=1)

    def test_a_workflow_that_lint_refuses_is_not_deployed(self):
        refused = self.deploy(workflow("wrong", {**inject("Say"), "type": "injekt"}), code=2)
        self.assertIn("/states/0", refused.stderr)
        self.assertEqual(self.pawl("list").stdout, "")

    def test_a_document_that_a_machine_names_by_its_url_is_fetched_when_it_is_deployed_and_never_again(self):
        host = PetHost()
        self.addCleanup(host.close)
        call = {"type": "invokeFunction", "functionName": "f", "waitForCompletion": True, "arguments": {"petId": 7}}
        self.deploy(workflow("pet", {"name": "A", "start": True, "enterAction": call, "enterResultHandler": "${ $value }"},
                             functions=[{"name": "f", "operation": host.url("/api.json#getPet")}]))
        self.crash()
        self.assertEqual(json.loads(self.pawl("start", "pet", "--wait").stdout), {"name": "Fido"})
        self.assertEqual(host.paths, ["/api.json", "/v1/pets/7"])

    def test_an_event_starts_what_waits_for_it_over_a_crash(self):
        self.deploy(workflow("moved", WAIT, **MOVED))
        self.crash()
        self.publish(toy="ball")
        self.crash()
        execution = self.executions("moved", 1)[0]["executionArn"]
        self.assertEqual(json.loads(self.pawl("show", execution).stdout)["output"], '{"toy":"ball"}')

    def test_a_schedule_fires_once_for_each_time_over_crashes(self):
        self.deploy(workflow("tick", inject("Say", EVERY_SECOND)))
        for count in (1, 2, 3):
            names = [execution["name"] for execution in self.executions("tick", count)]
            self.assertEqual(len(names), len(set(names)))
            self.crash()
        self.pawl("schedule", "pause", "tick")
        [schedule] = self.lines("schedule", "list")
        self.assertEqual((schedule["definition"], schedule["paused"]), ("tick", True))
        self.crash()
        self.assertTrue(self.lines("schedule", "list")[0]["paused"])
        self.assertEqual(len(self.pawl("schedule", "next", "tick", "--count", "3").stdout.splitlines()), 3)
        before = len(self.lines("list", "tick"))
        self.pawl("schedule", "resume", "tick")
        self.executions("tick", before + 1)

    def test_what_only_a_schedule_starts_cannot_be_started(self):
        self.deploy(workflow("tick", inject("Say", EVERY_SECOND)))
        self.assertIn("StartNotAllowed", self.pawl("start", "tick", code=2).stderr)
        self.assertIn("SCHEDULE_NOT_FOUND", self.pawl("schedule", "pause", "tock", code=2).stderr)


class Together(Commands):
    """The definitions of examples/together, which start those of other languages and wake them by events."""

    def setUp(self):
        super().setUp()
        for file in sorted((pathlib.Path(__file__).parents[2] / "examples" / "together").glob("*.*")):
            if file.suffix != ".md":
                self.pawl("deploy", str(file))
        self.crash()

    def test_a_task_waits_for_a_machine_of_sm4c_and_for_a_workflow(self):
        given = {"order": "o-1", "items": [{"sku": "cup", "amount": 2, "each": 3}]}
        self.assertEqual(self.output(self.start("checkout", **given)), {**given, "price": {"total": 6}, "parcel": {"weight": 3}})

    def test_a_workflow_waits_for_a_machine_of_sm4c_and_for_one_of_the_states_language(self):
        given = {"items": [{"sku": "cup", "amount": 2, "each": 3}]}
        self.assertEqual(self.output(self.start("quote", **given)), {**given, "total": 6, "tax": {"customs": 4, "due": 10}})

    def test_a_machine_of_sm4c_waits_for_a_workflow(self):
        self.assertEqual(self.output(self.start("shipment", order="o-1")), {"order": "o-1", "parcel": {"weight": 3}})

    def test_events_wake_across_languages_over_crashes(self):
        thanks = self.start("thanks", order="o-1")
        delivery = self.start("delivery", order="o-1", total=11)
        self.crash()
        self.start("shipment", order="o-2")
        self.start("shipment", order="o-1")
        self.crash()
        self.assertEqual(self.output(delivery), {"order": "o-1", "total": 11, "due": 15, "weight": 3})
        self.assertEqual(self.output(thanks), {"order": "o-1", "asked": True, "due": 15, "weight": 3})


if __name__ == "__main__":
    unittest.main()
