// Tasks that wait for their token to be sent back.
import assert from "node:assert/strict";
import test from "node:test";
import { question } from "./definitions.mjs";
import { poll, refused, world } from "./world.mjs";

const questionOf = (id) =>
  poll(() => world.worker.callsOf("queue").find((call) => call.input.parameters.id === id), `the question ${id}`);

async function isSubmitted(executionArn) {
  const { events } = await world.send("GetExecutionHistory", { executionArn });
  return events.some((event) => event.type === "TaskSubmitted");
}

/** Starts an execution that asks, and gives its ARN and the token that came with the question. */
export async function ask(stateMachineArn, id) {
  world.worker.handle("queue", () => ({ body: {} }));
  const executionArn = await world.start(stateMachineArn, { id });
  const asked = await questionOf(id);
  await poll(() => isSubmitted(executionArn), `the submission of ${id}`);
  return { executionArn, taskToken: asked.input.parameters.token };
}

test("a task ends when its token is sent back with success, and only once", async () => {
  const { executionArn, taskToken } = await ask(await world.create("answered", question()), "answered");
  await world.send("SendTaskHeartbeat", { taskToken });
  await world.send("SendTaskSuccess", { taskToken, output: JSON.stringify({ approved: true }) });
  const ended = await world.endOf(executionArn);
  assert.deepEqual([ended.status, JSON.parse(ended.output)], ["SUCCEEDED", { approved: true }]);
  await refused(world.send("SendTaskSuccess", { taskToken, output: "{}" }), "TaskTimedOut");
  const { events } = await world.send("GetExecutionHistory", { executionArn });
  const types = events.map((event) => event.type).filter((type) => /^Task[^S]|^TaskS(?!tate)/.test(type));
  assert.deepEqual(types, ["TaskScheduled", "TaskStarted", "TaskSubmitted", "TaskSucceeded"]);
  const submitted = events.find((event) => event.type === "TaskSubmitted").taskSubmittedEventDetails;
  assert.deepEqual([submitted.resourceType, submitted.resource], ["sqs", "sendMessage.waitForTaskToken"]);
});

test("a token may come back before the request that carried it is answered", async () => {
  let release;
  const released = new Promise((resolve) => (release = resolve));
  world.worker.handle("queue", async () => (await released, { body: {} }));
  const executionArn = await world.start(await world.create("hasty", question()), { id: "hasty" });
  const asked = await questionOf("hasty");
  await world.send("SendTaskSuccess", { taskToken: asked.input.parameters.token, output: '"early"' });
  const ended = await world.endOf(executionArn);
  release();
  assert.deepEqual([ended.status, ended.output], ["SUCCEEDED", '"early"']);
});

test("a task fails when its token is sent back with a failure", async () => {
  const { executionArn, taskToken } = await ask(await world.create("denied", question()), "denied");
  await world.send("SendTaskFailure", { taskToken, error: "Approval.Denied", cause: "too expensive" });
  const ended = await world.endOf(executionArn);
  assert.deepEqual([ended.status, ended.error, ended.cause], ["FAILED", "Approval.Denied", "too expensive"]);
});

test("a task whose heartbeat stays away fails with States.Timeout, as AWS tells it", async () => {
  const { executionArn, taskToken } = await ask(
    await world.create("quiet", question({ HeartbeatSeconds: 1 })),
    "quiet",
  );
  const ended = await world.endOf(executionArn);
  assert.deepEqual([ended.status, ended.error], ["FAILED", "States.Timeout"]);
  await refused(world.send("SendTaskHeartbeat", { taskToken }), "TaskTimedOut");
});

test("a token or an output that cannot be is refused, and the task goes on waiting", async () => {
  const { executionArn, taskToken } = await ask(await world.create("waiting", question()), "waiting");
  await refused(
    world.send("SendTaskSuccess", { taskToken: "made up", output: "{}" }),
    "InvalidToken",
    "Invalid Token: 'Invalid token'",
  );
  await refused(world.send("SendTaskFailure", { taskToken: `${taskToken}x` }), "InvalidToken");
  await refused(world.send("SendTaskHeartbeat", { taskToken: "made up" }), "InvalidToken");
  await refused(world.send("SendTaskSuccess", { taskToken, output: "{" }), "InvalidOutput");
  assert.equal((await world.send("DescribeExecution", { executionArn })).status, "RUNNING");
  await world.send("StopExecution", { executionArn });
  await refused(world.send("SendTaskSuccess", { taskToken, output: "{}" }), "TaskTimedOut");
});
