"""The operations of the Step Functions protocol and the constraints of their fields, as AWS's API reference has them."""
import dataclasses

ARN_MAX = 256
LONG_ARN_MAX = 2000
DEFINITION_MAX = 1_048_576
PAYLOAD_MAX = 262_144
INTEGER_MAX = 2**31 - 1


@dataclasses.dataclass(frozen=True)
class Field:
    """A field of a request. Limits are characters of a text, items of a list, or the value of a number."""
    kind: str                # text, name, arn, token, json, number, flag, object or list
    required: bool = False
    low: int = None
    high: int = None
    values: tuple = ()       # what an enumeration may be


def name(required=True):
    return Field("name", required, 1, 80)


def arn(required=True, high=ARN_MAX):
    return Field("arn", required, 1, high)


def text(high, required=False, low=0):
    return Field("text", required, low, high)


def one_of(*values):
    return Field("text", values=values)


MAX_RESULTS = Field("number", low=0, high=1000)
NEXT_TOKEN = Field("token", low=1, high=1024)
TASK_TOKEN = Field("token", True, 1, 2048)
PAGED = {"maxResults": MAX_RESULTS, "nextToken": NEXT_TOKEN}
INCLUDED = one_of("ALL_DATA", "METADATA_ONLY")
TYPE = one_of("STANDARD", "EXPRESS")
DEFINITION = Field("text", True, 1, DEFINITION_MAX)
PAYLOAD = Field("json", False, 0, PAYLOAD_MAX)
FLAG = Field("flag")
OBJECT = Field("object")
TAGS = Field("list")
SETTINGS = {"loggingConfiguration": OBJECT, "tracingConfiguration": OBJECT, "encryptionConfiguration": OBJECT,
            "publish": FLAG, "versionDescription": text(256)}

OPERATIONS = {
    "CreateActivity": {"name": name(), "tags": TAGS, "encryptionConfiguration": OBJECT},
    "DeleteActivity": {"activityArn": arn()},
    "DescribeActivity": {"activityArn": arn()},
    "GetActivityTask": {"activityArn": arn(), "workerName": name(False)},
    "ListActivities": PAGED,
    "CreateStateMachine": {"name": name(), "definition": DEFINITION, "roleArn": arn(), "type": TYPE, "tags": TAGS, **SETTINGS},
    "DeleteStateMachine": {"stateMachineArn": arn()},
    "DescribeStateMachine": {"stateMachineArn": arn(), "includedData": INCLUDED},
    "DescribeStateMachineForExecution": {"executionArn": arn(), "includedData": INCLUDED},
    "ListStateMachines": PAGED,
    "UpdateStateMachine": {"stateMachineArn": arn(), "definition": dataclasses.replace(DEFINITION, required=False),
                           "roleArn": arn(False), **SETTINGS},
    "ValidateStateMachineDefinition": {"definition": DEFINITION, "type": TYPE, "severity": one_of("ERROR", "WARNING"),
                                       "maxResults": Field("number", low=0, high=100)},
    "PublishStateMachineVersion": {"stateMachineArn": arn(), "revisionId": Field("text"), "description": text(256)},
    "ListStateMachineVersions": {"stateMachineArn": arn(), **PAGED},
    "DeleteStateMachineVersion": {"stateMachineVersionArn": arn(high=LONG_ARN_MAX)},
    "CreateStateMachineAlias": {"name": name(), "description": text(256), "routingConfiguration": Field("list", True, 1, 2)},
    "DescribeStateMachineAlias": {"stateMachineAliasArn": arn()},
    "UpdateStateMachineAlias": {"stateMachineAliasArn": arn(), "description": text(256),
                                "routingConfiguration": Field("list", False, 1, 2)},
    "DeleteStateMachineAlias": {"stateMachineAliasArn": arn()},
    "ListStateMachineAliases": {"stateMachineArn": arn(), **PAGED},
    "TagResource": {"resourceArn": arn(), "tags": dataclasses.replace(TAGS, required=True)},
    "UntagResource": {"resourceArn": arn(), "tagKeys": Field("list", True)},
    "ListTagsForResource": {"resourceArn": arn()},
    "StartExecution": {"stateMachineArn": arn(), "name": name(False), "input": PAYLOAD, "traceHeader": text(256)},
    "StartSyncExecution": {"stateMachineArn": arn(), "name": name(False), "input": PAYLOAD, "traceHeader": text(256),
                           "includedData": INCLUDED},
    "StopExecution": {"executionArn": arn(), "error": text(256), "cause": text(32_768)},
    "DescribeExecution": {"executionArn": arn(), "includedData": INCLUDED},
    "ListExecutions": {"stateMachineArn": arn(False), "mapRunArn": arn(False, LONG_ARN_MAX),
                       "statusFilter": one_of("RUNNING", "SUCCEEDED", "FAILED", "TIMED_OUT", "ABORTED", "PENDING_REDRIVE"),
                       "redriveFilter": one_of("REDRIVEN", "NOT_REDRIVEN"), **PAGED},
    "GetExecutionHistory": {"executionArn": arn(), "reverseOrder": FLAG, "includeExecutionData": FLAG, **PAGED},
    "RedriveExecution": {"executionArn": arn(), "clientToken": Field("text", False, 1, 64)},
    "SendTaskSuccess": {"taskToken": TASK_TOKEN, "output": dataclasses.replace(PAYLOAD, required=True)},
    "SendTaskFailure": {"taskToken": TASK_TOKEN, "error": text(256), "cause": text(32_768)},
    "SendTaskHeartbeat": {"taskToken": TASK_TOKEN},
    "TestState": {"definition": DEFINITION, "roleArn": arn(False), "input": PAYLOAD,
                  "inspectionLevel": one_of("INFO", "DEBUG", "TRACE"), "revealSecrets": FLAG},
    "ListMapRuns": {"executionArn": arn(), **PAGED},
    "DescribeMapRun": {"mapRunArn": arn(high=LONG_ARN_MAX)},
    "UpdateMapRun": {"mapRunArn": arn(high=LONG_ARN_MAX), "maxConcurrency": Field("number", low=0, high=INTEGER_MAX),
                     "toleratedFailureCount": Field("number", low=0, high=2**63 - 1)},
}
