#!/usr/bin/env python3
"""Writes src/lang/asl/mock_schema_table.cpp: what services answer, for the mocks of TestState.

    tools/make_mock_schemas.py BOTOCORE_DATA_FOLDER

The folder is `data` of an installed botocore: AWS's own API models. The grammar of a shape is in mock_schema.cpp.
"""
import gzip
import json
import sys
from pathlib import Path

OUTPUT = Path(__file__).resolve().parent.parent / "src/lang/asl/mock_schema_table.cpp"
DEPTH_MAX = 6  # deeper members are not described

# Service as Resources spell it, folder of its model, operations.
SDK = [
    ("dynamodb", "dynamodb", "GetItem PutItem UpdateItem DeleteItem Query Scan BatchGetItem BatchWriteItem"),
    ("eventbridge", "events", "PutEvents"),
    ("kinesis", "kinesis", "PutRecord PutRecords"),
    ("firehose", "firehose", "PutRecord"),
    ("kms", "kms", "Encrypt Decrypt GenerateDataKey Sign Verify"),
    ("lambda", "lambda", "Invoke GetFunction GetFunctionConfiguration ListFunctions"),
    ("s3", "s3", "GetObject PutObject DeleteObject HeadObject CopyObject ListObjectsV2 ListBuckets"),
    ("secretsmanager", "secretsmanager", "GetSecretValue PutSecretValue DescribeSecret"),
    ("sfn", "stepfunctions", "StartExecution StartSyncExecution DescribeExecution StopExecution ListExecutions"),
    ("sns", "sns", "Publish PublishBatch"),
    ("sqs", "sqs", "SendMessage SendMessageBatch ReceiveMessage GetQueueUrl"),
    ("ssm", "ssm", "GetParameter GetParameters PutParameter SendCommand"),
    ("sts", "sts", "AssumeRole GetCallerIdentity"),
]
# The optimized integrations: their Resource, the model's folder and operation, and what they change of it.
OPTIMIZED = [
    ("athena:getQueryExecution", "athena", "GetQueryExecution", {}),
    ("athena:startQueryExecution", "athena", "StartQueryExecution", {}),
    ("batch:submitJob", "batch", "SubmitJob", {}),
    ("bedrock:invokeModel", "bedrock-runtime", "InvokeModel", {"Body": "?"}),
    ("dynamodb:deleteItem", "dynamodb", "DeleteItem", {}),
    ("dynamodb:getItem", "dynamodb", "GetItem", {}),
    ("dynamodb:putItem", "dynamodb", "PutItem", {}),
    ("dynamodb:updateItem", "dynamodb", "UpdateItem", {}),
    ("events:putEvents", "events", "PutEvents", {}),
    ("glue:startJobRun", "glue", "StartJobRun", {}),
    ("lambda:invoke", "lambda", "Invoke", {"Payload": "?"}),
    ("sns:publish", "sns", "Publish", {}),
    ("sqs:sendMessage", "sqs", "SendMessage", {}),
    ("states:startExecution", "stepfunctions", "StartExecution", {}),
    ("states:startExecution.sync", "stepfunctions", "DescribeExecution", {}),
    ("states:startExecution.sync:2", "stepfunctions", "DescribeExecution", {"Input": "?", "Output": "?"}),
]
# Bounds that AWS checks mocks by where its published model says another.
CHECKED_BOUNDS = {"MemorySize": "128..10240"}
NUMBERS = {"integer", "long", "float", "double"}
TEXTS = {"string", "blob", "timestamp"}


def load_model(data, folder):
    newest = sorted((data / folder).iterdir())[-1]
    packed = newest / "service-2.json.gz"
    if packed.exists():
        return json.loads(gzip.decompress(packed.read_bytes()))
    return json.loads((newest / "service-2.json").read_text())


def bounds(name, shape):
    if name in CHECKED_BOUNDS:
        return CHECKED_BOUNDS[name]
    low, high = (int(shape[end]) if end in shape else "" for end in ("min", "max"))
    return f"{low or 0}..{high}" if low or high else ""


def describe(model, name, inside=(), changes=None):
    shape = model["shapes"][name]
    kind = shape["type"]
    if name in inside or len(inside) >= DEPTH_MAX:
        return "?"
    inside = (*inside, name)
    if kind in TEXTS:
        return "s" + (bounds(name, shape) if kind != "timestamp" else "")
    if kind in NUMBERS:
        return "n" + bounds(name, shape)
    if kind == "boolean":
        return "b"
    if kind == "list":
        return f"[{describe(model, shape['member']['shape'], inside)}]"
    if kind == "map":
        return f"<{describe(model, shape['value']['shape'], inside)}>"
    return "{" + " ".join(members(model, shape, inside, changes or {})) + "}"


def members(model, shape, inside, changes):
    required = set(shape.get("required", []))
    for member, reference in shape["members"].items():
        shown = member[0].upper() + member[1:]
        described = changes.get(shown) or describe(model, reference["shape"], inside)
        yield f"{shown}{'!' if member in required else ''}:{described}"


def answer_of(model, operation, changes):
    output = model["operations"][operation].get("output")
    return describe(model, output["shape"], (), changes) if output else "{}"


def rows(data):
    for service, folder, operations in SDK:
        model = load_model(data, folder)
        for operation in operations.split():
            action = operation[0].lower() + operation[1:]
            yield f"aws-sdk:{service}:{action}", answer_of(model, operation, {})
    for resource, folder, operation, changes in OPTIMIZED:
        yield resource, answer_of(load_model(data, folder), operation, changes)


def main():
    data = Path(sys.argv[1])
    lines = [f'    MockSchema{{"{resource}", "{shape}"}},' for resource, shape in sorted(rows(data))]
    OUTPUT.write_text(
        "// Written by tools/make_mock_schemas.py from AWS's API models: what services answer. The grammar is in"
        " mock_schema.cpp.\n"
        '#include "lang/asl/mock_schema_table.h"\n\n'
        "namespace pawl::asl {\n\nnamespace {\n\n"
        "constexpr MockSchema kSchemas[] = {\n" + "\n".join(lines) + "\n};\n\n}  // namespace\n\n"
        "std::span<const MockSchema> mock_schemas() { return kSchemas; }\n\n"
        "}  // namespace pawl::asl\n"
    )


if __name__ == "__main__":
    main()
