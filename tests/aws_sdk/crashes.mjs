// The server is killed with SIGKILL between the start and the end of executions, and they go on.
import assert from "node:assert/strict";
import test from "node:test";
import { question, task } from "./definitions.mjs";
import { ask } from "./task_tokens.mjs";
import { poll, refused, world } from "./world.mjs";

test("a call of a task that was under way is made again, with the same key", async () => {
  let release;
  const released = new Promise((resolve) => (release = resolve));
  world.worker.handle("slow", async ({ n }) => (await released, { body: { doubled: 2 * n } }));
  const executionArn = await world.start(await world.create("called", task("slow")), { n: 21 });
  await poll(() => world.worker.callsOf("slow").length === 1, "the first call");
  await world.crash();
  await poll(() => world.worker.callsOf("slow").length === 2, "the call after the crash");
  assert.equal((await world.send("DescribeExecution", { executionArn })).status, "RUNNING");
  release();
  const ended = await world.endOf(executionArn);
  assert.deepEqual([ended.status, JSON.parse(ended.output)], ["SUCCEEDED", { doubled: 42 }]);
  const [first, second] = world.worker.callsOf("slow");
  assert.ok(first.key);
  assert.deepEqual(second, first);
});

test("a token given before a crash is good after it, and its answer is not forgotten by the next", async () => {
  const { executionArn, taskToken } = await ask(await world.create("asked", question()), "asked");
  await world.crash();
  await world.send("SendTaskSuccess", { taskToken, output: '{"late":true}' });
  await world.crash();
  const ended = await world.endOf(executionArn);
  assert.deepEqual([ended.status, ended.output], ["SUCCEEDED", '{"late":true}']);
  await refused(world.send("SendTaskSuccess", { taskToken, output: "{}" }), "TaskTimedOut");
});

test("a wait is neither short nor forgotten", async () => {
  const wait = { StartAt: "W", States: { W: { Type: "Wait", Seconds: 2, End: true } } };
  const executionArn = await world.start(await world.create("waited", wait), { kept: true }, "one");
  await world.crash();
  const ended = await world.endOf(executionArn);
  assert.deepEqual([ended.status, ended.output], ["SUCCEEDED", '{"kept":true}']);
  assert.ok(ended.stopDate - ended.startDate >= 2000, `${ended.stopDate - ended.startDate} ms`);
});

test("state machines, versions, tags and names are there after a crash", async () => {
  const stateMachineArn = await world.create("kept", task("slow"), { tags: [{ key: "a", value: "b" }], publish: true });
  const before = await world.send("DescribeStateMachine", { stateMachineArn: `${stateMachineArn}:1` });
  await world.crash();
  const after = await world.send("DescribeStateMachine", { stateMachineArn: `${stateMachineArn}:1` });
  assert.deepEqual({ ...after, $metadata: null }, { ...before, $metadata: null });
  assert.deepEqual((await world.send("ListTagsForResource", { resourceArn: stateMachineArn })).tags, [
    { key: "a", value: "b" },
  ]);
});
