#!/usr/bin/env python3
"""Every operation of the protocol with every field missing, of a wrong type, empty, oversized, unknown or with control characters.

    bad_fields_test.py PAWL

Each such request gets AWS's error, and when all are sent the server has what it had before.
"""
import json
import pathlib
import sys
import tempfile
import unittest

from protocol import OPERATIONS
from world import Client, Refused, ServerProcess

COMMAND = sys.argv.pop(1) if len(sys.argv) > 1 else None
ROLE = "arn:aws:iam::000000000000:role/test"
PREFIX = "arn:aws:states:us-east-1:000000000000:"
WRONG_TYPES = {"text": [7, True, ["a"], {"a": "b"}], "number": ["7", True, [7], {"a": 7}, 1.5], "flag": ["true", 1, [True], {"a": True}],
               "object": ["a", 7, True, ["a"]], "list": ["a", 7, True, {"a": "b"}]}
JSON_KINDS = {"name": "text", "arn": "text", "token": "text", "json": "text"}
NOT_YET_THERE = set()
OF_VALUES = ("InvalidName", "InvalidArn", "InvalidToken", "ValidationException", "StateMachineDoesNotExist", "ExecutionDoesNotExist",
             "ActivityDoesNotExist", "ResourceNotFound", "InvalidExecutionInput", "InvalidOutput", "TaskDoesNotExist", "InvalidDefinition")


def wait_machine():
    return json.dumps({"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 3600, "End": True}}})


class Furnished:
    """A server with one of everything, and requests that would be good."""

    def __init__(self, client):
        self.client = client
        machine = client.call("CreateStateMachine", name="machine", definition=wait_machine(), roleArn=ROLE, publish=True,
                              tags=[{"key": "a", "value": "b"}])
        client.call("CreateStateMachine", name="express", definition=wait_machine(), roleArn=ROLE, type="EXPRESS")
        self.version = machine["stateMachineVersionArn"]
        self.route = [{"stateMachineVersionArn": self.version, "weight": 100}]
        self.alias = client.call("CreateStateMachineAlias", name="alias", routingConfiguration=self.route)["stateMachineAliasArn"]
        self.machine = machine["stateMachineArn"]
        self.execution = client.call("StartExecution", stateMachineArn=self.machine, name="running", input="{}")["executionArn"]
        self.activity = f"{PREFIX}activity:activity"
        if self.has("CreateActivity"):
            client.call("CreateActivity", name="activity")

    def has(self, operation):
        try:
            self.client.call(operation, noSuchField=1)
        except Refused as refused:
            return refused.kind != "UnknownOperationException"
        return True

    def good_request(self, operation):
        """What only lacks the one bad field. Where the operation would change something, the bad field must prevent it."""
        values = {"activityArn": self.activity, "stateMachineArn": self.machine, "executionArn": self.execution, "name": "another",
                  "definition": wait_machine(), "roleArn": ROLE, "stateMachineVersionArn": self.version,
                  "stateMachineAliasArn": self.alias, "routingConfiguration": self.route, "resourceArn": self.machine,
                  "tags": [{"key": "c", "value": "d"}], "tagKeys": ["a"], "taskToken": "no-token", "output": "{}",
                  "mapRunArn": f"{PREFIX}mapRun:machine/label:run"}
        request = {field: values[field] for field, rule in OPERATIONS[operation].items() if rule.required}
        if operation == "StartSyncExecution":
            request["stateMachineArn"] = f"{PREFIX}stateMachine:express"
        return request

    def dump(self):
        """Everything that clients can see."""
        call = self.client.call
        machines = call("ListStateMachines")["stateMachines"]
        seen = [machines]
        for arn in [machine["stateMachineArn"] for machine in machines]:
            seen += [call("DescribeStateMachine", stateMachineArn=arn), call("ListTagsForResource", resourceArn=arn),
                     call("ListStateMachineVersions", stateMachineArn=arn), call("ListStateMachineAliases", stateMachineArn=arn)]
        seen += [call("DescribeStateMachineAlias", stateMachineAliasArn=self.alias), call("ListExecutions", stateMachineArn=self.machine),
                 call("DescribeExecution", executionArn=self.execution), call("GetExecutionHistory", executionArn=self.execution)]
        if self.has("ListActivities"):
            seen.append(call("ListActivities"))
        return seen


def text_of(field, characters):
    if field.kind == "arn":
        return (PREFIX + "stateMachine:").ljust(characters, "a")
    if field.kind == "json":
        return '"' + "a" * (characters - 2) + '"'
    return "a" * characters


def bad_values(field):
    """(a bad value, the errors that may answer it)"""
    json_kind = JSON_KINDS.get(field.kind, field.kind)
    for value in WRONG_TYPES[json_kind]:
        yield value, ("SerializationException",)
    if json_kind == "number":
        for value in (field.low - 1, field.high + 1):
            yield value, ("ValidationException", "SerializationException")
    if json_kind == "list" and field.high is not None:
        yield [{}] * (field.high + 1), ("ValidationException",)
    if json_kind == "list" and field.low:
        yield [], ("ValidationException",)
    if json_kind != "text":
        return
    if field.low:
        yield "", ("ValidationException",)
    if field.high is not None:
        yield text_of(field, field.high + 1), ("ValidationException",)
    if field.values:
        yield from (("", ("ValidationException",)), (field.values[0].lower(), ("ValidationException",)))
    if field.values or field.kind in ("name", "arn", "token"):
        for character in "\u0000\u0001\n\u001f\u007f\u0085":
            yield f"a{character}b", OF_VALUES
    if field.kind == "json":
        yield from ((text, OF_VALUES) for text in ("", "{", "{}x", "nul", '{"a":1,}'))


def bad_requests(good, operation):
    """(what is bad, the request, the errors that may answer it)"""
    fields = OPERATIONS[operation]
    yield "an unknown field", {**good, "noSuchField": 1}, ("ValidationException",)
    yield "a field in other letters", {**good, next(iter(fields)).upper(): "a"}, ("ValidationException",)
    for name, field in fields.items():
        if field.required:
            yield f"no {name}", {key: value for key, value in good.items() if key != name}, ("ValidationException",)
            yield f"{name} null", {**good, name: None}, ("ValidationException",)
        for value, errors in bad_values(field):
            yield f"{name} {json.dumps(value)[:60]}", {**good, name: value}, errors


BAD_PARTS = [
    ("TagResource", {"tags": ["a"]}), ("TagResource", {"tags": [{"value": "no key"}]}), ("TagResource", {"tags": [{"key": 7}]}),
    ("TagResource", {"tags": [{"key": "", "value": "a"}]}), ("TagResource", {"tags": [{"key": "k" * 129, "value": "a"}]}),
    ("TagResource", {"tags": [{"key": "k", "value": "v" * 257}]}), ("TagResource", {"tags": [{"key": "k", "value": "v", "more": 1}]}),
    ("TagResource", {"tags": [{"key": f"k{i}", "value": "v"} for i in range(51)]}), ("UntagResource", {"tagKeys": [7]}),
    ("UntagResource", {"tagKeys": ["a", None]}), ("UntagResource", {"tagKeys": ["a", "k" * 129]}),
    ("CreateStateMachine", {"tags": [{"key": 7}]}), ("CreateStateMachine", {"definition": "{}"}),
    ("CreateStateMachine", {"definition": "{"}), ("CreateStateMachine", {"versionDescription": "without publish"}),
    ("CreateStateMachine", {"name": "machine"}), ("UpdateStateMachine", {"definition": '{"StartAt": "A"}'}),
    ("UpdateStateMachine", {"stateMachineArn": f"{PREFIX}stateMachine:machine:1", "roleArn": ROLE}), ("UpdateStateMachine", {}),
    ("UpdateStateMachine", {"stateMachineArn": f"{PREFIX}stateMachine:machine:alias", "roleArn": ROLE}),
    ("UpdateStateMachine", {"roleArn": "no ARN"}), ("DeleteStateMachine", {"stateMachineArn": f"{PREFIX}stateMachine:machine:1"}),
    ("DeleteStateMachine", {"stateMachineArn": f"{PREFIX}stateMachine:machine:alias"}),
    ("PublishStateMachineVersion", {"stateMachineArn": f"{PREFIX}stateMachine:machine:1"}),
    ("DeleteStateMachineVersion", {"stateMachineVersionArn": f"{PREFIX}stateMachine:machine"}),
    ("CreateStateMachineAlias", {"routingConfiguration": ["a"]}), ("CreateStateMachineAlias", {"routingConfiguration": [{"weight": 100}]}),
    ("CreateStateMachineAlias", {"name": "7"}),
    ("PublishStateMachineVersion", {"revisionId": "not-the-revision"}), ("StartExecution", {"input": "[" * 2000}),
    ("StopExecution", {"executionArn": f"{PREFIX}execution:machine:nobody"}), ("StartSyncExecution", {"stateMachineArn": f"{PREFIX}stateMachine:machine"}),
]


class BadFieldsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.server = ServerProcess(COMMAND, str(pathlib.Path(cls.folder.name) / "data"))
        cls.client = Client(cls.server.port)
        cls.world = Furnished(cls.client)

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        cls.server.stop()
        cls.folder.cleanup()

    def expect_refusal(self, operation, what, request, errors):
        with self.subTest(operation=operation, what=what):
            try:
                answer = self.client.call(operation, **request)
            except Refused as refused:
                self.assertIn(refused.kind, errors, refused)
                self.assertTrue(str(refused).strip())
                return
            self.fail(f"it was answered: {json.dumps(answer)[:200]}")

    def test_every_operation_is_there(self):
        missing = {operation for operation in OPERATIONS if not self.world.has(operation)}
        self.assertLessEqual(missing, NOT_YET_THERE)
        self.assertEqual(len(OPERATIONS), 37)

    def test_every_bad_field_is_refused_and_changes_nothing(self):
        count = 0
        for operation in [operation for operation in OPERATIONS if self.world.has(operation)]:
            before = self.world.dump()
            for what, request, errors in bad_requests(self.world.good_request(operation), operation):
                self.expect_refusal(operation, what, request, errors)
                count += 1
            self.assertEqual(self.world.dump(), before, operation)
        self.assertGreater(count, 900)

    def test_every_bad_part_of_a_field_is_refused_and_changes_nothing(self):
        before = self.world.dump()
        for operation, change in BAD_PARTS:
            errors = OF_VALUES + ("SerializationException", "TooManyTags", "StateMachineAlreadyExists", "MissingRequiredParameter",
                                  "ConflictException", "StateMachineTypeNotSupported")
            self.expect_refusal(operation, json.dumps(change)[:80], {**self.world.good_request(operation), **change}, errors)
        self.assertEqual(self.world.dump(), before)


if __name__ == "__main__":
    if COMMAND is None:
        sys.exit(__doc__)
    unittest.main()
