// EXPRESS state machines: run while the caller waits, or started and left alone.
import assert from "node:assert/strict";
import test from "node:test";
import { everyState, failing, pass, question, task } from "./definitions.mjs";
import { answerEveryState, ITEMS } from "./executions.mjs";
import { refused, world } from "./world.mjs";

const createExpress = (name, definition) => world.create(name, definition, { type: "EXPRESS" });

const runSync = (stateMachineArn, input = {}, more = {}) =>
  world.send("StartSyncExecution", { stateMachineArn, input: JSON.stringify(input), ...more });

test("an EXPRESS machine with every type of state ends while its caller waits", async () => {
  answerEveryState();
  const stateMachineArn = await createExpress("express-every-state", everyState);
  assert.equal((await world.send("DescribeStateMachine", { stateMachineArn })).type, "EXPRESS");
  const ended = await runSync(stateMachineArn, { items: ITEMS });
  assert.equal(ended.status, "SUCCEEDED", `${ended.error}: ${ended.cause}`);
  assert.deepEqual(JSON.parse(ended.output).reserved, [{ taken: 60 }, { taken: 70 }]);
  assert.equal(ended.stateMachineArn, stateMachineArn);
  assert.match(ended.executionArn, /:express:express-every-state:/);
  assert.ok(ended.billingDetails.billedDurationInMilliseconds >= ended.stopDate - ended.startDate);
});

test("an EXPRESS execution that fails tells its error and cause", async () => {
  const ended = await runSync(await createExpress("express-failing", failing));
  assert.deepEqual([ended.status, ended.error, ended.cause], ["FAILED", "Order.Bad", "no items"]);
  assert.equal(ended.output, undefined);
});

test("EXPRESS executions at once get their own answers", async () => {
  world.worker.handle("price", (n) => ({ body: 2 * n }));
  const stateMachineArn = await createExpress("express-many", task("price"));
  const ended = await Promise.all([...Array(12).keys()].map((n) => runSync(stateMachineArn, n)));
  assert.deepEqual(ended.map((execution) => execution.output), [...Array(12).keys()].map((n) => `${2 * n}`));
});

test("EXPRESS executions may share a name", async () => {
  const stateMachineArn = await createExpress("express-named", pass);
  const first = await world.start(stateMachineArn, {}, "one");
  assert.match(first, /:express:express-named:one:/);
  assert.notEqual(await world.start(stateMachineArn, {}, "one"), first);
});

test("what an EXPRESS machine cannot do is refused", async () => {
  await refused(createExpress("express-question", question()), "InvalidDefinition");
  const express = await createExpress("express-refusing", pass);
  await refused(world.send("ListExecutions", { stateMachineArn: express }), "StateMachineTypeNotSupported");
  await refused(world.send("StartSyncExecution", { stateMachineArn: express, input: "{" }), "InvalidExecutionInput");
  await refused(runSync(express, {}, { name: "a b" }), "InvalidName");
  await refused(runSync(await world.create("not-express", pass)), "StateMachineTypeNotSupported");
  await refused(runSync(`${express}-none`), "StateMachineDoesNotExist");
});
