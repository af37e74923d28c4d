#!/usr/bin/env python3
"""Kills a server with SIGKILL at random moments, also while it recovers, while clients use it; then judges what has come of it.

    crash_test.py PAWL [--kills N] [--seed N]

Clients start executions of every kind of state, answer their tasks, beat, stop and repeat, and write down each answer. Then, with
nothing killed any more, every acknowledged start must have ended as its definition says, each accepted answer must have counted once,
no timer may have fired early, and no execution may be stuck (checker.py). After CHAPTER_KILLS kills there is such a judgement, and a
new chapter begins on the same data directory. A failure prints its seed and keeps the data directory and the journal.
"""
import argparse
import json
import pathlib
import random
import shutil
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "server"))

from world import Client, Refused, ServerProcess, kill_living, poll, write_json
from campaign import ROLE, Campaign, Journal
from checker import find_violations
from flows import Flow, all_flows
from kinds import ACTIVITY, ASK, PREFIX, all_kinds
from worker import Worker

CHAPTER_KILLS = 200
LIFE_SECONDS_MAX = 0.3      # of a server that is killed
BIRTH_SECONDS_MAX = 0.02    # of one that is killed while it starts
KILLED_AT_BIRTH = 0.25      # so many of the kills
ENDED_POLITELY = 0.05       # so many more ends are by SIGTERM
END_SECONDS_MAX = 60
SHOWN_MAX = 20


class Crashes:
    """The server, which is killed and started again."""

    def __init__(self, command, folder, worker, seed):
        self.random = random.Random(seed)
        self.tasks = write_json(folder, "tasks.json", {ASK: {"http": worker.url + "/ask"}})
        self.config = write_json(folder, "config.json", {"events": {"sinks": [{"name": "sink", "url": worker.url + "/sink"}]}})
        self.command, self.data = command, folder + "/data"
        self.kills = self.polite_ends = 0

    def start(self, wait=True):
        return ServerProcess(self.command, self.data, self.tasks, wait, ["--config", self.config])

    def play(self, campaign):
        """One life of the server."""
        if self.random.random() < KILLED_AT_BIRTH:
            server = self.start(wait=False)
            time.sleep(self.random.uniform(0, BIRTH_SECONDS_MAX))
            return self.kill(server)
        server = self.start()
        campaign.gate.open(server.port)
        time.sleep(self.random.uniform(0, LIFE_SECONDS_MAX))
        if server.process.poll() is not None:
            campaign.problems.append(f"the server ended by itself, with {server.process.returncode}: {server.process.stderr.read()!r}")
        if self.random.random() < ENDED_POLITELY:
            self.end_politely(server, campaign)
        else:
            self.kill(server)
        return campaign.gate.close()

    def kill(self, server):
        server.kill()
        self.kills += 1

    def end_politely(self, server, campaign):
        self.polite_ends += 1
        code, said = server.stop()
        if code != 0 or said:
            campaign.problems.append(f"SIGTERM ended the server with {code}: {said!r}")


def create_machines(port, kinds):
    client = Client(port)
    client.call("CreateActivity", name=ACTIVITY.rsplit(":", 1)[1])
    for kind in kinds:
        client.call("CreateStateMachine", name=kind.name, definition=json.dumps(kind.definition), roleArn=ROLE, type=kind.machine_type)
    client.close()


def look(client, arn, read_history):
    """How it stands; None while it runs."""
    try:
        described = client.call("DescribeExecution", executionArn=arn)
    except Refused as refused:
        if refused.kind != "ExecutionDoesNotExist":
            raise
        return {"described": None, "events": [], "facts": []}
    if described["status"] == "RUNNING":
        return None
    if "output" in described:
        described["output"] = json.loads(described["output"])
    return {"described": described, **read_history(client, arn)}


def read_events(client, arn):
    return {"events": client.call("GetExecutionHistory", executionArn=arn, maxResults=1000)["events"]}


def read_facts(client, arn):
    """Of an execution that AWS's history is not about."""
    _, body = client.request("GET", f"/api/executions/{arn.split(':execution:')[1]}/facts?limit=1000")
    return {"facts": json.loads(body)["facts"]}


def is_over(client, start, campaign):
    kind = campaign.kinds[start["kind"]]
    if kind.machine_type == "EXPRESS":
        return start["n"] in campaign.worker.finished
    if kind.has_child and start["n"] not in campaign.worker.finished:
        return False  # what it started still runs
    seen = look(client, start["arn"], read_facts if isinstance(kind, Flow) else read_events)
    if kind.is_redriven and seen and seen["described"] and seen["described"]["redriveCount"] == 0:
        return False  # a client has yet to redrive it
    if seen is not None:
        campaign.journal.add("end", arn=start["arn"], **seen)
    return seen is not None


def settle(client, campaign):
    """Waits until every execution has ended, and notes how."""
    looked_at = {record["arn"] for record in campaign.journal.records if record["what"] == "end"}
    running = {record["arn"]: record for record in campaign.journal.records
               if record["what"] == "start" and record["arn"] not in looked_at}

    def look_again():
        for arn in [arn for arn, start in running.items() if is_over(client, start, campaign)]:
            del running[arn]
        return not running

    try:
        poll(look_again, END_SECONDS_MAX, "the end of every execution")
    except TimeoutError:
        for arn in running:
            campaign.journal.add("end", arn=arn, described={"status": "RUNNING"}, events=[], facts=[])


def settle_events(client, campaign, since):
    """Waits until every event was accepted and what they start has ended, and notes how."""
    journal = campaign.journal
    seen = {}  # by arn, what has ended

    def has_settled():
        expected = len(journal.of("plan"))
        for kind in campaign.kinds.values():
            if not (isinstance(kind, Flow) and kind.is_begun):
                continue
            expected += len({start["n"] for start in journal.of("start") if start["kind"] == kind.follows})
            for arn in [arn for arn in list_since(client, kind, since) if arn not in seen]:
                if (found := look(client, arn, read_facts)) is not None:
                    seen[arn] = {"kind": kind.name, "arn": arn, **found}
        return not campaign.has_more_to_send() and len(seen) >= expected and has_sunk_all(campaign)

    try:
        poll(has_settled, END_SECONDS_MAX, "what events start")
    except TimeoutError:
        pass  # the judge sees what is missing
    for record in seen.values():
        journal.add("instance", **record)


def has_sunk_all(campaign):
    starts = {start["n"]: campaign.kinds[start["kind"]] for start in campaign.journal.of("start")}
    expected = sum(len(kind.emits) for kind in starts.values() if isinstance(kind, Flow))
    return len({event["id"] for event in campaign.journal.of("sink")}) >= expected


def list_since(client, kind, since):
    """The executions of a kind that were started since then; the lists have the newest first."""
    token, found = {}, []
    while token is not None:
        page = client.call("ListExecutions", stateMachineArn=f"{PREFIX}stateMachine:{kind.name}", maxResults=1000, **token)
        recent = [item["executionArn"] for item in page["executions"] if item["startDate"] >= since]
        found += recent
        is_last = "nextToken" not in page or len(recent) < len(page["executions"])
        token = None if is_last else {"nextToken": page["nextToken"]}
    return found


def list_executions(client, kinds, journal, since):
    """Everything in the lists that was started since then."""
    for kind in kinds:
        if kind.machine_type == "STANDARD":
            journal.add("listed", arns=list_since(client, kind, since))


def play_chapter(crashes, campaign, kills, kinds):
    """So many kills, then the judgement. Gives what is wrong."""
    since = int(time.time() * 1000) / 1000  # as times are told
    campaign.begin()
    until = crashes.kills + kills
    while crashes.kills < until and not campaign.problems:
        crashes.play(campaign)
    server = crashes.start()
    client = Client(server.port)
    campaign.gate.open(server.port)
    campaign.are_starting = False
    settle(client, campaign)
    settle_events(client, campaign, since)
    campaign.end()
    settle(client, campaign)  # starts that were in doubt until now
    list_executions(client, kinds, campaign.journal, since)
    client.close()
    crashes.end_politely(server, campaign)
    campaign.end_pollers()
    return campaign.problems + find_violations(campaign.journal.records, kinds)


def play(command, folder, arguments):
    """All chapters, up to the first with a violation. Gives the violations, and a line that counts what was done."""
    journal = Journal()
    worker = Worker(journal)
    kinds = all_kinds(worker.url) + all_flows(worker.url)
    crashes = Crashes(command, folder, worker, arguments.seed)
    campaign = Campaign(kinds, worker, journal, arguments.seed)
    server = crashes.start()
    create_machines(server.port, kinds)
    server.kill()
    starts = calls = answers = events = 0
    violations = []
    while crashes.kills < arguments.kills and not violations:
        journal.clear()
        violations = play_chapter(crashes, campaign, min(CHAPTER_KILLS, arguments.kills - crashes.kills), kinds)
        starts += len({record["arn"] for record in journal.of("start")})
        calls += len(journal.of("call"))
        events += len({record["id"] for record in journal.of("event") if record["answer"] == "ok"})
        answers += len(journal.of("send")) + len(journal.of("stop")) + len(journal.of("redrive"))
        starts += len(journal.of("instance"))
        if sys.stderr.isatty():
            print(f"\r{crashes.kills} kills, {starts} executions", end="", file=sys.stderr, flush=True)
    worker.close()
    journal.write(folder + "/journal.jsonl")
    return violations, (f"{crashes.kills} kills and {crashes.polite_ends} polite ends, {starts} acknowledged executions, {answers} answers, "
                        f"beats, stops and redrives, {calls} calls of tasks, {events} acknowledged events")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pawl")
    parser.add_argument("--kills", type=int, default=CHAPTER_KILLS)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="pawl-crash-")
    try:
        violations, counts = play(arguments.pawl, folder, arguments)
    except SystemExit:  # of a signal: there is nothing to judge
        kill_living()
        shutil.rmtree(folder)
        raise
    print(f"seed {arguments.seed}: {counts}, {len(violations)} violations")
    if violations:
        print("\n".join(violations[:SHOWN_MAX]))
        print(f"the data directory and the journal are kept in {folder}")
        return 1
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
