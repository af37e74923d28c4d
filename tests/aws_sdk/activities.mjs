// Activities, and workers that ask for their tasks.
import assert from "node:assert/strict";
import test from "node:test";
import { refused, world } from "./world.mjs";

const TASKS = 200;

const work = (activityArn, more = {}) => ({
  StartAt: "Work",
  States: { Work: { Type: "Task", Resource: activityArn, End: true, ...more } },
});

const createActivity = async (name, more = {}) =>
  (await world.send("CreateActivity", { name, ...more })).activityArn;

/** An activity, a machine that waits for it, and one execution of that. */
async function startWork(name, more = {}, input = {}) {
  const activityArn = await createActivity(name);
  const executionArn = await world.start(await world.create(name, work(activityArn, more)), input);
  return { activityArn, executionArn };
}

async function eventsOf(executionArn) {
  const { events } = await world.send("GetExecutionHistory", { executionArn });
  return events.filter((event) => event.type.startsWith("Activity"));
}

test("activities are created once, described, tagged, listed in pages and deleted", async () => {
  const activityArn = await createActivity("box", { tags: [{ key: "team", value: "stock" }] });
  assert.equal(activityArn, "arn:aws:states:us-east-1:000000000000:activity:box");
  assert.equal(await createActivity("box"), activityArn);
  const described = await world.send("DescribeActivity", { activityArn });
  assert.equal(described.name, "box");
  assert.ok(described.creationDate instanceof Date);
  await world.send("TagResource", { resourceArn: activityArn, tags: [{ key: "floor", value: "2" }] });
  await world.send("UntagResource", { resourceArn: activityArn, tagKeys: ["team"] });
  const { tags } = await world.send("ListTagsForResource", { resourceArn: activityArn });
  assert.deepEqual(tags, [{ key: "floor", value: "2" }]);
  await createActivity("box-2");
  const first = await world.send("ListActivities", { maxResults: 1 });
  const second = await world.send("ListActivities", { maxResults: 1, nextToken: first.nextToken });
  assert.deepEqual([first.activities[0].name, second.activities[0].name], ["box", "box-2"]);
  await world.send("DeleteActivity", { activityArn });
  await refused(
    world.send("DescribeActivity", { activityArn }),
    "ActivityDoesNotExist",
    `Activity Does Not Exist: '${activityArn}'`,
  );
  await refused(world.send("GetActivityTask", { activityArn }), "ActivityDoesNotExist");
  await refused(world.send("GetActivityTask", { activityArn: "box" }), "InvalidArn");
  await refused(world.send("CreateActivity", { name: "a box" }), "InvalidName", "Invalid Name: 'a box'");
});

test("a worker takes a task, sends heartbeats and succeeds", async () => {
  const { activityArn, executionArn } = await startWork("weigh", { HeartbeatSeconds: 60 }, { item: 1 });
  const task = await world.send("GetActivityTask", { activityArn, workerName: "scales" });
  assert.deepEqual(JSON.parse(task.input), { item: 1 });
  await world.send("SendTaskHeartbeat", { taskToken: task.taskToken });
  await world.send("SendTaskSuccess", { taskToken: task.taskToken, output: '{"grams":5}' });
  assert.equal((await world.endOf(executionArn)).output, '{"grams":5}');
  const events = await eventsOf(executionArn);
  assert.deepEqual(
    events.map((event) => event.type),
    ["ActivityScheduled", "ActivityStarted", "ActivitySucceeded"],
  );
  const [scheduled, started, succeeded] = events;
  assert.deepEqual(scheduled.activityScheduledEventDetails, {
    resource: activityArn,
    input: '{"item":1}',
    inputDetails: { truncated: false },
    heartbeatInSeconds: 60,
  });
  assert.deepEqual(started.activityStartedEventDetails, { workerName: "scales" });
  assert.deepEqual(succeeded.activitySucceededEventDetails, {
    output: '{"grams":5}',
    outputDetails: { truncated: false },
  });
});

test("a worker that waits is given a task as soon as there is one", async () => {
  const activityArn = await createActivity("wrap");
  const machine = await world.create("wrap", work(activityArn));
  const asked = world.send("GetActivityTask", { activityArn });
  const executionArn = await world.start(machine, { first: true });
  const task = await asked;
  await world.send("SendTaskFailure", { taskToken: task.taskToken, error: "Torn", cause: "paper" });
  const ended = await world.endOf(executionArn);
  assert.deepEqual([ended.status, ended.error, ended.cause], ["FAILED", "Torn", "paper"]);
  const failed = (await eventsOf(executionArn)).at(-1);
  assert.deepEqual([failed.type, failed.activityFailedEventDetails], [
    "ActivityFailed",
    { error: "Torn", cause: "paper" },
  ]);
});

test("a task times out where its worker falls silent, or none comes", async () => {
  const silent = await startWork("silent", { HeartbeatSeconds: 1 });
  const { taskToken } = await world.send("GetActivityTask", { activityArn: silent.activityArn });
  const lonely = await startWork("lonely", { TimeoutSeconds: 1 });
  for (const { executionArn } of [silent, lonely]) {
    assert.equal((await world.endOf(executionArn)).error, "States.Timeout");
    const timedOut = (await eventsOf(executionArn)).at(-1);
    assert.deepEqual([timedOut.type, timedOut.activityTimedOutEventDetails.error], [
      "ActivityTimedOut",
      "States.Timeout",
    ]);
  }
  await refused(world.send("SendTaskSuccess", { taskToken, output: "{}" }), "TaskTimedOut");
});

test("a task that is retried is offered again, with another token", async () => {
  const Retry = [{ ErrorEquals: ["Jam"], IntervalSeconds: 1, MaxAttempts: 1 }];
  const { activityArn, executionArn } = await startWork("label", { Retry });
  const first = await world.send("GetActivityTask", { activityArn });
  await world.send("SendTaskFailure", { taskToken: first.taskToken, error: "Jam" });
  const second = await world.send("GetActivityTask", { activityArn });
  await refused(world.send("SendTaskSuccess", { taskToken: first.taskToken, output: "1" }), "TaskTimedOut");
  await world.send("SendTaskSuccess", { taskToken: second.taskToken, output: "2" });
  assert.equal((await world.endOf(executionArn)).output, "2");
});

test(`two workers compete for ${TASKS} tasks, and each task is one worker's`, async () => {
  const activityArn = await createActivity("sort");
  const machine = await world.create("sort", work(activityArn));
  const seen = [];
  const labour = async (workerName) => {
    for (;;) {
      const task = await world.send("GetActivityTask", { activityArn, workerName });
      if (!task.taskToken) return;
      seen.push(JSON.parse(task.input).n);
      await world.send("SendTaskSuccess", { taskToken: task.taskToken, output: JSON.stringify(workerName) });
    }
  };
  const workers = [labour("left"), labour("right")];
  const numbers = Array.from({ length: TASKS }, (_, n) => n);
  const executions = await Promise.all(numbers.map((n) => world.start(machine, { n })));
  for (const executionArn of executions) assert.equal((await world.endOf(executionArn)).status, "SUCCEEDED");
  assert.deepEqual(seen.toSorted((a, b) => a - b), numbers);
  await world.send("DeleteActivity", { activityArn }); // which ends the workers' waiting
  await Promise.all(workers).catch((error) => assert.equal(error.name, "ActivityDoesNotExist"));
});

test("tasks that wait for a worker, and those that one has, outlive a crash", async () => {
  const { activityArn, executionArn } = await startWork("carry", {}, { n: 1 });
  const held = await world.send("GetActivityTask", { activityArn });
  const others = [];
  const machine = `arn:aws:states:us-east-1:000000000000:stateMachine:carry`;
  for (let n = 2; n <= 20; ++n) others.push(await world.start(machine, { n }));
  await world.crash();
  await world.send("SendTaskSuccess", { taskToken: held.taskToken, output: "1" });
  const offered = new Set();
  for (let n = 2; n <= 20; ++n) {
    const { taskToken, input } = await world.send("GetActivityTask", { activityArn });
    offered.add(JSON.parse(input).n);
    await world.send("SendTaskSuccess", { taskToken, output: input });
  }
  assert.equal(offered.size, 19);
  for (const arn of [executionArn, ...others]) assert.equal((await world.endOf(arn)).status, "SUCCEEDED");
});

test("an execution that reaches an activity that was deleted fails as AWS tells it", async () => {
  const activityArn = await createActivity("gone");
  const machine = await world.create("gone", work(activityArn));
  await world.send("DeleteActivity", { activityArn });
  const ended = await world.run(machine);
  assert.equal(ended.error, "States.Runtime");
  assert.match(ended.cause, /The activity arn:aws:states:.*:activity:gone does not exist\./);
});
