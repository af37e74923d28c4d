// Every operation of AWS's SDK for durable functions, in handlers that AWS's runtime runs, or what stands in for it.
import assert from "node:assert/strict";
import test from "node:test";
import { poll, world } from "./durable_world.mjs";

/** The result of a case that must succeed. */
async function resultOf(name, event) {
  const ended = await world.run(name, event);
  assert.equal(ended.Status, "SUCCEEDED", `${name}: ${JSON.stringify(ended.Error)}`);
  return JSON.parse(ended.Result);
}

/** What happened, in order: the type of each event, with the name of its operation where it has one. */
const storyOf = async (arn) =>
  (await world.history(arn)).map(({ EventType, Name }) => (Name ? `${EventType} ${Name}` : EventType));

test("steps run one after another, and each is recorded once", async () => {
  const arn = await world.begin("steps", { n: 20 });
  const ended = await world.endOf(arn);
  assert.deepEqual([ended.Status, JSON.parse(ended.Result)], ["SUCCEEDED", { a: 21, b: 42, sum: 63 }]);
  assert.deepEqual(await storyOf(arn), [
    "ExecutionStarted",
    ...["one", "two", "three"].flatMap((name) => [`StepStarted ${name}`, `StepSucceeded ${name}`]),
    "InvocationCompleted",
    "ExecutionSucceeded",
  ]);
});

test("a step that fails is tried again after its delay", async () => {
  const arn = await world.begin("retry");
  const ended = await world.endOf(arn);
  assert.deepEqual([ended.Status, ended.Result], ["SUCCEEDED", "3"]);
  const events = await world.history(arn);
  const failures = events.filter(({ EventType }) => EventType === "StepFailed");
  assert.deepEqual(
    failures.map(({ StepFailedDetails: { Error, RetryDetails } }) => [Error.Payload.ErrorMessage, RetryDetails]),
    [1, 2].map((n) => [`boom ${n}`, { CurrentAttempt: n, NextAttemptDelaySeconds: 1 }]),
  );
  assert.equal(events.filter(({ EventType }) => EventType === "StepStarted").length, 3);
  assert.ok(ended.EndTimestamp - ended.StartTimestamp >= 2000, "neither delay is short");
});

test("a step that fails for good fails the execution with the SDK's error", async () => {
  const ended = await world.run("failing");
  assert.deepEqual([ended.Status, ended.Error.ErrorType, ended.Error.ErrorMessage], ["FAILED", "StepError", "nope"]);
  assert.equal(ended.Result, undefined);
});

test("a step that may run at most once is recorded before it runs", async () => {
  assert.equal(await resultOf("atMostOnce"), "paid");
});

test("a step that may run at most once, and whose process ended, is not run again", async () => {
  const arn = await world.begin("interrupted");
  const ended = await world.endOf(arn);
  assert.equal(ended.Status, "SUCCEEDED", JSON.stringify(ended.Error));
  assert.equal(JSON.parse(ended.Result).name, "StepError");
  const completions = (await world.history(arn)).filter(({ EventType }) => EventType === "InvocationCompleted");
  assert.deepEqual(
    completions.map(({ InvocationCompletedDetails: { Error } }) => Error?.Payload.ErrorType),
    ["Runtime.ExitError", undefined],
  );
});

test("a wait suspends the function and is never short", async () => {
  const arn = await world.begin("wait");
  const ended = await world.endOf(arn);
  assert.ok(Number(ended.Result) >= 1000, ended.Result);
  const story = await storyOf(arn);
  assert.deepEqual(story.slice(3), [
    "WaitStarted nap",
    "InvocationCompleted",
    "WaitSucceeded nap",
    "StepStarted after",
    "StepSucceeded after",
    "InvocationCompleted",
    "ExecutionSucceeded",
  ]);
});

test("a condition is looked at until it holds, with the state of the last look", async () => {
  assert.equal(await resultOf("poll"), 3);
});

test("a callback brings what the outside says", async () => {
  const arn = await world.begin("callback");
  const CallbackId = await world.callbackOf(arn);
  await world.send("SendDurableExecutionCallbackSuccess", { CallbackId, Result: '{"approved":true}' });
  assert.equal((await world.endOf(arn)).Result, '{"approved":true}');
});

test("a callback that the outside fails is the SDK's error in the handler", async () => {
  const arn = await world.begin("callback");
  const CallbackId = await world.callbackOf(arn);
  const Error = { ErrorType: "Rejected", ErrorMessage: "too dear", ErrorData: "42" };
  await world.send("SendDurableExecutionCallbackFailure", { CallbackId, Error });
  const { name, message } = JSON.parse((await world.endOf(arn)).Result);
  assert.match(name, /^Callback\w*Error$/);
  assert.match(message, /too dear/);
});

for (const [limit, type] of [
  ["timeout", "Callback.Timeout"],
  ["heartbeatTimeout", "Callback.Heartbeat"],
])
  test(`a callback that nobody answers ends by its ${limit}`, async () => {
    const arn = await world.begin("callback", { options: { [limit]: { seconds: 1 } } });
    const ended = await world.endOf(arn);
    assert.equal(JSON.parse(ended.Result).name, "CallbackTimeoutError");
    const timedOut = (await world.history(arn)).find(({ EventType }) => EventType === "CallbackTimedOut");
    assert.equal(timedOut.CallbackTimedOutDetails.Error.Payload.ErrorType, type);
    assert.ok(ended.EndTimestamp - ended.StartTimestamp >= 1000);
  });

test("a callback is kept alive by heartbeats", async () => {
  const arn = await world.begin("callback", { options: { heartbeatTimeout: { seconds: 2 } } });
  const CallbackId = await world.callbackOf(arn);
  for (const end = Date.now() + 3000; Date.now() < end;)
    await world.send("SendDurableExecutionCallbackHeartbeat", { CallbackId });
  await world.send("SendDurableExecutionCallbackSuccess", { CallbackId, Result: "1" });
  assert.equal((await world.endOf(arn)).Result, "1");
});

test("waitForCallback runs its submitter, suspends and goes on with the answer", async () => {
  const arn = await world.begin("ask");
  const CallbackId = await world.callbackOf(arn);
  await world.send("SendDurableExecutionCallbackSuccess", { CallbackId, Result: '{"ok":true}' });
  const ended = await world.endOf(arn);
  assert.deepEqual([ended.Status, ended.Result], ["SUCCEEDED", '{"ok":true}']);
});

test("a durable function calls itself, and another that is not durable", async () => {
  const payload = { case: "steps", n: 1 };
  assert.deepEqual(await resultOf("invoke", { target: "cases:$LATEST", payload }), { a: 2, b: 4, sum: 6 });
  assert.deepEqual(await resultOf("invoke", { target: "plain:$LATEST", payload: { n: 4 } }), { doubled: 8 });
});

test("a call that fails, and one of nobody, is the SDK's InvokeError in the handler", async () => {
  const failed = await resultOf("invoke", { target: "plain:$LATEST", payload: { fail: "odd" } });
  assert.deepEqual(failed, { name: "InvokeError", message: "odd" });
  assert.equal((await resultOf("invoke", { target: "nobody:$LATEST", payload: {} })).name, "InvokeError");
});

test("a call that is stopped ends so for its caller", async () => {
  const arn = await world.begin("invoke", { target: "cases:$LATEST", payload: { case: "sleeper" } });
  const isStart = ({ EventType }) => EventType === "ChainedInvokeStarted";
  const called = await poll(async () => {
    const { DurableExecutions } = await world.send("ListDurableExecutionsByFunction", {
      FunctionName: "cases",
      Statuses: ["RUNNING"],
    });
    return DurableExecutions.find(({ DurableExecutionArn }) => DurableExecutionArn !== arn);
  }, "the execution that was called");
  assert.ok((await world.history(arn)).some(isStart));
  const { DurableExecutionArn } = called;
  await world.send("StopDurableExecution", { DurableExecutionArn, Error: { ErrorMessage: "enough" } });
  const ended = await world.endOf(arn);
  assert.deepEqual(JSON.parse(ended.Result), { name: "InvokeError", message: "enough" });
});

test("a child context suspends with its parent, and its result is all that stays", async () => {
  assert.equal(await resultOf("child"), 3);
});

test("map runs over items, in contexts of their own or flat", async () => {
  const expected = { results: [1, 4, 9], reason: "ALL_COMPLETED" };
  assert.deepEqual(await resultOf("map", { items: [1, 2, 3], options: { maxConcurrency: 2 } }), expected);
  assert.deepEqual(await resultOf("map", { items: [1, 2, 3], options: { nesting: "FLAT" } }), expected);
});

test("map ends where more fail than it tolerates", async () => {
  assert.deepEqual(await resultOf("mapWithFailure", { items: [1, 2, 3, 4, 5] }), {
    results: [1, 3],
    failures: 2,
    reason: "FAILURE_TOLERANCE_EXCEEDED",
  });
});

test("parallel branches suspend together", async () => {
  assert.deepEqual(await resultOf("parallel"), ["l", "r"]);
});

test("a wait ends while another branch works: the SDK asks, and is told", async () => {
  const arn = await world.begin("parallelWhileBusy");
  assert.deepEqual(JSON.parse((await world.endOf(arn)).Result), ["waited", "worked"]);
  const calls = (await storyOf(arn)).filter((event) => event === "InvocationCompleted");
  assert.equal(calls.length, 1, "it was never suspended");
});

test("combinators record their outcome", async () => {
  assert.deepEqual(await resultOf("combinators"), [1, 2]);
});

test("a child's result over 256 KiB is made again from its steps", async () => {
  assert.equal(await resultOf("largeChild"), 300_000);
});

test("a step's result over 256 KiB fails the execution and says the limit", async () => {
  const ended = await world.run("largeStep");
  assert.equal(ended.Status, "FAILED");
  assert.match(ended.Error.ErrorMessage, /262144/);
});

test("a result over what an answer may hold comes by a checkpoint", async () => {
  const size = 6 * 1024 * 1024 - 40; // with its quotes below the limit of a checkpoint, and over the SDK's of an answer
  const ended = await world.run("largeResult", { size });
  assert.equal(ended.Status, "SUCCEEDED", JSON.stringify(ended.Error));
  assert.equal(ended.Result.length, size + 2);
});

test("an answer may be larger than its result by all escapes", async () => {
  const size = 3_000_000; // the SDK counts a quote as two bytes, and it takes four in the answer
  const ended = await world.run("largeResult", { size, character: '"' });
  assert.equal(ended.Status, "SUCCEEDED", JSON.stringify(ended.Error));
  assert.equal(JSON.parse(ended.Result).length, size);
});

test("more operations than a page has are all there after a suspension", async () => {
  assert.equal(await resultOf("many", { count: 1200 }), (1199 * 1200) / 2);
});
