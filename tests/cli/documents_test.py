#!/usr/bin/env python3
"""Documents of OpenAPI that a definition names by a URL: `pawl run` fetches them, and never where functions are mocked."""
import json
import pathlib
import sys

import command

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "server"))
from http_host import PetHost


class Documents(command.CommandTest):
    def setUp(self):
        super().setUp()
        self.host = PetHost()
        self.addCleanup(self.host.close)

    def machine(self, path):
        return self.write("pet.json", {
            "id": "pet", "name": "Pet", "version": "1", "functions": [{"name": "f", "operation": self.host.url(path) + "#getPet"}],
            "states": [{"name": "A", "start": True,
                        "enterAction": {"type": "invokeFunction", "functionName": "f", "waitForCompletion": True, "arguments": {"petId": 7}},
                        "enterResultHandler": "${ $value }"}]})

    def workflow(self, path):
        return self.write("flow.json", {
            "id": "pet", "name": "Pet", "functions": [{"name": "f", "operation": self.host.url(path) + "#getPet"}],
            "states": [{"name": "A", "type": "operation", "start": {"kind": "default"}, "end": {"kind": "default"},
                        "actions": [{"functionRef": {"refName": "f", "parameters": {"petId": 7}}}]}]})

    def test_a_document_of_a_workflow_is_fetched_and_its_operation_called(self):
        self.assertEqual(self.succeeds("run", self.workflow("/api.json")), {"name": "Fido"})
        self.assertEqual(self.host.paths, ["/api.json", "/v1/pets/7"])

    def test_a_workflow_without_its_document_calls_nothing(self):
        done = self.pawl("run", self.workflow("/nowhere.json"))
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"cannot be fetched", done.stderr)
        self.assertIn(b"TASK_NOT_MAPPED", done.stderr)
        self.assertEqual(self.host.paths, ["/nowhere.json"])

    def test_a_document_is_fetched_and_its_operation_called(self):
        self.assertEqual(self.succeeds("run", self.machine("/api.json")), {"name": "Fido"})
        self.assertEqual(self.host.paths, ["/api.json", "/v1/pets/7"])

    def test_an_answer_may_lead_to_another_place_but_not_for_ever(self):
        self.assertEqual(self.succeeds("run", self.machine("/moved")), {"name": "Fido"})
        said = self.refused("TASK_NOT_MAPPED", "run", self.machine("/round"))
        self.assertIn("/round cannot be fetched: One answer leads to the next", said)

    def test_what_cannot_be_fetched_is_told_and_may_be_mapped(self):
        flow = self.machine("/nothing.json")
        self.assertIn("/nothing.json cannot be fetched: The answer is 404.", self.refused("TASK_NOT_MAPPED", "run", flow))
        tasks = self.write("tasks.json", {"f": {"exec": ["echo", "5"]}})
        done = self.pawl("run", flow, "--tasks", tasks)
        self.assertEqual((done.returncode, json.loads(done.stdout)), (0, 5))

    def test_nothing_is_fetched_where_functions_are_mocked_nor_by_lint(self):
        flow = self.machine("/api.json")
        mocks = self.write("m.json", {"StateMachines": {"pet": {"TestCases": {"Case": {"f": "R"}}}}, "MockedResponses": {"R": {"0": {"Return": 3}}}})
        self.assertEqual(self.succeeds("run", flow, "--mocks", mocks), 3)
        self.assertIn(b"SM4C_DOCUMENT_ELSEWHERE", self.pawl("lint", flow).stdout + self.pawl("lint", flow).stderr)
        self.assertEqual(self.host.paths, [])


if __name__ == "__main__":
    command.main()
