#!/usr/bin/env python3
"""A function that is not durable: writes a line for each call to the file PAWL_DEEDS, as the steps of crash_worker.cpp do."""
import http.client
import json
import os

RUNTIME = "/2018-06-01/runtime/invocation/"


def main():
    deeds = os.open(os.environ["PAWL_DEEDS"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    connection = http.client.HTTPConnection(os.environ["AWS_LAMBDA_RUNTIME_API"])
    while True:
        connection.request("GET", RUNTIME + "next")
        call = connection.getresponse()
        n = json.loads(call.read())
        if call.status != 200:
            return
        line = json.dumps({"n": n, "deed": "note", "detail": ""}) + "\n"
        os.write(deeds, line.encode())
        connection.request("POST", f"{RUNTIME}{call.headers['Lambda-Runtime-Aws-Request-Id']}/response", "null")
        connection.getresponse().read()


if __name__ == "__main__":
    main()
