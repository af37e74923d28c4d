#!/usr/bin/env python3
"""Kills a server with SIGKILL at random moments and starts it again, while clients start executions and answer tasks.

    kill_test.py PAWL [--kills N] [--seed N]

Every start that was answered is written down. At the end each of them has succeeded with the output that its definition says, no
wait was short, each answer to a task that was accepted counted, and a call that was repeated carried the same key and input.
"""
import argparse
import json
import random
import sys
import tempfile
import threading

from world import Client, Lost, Refused, ServerProcess, Worker, poll, write_json

CLIENTS = 3
KILL_AFTER_STARTS_MAX = 40
KILL_SECONDS_MAX = 20
END_SECONDS_MAX = 120
TERM_EVERY = 7  # one end in so many is a polite one
ROLE = "arn:aws:iam::000000000000:role/test"
PREFIX = "arn:aws:states:us-east-1:000000000000:"


def chain():
    states = {f"S{i}": {"Type": "Pass", "Result": i, "ResultPath": f"$.s{i}", "Next": f"S{i + 1}"} for i in range(10)}
    states["S9"].pop("Next")
    states["S9"]["End"] = True
    return {"StartAt": "S0", "States": states}


def machines(worker):
    return {
        "chain": chain(),
        "wait": {"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 1, "End": True}}},
        "task": {"StartAt": "T", "States": {
            "T": {"Type": "Task", "Resource": worker.url + "/double", "ResultPath": "$.answer", "Next": "W"},
            "W": {"Type": "Wait", "Seconds": 1, "Next": "U"},
            "U": {"Type": "Task", "Resource": worker.url + "/double", "InputPath": "$", "End": True}}},
        "ask": {"StartAt": "A", "States": {
            "A": {"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
                  "Parameters": {"token.$": "$$.Task.Token", "n.$": "$.n"}, "End": True}}},
    }


def expected_output(machine, number):
    if machine == "chain":
        return {"n": number, **{f"s{i}": i for i in range(10)}}
    return {"wait": {"n": number}, "task": {"doubled": 2 * number}, "ask": {"answered": number}}[machine]


class Campaign:
    """What the clients know: which starts were answered, and which are in doubt."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lock = threading.Lock()
        self.acknowledged = {}  # ARN -> (machine, number)
        self.doubtful = []      # (machine, number, name): sent, never answered
        self.last_number = 0
        self.round_starts = 0
        self.problems = []

    def next_start(self):
        with self.lock:
            if self.doubtful:
                return self.doubtful.pop()
            self.last_number += 1
            machine = self.random.choice(["chain", "wait", "task", "ask"])
            name = f"n{self.last_number}" if self.random.random() < 0.5 else None
            return machine, self.last_number, name

    def acknowledge(self, arn, machine, number):
        with self.lock:
            if self.acknowledged.setdefault(arn, (machine, number)) != (machine, number):
                self.problems.append(f"{arn} was given to two starts")
            self.round_starts += 1

    def start_one(self, client):
        machine, number, name = self.next_start()
        fields = {"stateMachineArn": f"{PREFIX}stateMachine:{machine}", "input": json.dumps({"n": number})}
        if name:
            fields["name"] = name
        try:
            self.acknowledge(client.call("StartExecution", **fields)["executionArn"], machine, number)
        except Refused as refused:
            if refused.kind != "ExecutionAlreadyExists":
                raise
            self.acknowledge(f"{PREFIX}execution:{machine}:{name}", machine, number)  # an unanswered start did count
        except Lost:
            if name:
                with self.lock:
                    self.doubtful.append((machine, number, name))
            raise


def answer_tokens(client, worker, answered):
    """Sends back every token that the worker has seen and nobody has sent back."""
    with worker.lock:
        waiting = [(token, number) for token, number in worker.tokens.items() if token not in answered]
    for token, number in waiting:
        try:
            client.call("SendTaskSuccess", taskToken=token, output=json.dumps({"answered": number}))
        except Refused as refused:
            if refused.kind != "TaskTimedOut":  # an unanswered try did count
                raise
        answered.add(token)


def run_clients(campaign, worker, answered, port, stop):
    """Threads that use the server until it is gone or the round is over."""

    def work(job):
        client = Client(port)
        try:
            while not stop.is_set():
                job(client)
        except Lost:
            pass
        except Exception as error:  # what is no loss of the connection is a finding
            campaign.problems.append(repr(error))

    def answer(client):
        answer_tokens(client, worker, answered)
        stop.wait(0.01)

    threads = [threading.Thread(target=work, args=(campaign.start_one,)) for _ in range(CLIENTS)]
    threads.append(threading.Thread(target=work, args=(answer,)))
    for thread in threads:
        thread.start()
    return threads


def play_round(number, campaign, worker, answered, server):
    campaign.round_starts = 0
    wanted = campaign.random.randint(1, KILL_AFTER_STARTS_MAX)
    stop = threading.Event()
    threads = run_clients(campaign, worker, answered, server.port, stop)
    poll(lambda: campaign.round_starts >= wanted or campaign.problems, KILL_SECONDS_MAX, f"{wanted} starts")
    if number % TERM_EVERY == 0:
        stop.set()
        code, said = server.stop()
        if code != 0 or said:
            campaign.problems.append(f"SIGTERM ended the server with {code}: {said!r}")
    else:
        server.kill()
    stop.set()
    for thread in threads:
        thread.join()


def judge(client, arn, machine, number):
    """None while it runs; else what is wrong with its end, or an empty text."""
    described = client.call("DescribeExecution", executionArn=arn)
    if described["status"] == "RUNNING":
        return None
    if described["status"] != "SUCCEEDED":
        return f"{arn} is {described['status']}: {described.get('error')} {described.get('cause')}"
    if json.loads(described["output"]) != expected_output(machine, number):
        return f"{arn} gave {described['output']}"
    shortest = 0.999 if machine in ("wait", "task") else 0
    if described["stopDate"] - described["startDate"] < shortest:
        return f"{arn} took {described['stopDate'] - described['startDate']} s"
    return ""


def judge_all(client, campaign, worker, answered):
    """Waits for the end of every execution that was acknowledged, and says what is wrong with them."""
    running = dict(campaign.acknowledged)
    problems = []

    def settle():
        answer_tokens(client, worker, answered)
        for arn in list(running):
            verdict = judge(client, arn, *running[arn])
            if verdict is None:
                continue
            del running[arn]
            if verdict:
                problems.append(verdict)
        return not running

    try:
        poll(settle, END_SECONDS_MAX, "the end of every execution")
    except TimeoutError as error:
        problems.append(f"{error}; {len(running)} still run, such as {list(running)[:3]}")
    return problems


def check_lists(client, campaign):
    """Every acknowledged execution is in the list of its machine, once."""
    listed = []
    for machine in ("chain", "wait", "task", "ask"):
        token = {}
        while token is not None:
            page = client.call("ListExecutions", stateMachineArn=f"{PREFIX}stateMachine:{machine}", maxResults=100, **token)
            listed += [item["executionArn"] for item in page["executions"]]
            token = {"nextToken": page["nextToken"]} if "nextToken" in page else None
    problems = [f"{arn} is in no list" for arn in campaign.acknowledged.keys() - set(listed)]
    return problems + (["an execution is listed twice"] if len(listed) != len(set(listed)) else [])


def run(command, kills, seed):
    campaign, worker, answered = Campaign(seed), Worker(), set()
    with tempfile.TemporaryDirectory() as folder:
        tasks = write_json(folder, "tasks.json", {"arn:aws:states:::sqs:sendMessage.waitForTaskToken": {"http": worker.url + "/ask"}})
        for number in range(1, kills + 1):
            server = ServerProcess(command, folder + "/data", tasks)
            if number == 1:
                for name, definition in machines(worker).items():
                    Client(server.port).call("CreateStateMachine", name=name, definition=json.dumps(definition), roleArn=ROLE)
            play_round(number, campaign, worker, answered, server)
            if campaign.problems:
                return campaign, worker
        server = ServerProcess(command, folder + "/data", tasks)
        client = Client(server.port)
        campaign.problems += judge_all(client, campaign, worker, answered)
        campaign.problems += check_lists(client, campaign)
        server.stop()
    worker.close()
    campaign.problems += [f"the key {key} came with two inputs" for key in worker.contradictions]
    return campaign, worker


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pawl")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    arguments = parser.parse_args()
    campaign, worker = run(arguments.pawl, arguments.kills, arguments.seed)
    print(f"seed {arguments.seed}: {arguments.kills} ends of the server, {len(campaign.acknowledged)} acknowledged executions, "
          f"{worker.calls} calls of tasks, {len(campaign.problems)} problems")
    print("\n".join(campaign.problems[:20]))
    return 1 if campaign.problems else 0


if __name__ == "__main__":
    sys.exit(main())
