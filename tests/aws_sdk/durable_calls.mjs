// Every durable operation of AWS's client for Lambda, and the errors that it knows.
import assert from "node:assert/strict";
import test from "node:test";
import { paginateGetDurableExecutionHistory, paginateListDurableExecutionsByFunction } from "@aws-sdk/client-lambda";
import { refused, textOf, world } from "./durable_world.mjs";

const NOBODY =
  "arn:aws:lambda:us-east-1:000000000000:function:cases:$LATEST/durable-execution/none/70617776-6c00-4000-8000-00ffffffffff";
const invoke = (payload, more = {}) =>
  world.send("Invoke", { FunctionName: "cases", Qualifier: "$LATEST", Payload: JSON.stringify(payload), ...more });

// --- Invoke

test("Invoke waits for the result and gives it as it is", async () => {
  const answer = await invoke({ case: "steps", n: 1 });
  assert.deepEqual([answer.StatusCode, answer.ExecutedVersion], [200, "$LATEST"]);
  assert.equal(answer.FunctionError, undefined);
  assert.deepEqual(JSON.parse(textOf(answer.Payload)), { a: 2, b: 4, sum: 6 });
  assert.match(
    answer.DurableExecutionArn,
    /^arn:aws:lambda:us-east-1:\d{12}:function:cases:\$LATEST\/durable-execution\/[\w-]+\/[\w-]+$/,
  );
});

test("Invoke waits over suspensions too", async () => {
  const answer = await invoke({ case: "wait" });
  assert.ok(Number(textOf(answer.Payload)) >= 1000);
});

test("Invoke tells the error of an execution that failed", async () => {
  const answer = await invoke({ case: "failing" });
  assert.deepEqual([answer.StatusCode, answer.FunctionError], [200, "Unhandled"]);
  const { errorType, errorMessage } = JSON.parse(textOf(answer.Payload));
  assert.deepEqual({ errorType, errorMessage }, { errorType: "StepError", errorMessage: "nope" });
});

test("Invoke takes a function by its ARN, with and without the qualifier in it", async () => {
  const arn = "arn:aws:lambda:us-east-1:000000000000:function:cases";
  for (const more of [
    { FunctionName: `${arn}:$LATEST`, Qualifier: undefined },
    { FunctionName: arn },
    { FunctionName: "000000000000:function:cases" },
    { FunctionName: "cases:$LATEST", Qualifier: undefined },
  ])
    assert.equal((await invoke({ case: "steps", n: 1 }, more)).StatusCode, 200, more.FunctionName);
});

test("Invoke of a function that is not durable gives what it returns, or its error", async () => {
  const plain = (payload) => invoke(payload, { FunctionName: "plain" });
  assert.deepEqual(JSON.parse(textOf((await plain({ n: 21 })).Payload)), { doubled: 42 });
  const failed = await plain({ fail: "odd" });
  assert.equal(failed.FunctionError, "Unhandled");
  const { errorType, errorMessage } = JSON.parse(textOf(failed.Payload));
  assert.deepEqual([errorType, errorMessage], ["RangeError", "odd"]);
  assert.equal(failed.DurableExecutionArn, undefined);
});

test("Invoke as a dry run starts nothing", async () => {
  const count = async () => (await listed({ DurableExecutionName: "dry" })).length;
  const answer = await invoke({ case: "steps", n: 1 }, { InvocationType: "DryRun", DurableExecutionName: "dry" });
  assert.equal(answer.StatusCode, 204);
  assert.equal(await count(), 0);
});

test("a name starts one execution: the same start is answered with it, another one refused", async () => {
  const named = (payload, more) => invoke(payload, { DurableExecutionName: "order-42", ...more });
  const first = await named({ case: "steps", n: 1 });
  const again = await named({ case: "steps", n: 1 });
  assert.equal(again.DurableExecutionArn, first.DurableExecutionArn);
  assert.equal(textOf(again.Payload), textOf(first.Payload));
  assert.ok(first.DurableExecutionArn.includes("/durable-execution/order-42/"));
  await refused(named({ case: "steps", n: 2 }), "DurableExecutionAlreadyStartedException");
  await refused(named({ case: "steps", n: 2 }, { InvocationType: "Event" }), "DurableExecutionAlreadyStartedException");
});

test("a start that cannot be is refused", async () => {
  await refused(invoke({}, { FunctionName: "nobody" }), "ResourceNotFoundException");
  await refused(invoke({}, { FunctionName: "a b" }), "ValidationException");
  await refused(invoke({}, { DurableExecutionName: "a b" }), "ValidationException");
  await refused(invoke({}, { Payload: "{" }), "InvalidRequestContentException");
  await refused(
    invoke("x".repeat(1_048_577), { InvocationType: "Event" }),
    "RequestTooLargeException",
  );
});

// --- GetDurableExecution, GetDurableExecutionHistory

test("an execution tells what it is while it runs, and how it ended", async () => {
  const DurableExecutionArn = await world.invokeLater("cases", { case: "callback" }, { DurableExecutionName: "told" });
  const running = await world.send("GetDurableExecution", { DurableExecutionArn });
  assert.deepEqual(
    [running.DurableExecutionArn, running.DurableExecutionName, running.Status, running.Version],
    [DurableExecutionArn, "told", "RUNNING", "$LATEST"],
  );
  assert.equal(running.InputPayload, '{"case":"callback"}');
  assert.deepEqual([running.EndTimestamp, running.Result, running.Error], [undefined, undefined, undefined]);
  assert.equal(running.ExecutionDataIncluded, true);
  assert.match(running.FunctionArn, /:function:cases:\$LATEST$/);
  assert.ok(running.StartTimestamp instanceof Date);
  const CallbackId = await world.callbackOf(DurableExecutionArn);
  await world.send("SendDurableExecutionCallbackSuccess", { CallbackId, Result: "7" });
  const ended = await world.endOf(DurableExecutionArn);
  assert.deepEqual([ended.Status, ended.Result], ["SUCCEEDED", "7"]);
  assert.ok(ended.EndTimestamp >= ended.StartTimestamp);
  const bare = await world.send("GetDurableExecution", { DurableExecutionArn, IncludeExecutionData: false });
  assert.deepEqual([bare.InputPayload, bare.Result, bare.ExecutionDataIncluded], [undefined, undefined, false]);
});

test("a history comes in pages, in both orders, and without data where that is not wanted", async () => {
  const DurableExecutionArn = await world.begin("steps", { n: 1 });
  await world.endOf(DurableExecutionArn);
  const idsOf = async (ReverseOrder) => {
    const ids = [];
    for await (const page of paginateGetDurableExecutionHistory(
      { client: world.client, pageSize: 4 },
      { DurableExecutionArn, ReverseOrder },
    ))
      ids.push(page.Events.map(({ EventId }) => EventId));
    return ids;
  };
  assert.deepEqual(await idsOf(false), [[1, 2, 3, 4], [5, 6, 7, 8], [9]]);
  assert.deepEqual(await idsOf(true), [[9, 8, 7, 6], [5, 4, 3, 2], [1]]);
  const [started] = await world.history(DurableExecutionArn);
  assert.deepEqual(started.ExecutionStartedDetails.Input, { Payload: '{"case":"steps","n":1}', Truncated: false });
  const bare = await world.send("GetDurableExecutionHistory", { DurableExecutionArn, IncludeExecutionData: false });
  assert.deepEqual(bare.Events[0].ExecutionStartedDetails.Input, { Truncated: true });
  assert.deepEqual(bare.Events.at(-1).ExecutionSucceededDetails.Result, { Truncated: true });
  const { NextMarker } = await world.send("GetDurableExecutionHistory", { DurableExecutionArn, MaxItems: 1 });
  await refused(
    world.send("GetDurableExecutionHistory", { DurableExecutionArn, ReverseOrder: true, Marker: NextMarker }),
    "InvalidParameterValueException",
  );
  await refused(
    world.send("GetDurableExecutionHistory", { DurableExecutionArn, MaxItems: 1001 }),
    "ValidationException",
  );
});

// --- ListDurableExecutionsByFunction

/** The executions of a function that a filter lets through, by pages of two. */
async function listed(filter = {}) {
  const found = [];
  for await (const page of paginateListDurableExecutionsByFunction(
    { client: world.client, pageSize: 2 },
    { FunctionName: "cases", ...filter },
  )) {
    assert.ok(page.DurableExecutions.length <= 2);
    found.push(...page.DurableExecutions);
  }
  world.used.add("ListDurableExecutionsByFunction");
  return found;
}

test("executions are listed newest first, in pages, and by name, status and time", async () => {
  const begun = [];
  for (const name of ["l0", "l1", "l2", "l3", "l4"])
    begun.push(await world.invokeLater("cases", { case: "sleeper" }, { DurableExecutionName: name }));
  const arnsOf = async (filter) => (await listed(filter)).map(({ DurableExecutionArn }) => DurableExecutionArn);
  const running = await arnsOf({ Statuses: ["RUNNING"] });
  assert.deepEqual(running, begun.toReversed());
  assert.deepEqual(await arnsOf({ Statuses: ["RUNNING"], ReverseOrder: true }), begun);
  assert.deepEqual(await arnsOf({ DurableExecutionName: "l3" }), [begun[3]]);
  await world.send("StopDurableExecution", { DurableExecutionArn: begun[0] });
  const [stopped] = await listed({ Statuses: ["STOPPED"], DurableExecutionName: "l0" });
  assert.deepEqual([stopped.DurableExecutionName, stopped.Status], ["l0", "STOPPED"]);
  assert.ok(stopped.EndTimestamp instanceof Date);
  const { StartTimestamp } = await world.send("GetDurableExecution", { DurableExecutionArn: begun[2] });
  assert.ok((await arnsOf({ StartedAfter: StartTimestamp, Statuses: ["RUNNING"] })).includes(begun[4]));
  assert.ok(!(await arnsOf({ StartedBefore: StartTimestamp })).includes(begun[4]));
  assert.deepEqual(await listed({ FunctionName: "outside", DurableExecutionName: "l1" }), []);
  for (const DurableExecutionArn of begun) await world.send("StopDurableExecution", { DurableExecutionArn });
  await refused(
    world.send("ListDurableExecutionsByFunction", { FunctionName: "cases", Statuses: ["RUNNING", "FAILED"] }),
    "InvalidParameterValueException",
    "Cannot filter by more than one status",
  );
  await refused(world.send("ListDurableExecutionsByFunction", { FunctionName: "nobody" }), "ResourceNotFoundException");
});

// --- StopDurableExecution

test("a stop ends an execution with the error given, once", async () => {
  const DurableExecutionArn = await world.begin("sleeper");
  const Error = { ErrorType: "Ops", ErrorMessage: "halt", ErrorData: "d", StackTrace: ["a"] };
  const { StopTimestamp } = await world.send("StopDurableExecution", { DurableExecutionArn, Error });
  const ended = await world.endOf(DurableExecutionArn);
  assert.deepEqual([ended.Status, ended.Error], ["STOPPED", Error]);
  assert.deepEqual(ended.EndTimestamp, StopTimestamp);
  const again = await world.send("StopDurableExecution", { DurableExecutionArn });
  assert.deepEqual(again.StopTimestamp, StopTimestamp);
  const last = (await world.history(DurableExecutionArn)).at(-1);
  assert.deepEqual([last.EventType, last.ExecutionStoppedDetails.Error.Payload], ["ExecutionStopped", Error]);
});

test("a stop needs no error", async () => {
  const DurableExecutionArn = await world.begin("sleeper");
  await world.send("StopDurableExecution", { DurableExecutionArn });
  assert.equal((await world.endOf(DurableExecutionArn)).Status, "STOPPED");
});

// --- callbacks

test("a callback is answered once", async () => {
  const arn = await world.begin("callback");
  const CallbackId = await world.callbackOf(arn);
  await world.send("SendDurableExecutionCallbackHeartbeat", { CallbackId });
  await world.send("SendDurableExecutionCallbackSuccess", { CallbackId, Result: "1" });
  for (const [operation, more] of [
    ["SendDurableExecutionCallbackSuccess", { Result: "2" }],
    ["SendDurableExecutionCallbackFailure", {}],
    ["SendDurableExecutionCallbackHeartbeat", {}],
  ])
    await refused(world.send(operation, { CallbackId, ...more }), "CallbackTimeoutException");
  assert.equal((await world.endOf(arn)).Result, "1");
  await refused(world.send("SendDurableExecutionCallbackSuccess", { CallbackId }), "CallbackTimeoutException");
});

test("a callback for nobody is refused, and so is a result over its limit", async () => {
  for (const operation of ["Success", "Failure", "Heartbeat"])
    await refused(
      world.send(`SendDurableExecutionCallback${operation}`, { CallbackId: "QUJD+/==" }),
      "InvalidParameterValueException",
      "Invalid callback id",
    );
  const arn = await world.begin("callback");
  const CallbackId = await world.callbackOf(arn);
  const large = { CallbackId, Result: `"${"x".repeat(262_143)}"` };
  await refused(world.send("SendDurableExecutionCallbackSuccess", large), "ValidationException");
  const largest = { CallbackId, Result: `"${"x".repeat(262_142)}"` };
  await world.send("SendDurableExecutionCallbackSuccess", largest);
  assert.equal((await world.endOf(arn)).Result, largest.Result);
});

// --- what is not there

test("what is asked of an execution that is not there is refused", async () => {
  for (const operation of ["GetDurableExecution", "GetDurableExecutionHistory", "StopDurableExecution"]) {
    await refused(world.send(operation, { DurableExecutionArn: NOBODY }), "ResourceNotFoundException");
    await refused(world.send(operation, { DurableExecutionArn: "none" }), "ValidationException");
  }
});
