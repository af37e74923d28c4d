// The server, with the processes of its functions, is gone from one instant to the next, and executions go on.
import assert from "node:assert/strict";
import test from "node:test";
import { world } from "./durable_world.mjs";

test("a suspended execution goes on after a crash, and its wait is neither short nor forgotten", async () => {
  const arn = await world.begin("wait");
  await world.crash();
  const ended = await world.endOf(arn);
  assert.equal(ended.Status, "SUCCEEDED", JSON.stringify(ended.Error));
  assert.ok(Number(ended.Result) >= 1000);
});

test("a callback's id is good after a crash, and its answer is not forgotten by the next", async () => {
  const arn = await world.begin("callback");
  const CallbackId = await world.callbackOf(arn);
  await world.crash();
  await world.send("SendDurableExecutionCallbackSuccess", { CallbackId, Result: "1" });
  await world.crash();
  assert.equal((await world.endOf(arn)).Result, "1");
});

test("what was recorded before a crash is told after it", async () => {
  const arn = await world.begin("steps", { n: 1 });
  const before = await world.endOf(arn);
  const history = await world.history(arn);
  await world.crash();
  assert.deepEqual({ ...(await world.endOf(arn)), $metadata: null }, { ...before, $metadata: null });
  assert.deepEqual(await world.history(arn), history);
});
