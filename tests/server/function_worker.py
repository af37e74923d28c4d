#!/usr/bin/env python3
"""A durable function in Python, without an SDK: what it does, its input says. Each call adds a line to a file.

    function_worker.py LOG
"""
import http.client
import json
import os
import sys
import time
import urllib.parse

NEXT = "/2018-06-01/runtime/invocation/next"
LOG = sys.argv[1]


def calls_so_far():
    return len(open(LOG, encoding="utf-8").readlines()) if os.path.exists(LOG) else 0


def checkpoint(event, updates):
    address = urllib.parse.urlsplit(os.environ["AWS_ENDPOINT_URL_LAMBDA"])
    connection = http.client.HTTPConnection(address.hostname, address.port)
    arn = urllib.parse.quote(event["DurableExecutionArn"], safe="")
    body = json.dumps({"CheckpointToken": event["CheckpointToken"], "Updates": updates})
    connection.request("POST", f"/2025-12-01/durable-executions/{arn}/checkpoint", body)
    answer = connection.getresponse()
    assert answer.status == 200, answer.read()
    event["CheckpointToken"] = json.loads(answer.read())["CheckpointToken"]


def ask(event, operations):
    """Waits for a callback, and ends as that says."""
    if len(operations) == 1:
        checkpoint(event, [{"Id": "c", "Type": "CALLBACK", "Action": "START", "Name": "approval"}])
        return {"Status": "PENDING"}
    details = operations[1]["CallbackDetails"]
    if "Error" in details:
        return {"Status": "FAILED", "Error": details["Error"]}
    return {"Status": "SUCCEEDED", "Result": details.get("Result", "null")}


def run(event):
    """The envelope to answer with."""
    operations = event["InitialExecutionState"]["Operations"]
    wanted = json.loads(operations[0]["ExecutionDetails"]["InputPayload"])
    if wanted == "ask":
        return ask(event, operations)
    first = calls_so_far() == 0
    with open(LOG, "a", encoding="utf-8") as log:
        log.write(f"{os.getpid()} {len(operations)}\n")
    if first and wanted == "exit":
        os._exit(3)
    if first and wanted == "hang":
        time.sleep(600)
    if len(operations) == 1:
        checkpoint(event, [{"Id": "s", "Type": "STEP", "Action": "SUCCEED", "Payload": "1"}])
    if first and wanted == "exit later":
        os._exit(3)
    if wanted == "wait" and len(operations) == 1:
        checkpoint(event, [{"Id": "w", "Type": "WAIT", "Action": "START", "WaitOptions": {"WaitSeconds": 1}}])
        return {"Status": "PENDING"}
    return {"Status": "SUCCEEDED", "Result": json.dumps({"calls": calls_so_far()})}


def main():
    host, port = os.environ["AWS_LAMBDA_RUNTIME_API"].split(":")
    connection = http.client.HTTPConnection(host, int(port))
    while True:
        connection.request("GET", NEXT)
        call = connection.getresponse()
        event = json.loads(call.read())
        request = call.headers["Lambda-Runtime-Aws-Request-Id"]
        connection.request("POST", f"/2018-06-01/runtime/invocation/{request}/response", json.dumps(run(event)))
        connection.getresponse().read()


main()
