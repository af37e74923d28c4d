// CheckpointDurableExecution and GetDurableExecutionState, by AWS's client: the test is the code of the function.
import assert from "node:assert/strict";
import test from "node:test";
import { refused, world } from "./durable_world.mjs";

/** A call of the function `outside`, and the execution that it is of. */
async function called() {
  const arn = await world.invokeLater("outside", {});
  return { arn, call: await world.outside.next(arn) };
}

const checkpoint = (DurableExecutionArn, CheckpointToken, Updates = [], more = {}) =>
  world.send("CheckpointDurableExecution", { DurableExecutionArn, CheckpointToken, Updates, ...more });
const step = (Id, Action, more = {}) => ({ Id, Type: "STEP", Action, Name: Id, SubType: "Step", ...more });
const SUCCEEDED = { Status: "SUCCEEDED", Result: "1" };
const STALE = "Invalid checkpoint token";

test("an event has what the code needs: the ARN, a token, the input, times in milliseconds", async () => {
  const { arn, call } = await called();
  const { DurableExecutionArn, CheckpointToken, InitialExecutionState } = call.event;
  assert.equal(DurableExecutionArn, arn);
  assert.match(CheckpointToken, /^[A-Za-z0-9+/]+={0,2}$/);
  const [execution, ...others] = InitialExecutionState.Operations;
  assert.deepEqual([execution.Type, execution.Status, others], ["EXECUTION", "STARTED", []]);
  assert.equal(execution.Id, arn.split("/").at(-1));
  assert.equal(execution.ExecutionDetails.InputPayload, "{}");
  assert.ok(Number.isInteger(execution.StartTimestamp) && Math.abs(execution.StartTimestamp - Date.now()) < 60_000);
  call.returns(SUCCEEDED);
  assert.equal((await world.endOf(arn)).Result, "1");
});

test("a checkpoint is answered with what changed and the next token, which alone is good", async () => {
  const { arn, call } = await called();
  const first = call.event.CheckpointToken;
  const answer = await checkpoint(arn, first, [step("a", "START"), step("a", "SUCCEED", { Payload: "21" })]);
  const [operation] = answer.NewExecutionState.Operations;
  assert.deepEqual(
    [operation.Id, operation.Status, operation.StepDetails],
    ["a", "SUCCEEDED", { Attempt: 1, Result: "21" }],
  );
  assert.ok(operation.StartTimestamp instanceof Date && operation.EndTimestamp instanceof Date);
  await refused(checkpoint(arn, first), "InvalidParameterValueException", STALE);
  const empty = await checkpoint(arn, answer.CheckpointToken);
  assert.deepEqual(empty.NewExecutionState.Operations, []);
  assert.notEqual(empty.CheckpointToken, answer.CheckpointToken);
  call.returns(SUCCEEDED);
  await world.endOf(arn);
  await refused(checkpoint(arn, empty.CheckpointToken), "InvalidParameterValueException", STALE);
});

test("a checkpoint whose answer was lost is answered again, and counts once", async () => {
  const { arn, call } = await called();
  const token = call.event.CheckpointToken;
  const updates = [step("a", "START")];
  const first = await checkpoint(arn, token, updates, { ClientToken: "one" });
  const again = await checkpoint(arn, token, updates, { ClientToken: "one" });
  assert.deepEqual({ ...again, $metadata: null }, { ...first, $metadata: null });
  await refused(
    checkpoint(arn, token, [step("b", "START")], { ClientToken: "one" }),
    "InvalidParameterValueException",
  );
  await refused(checkpoint(arn, token, updates, { ClientToken: "two" }), "InvalidParameterValueException", STALE);
  call.returns(SUCCEEDED);
  await world.endOf(arn);
});

test("tokens of others, and forged ones, are refused", async () => {
  const other = await called();
  other.call.returns(SUCCEEDED);
  await world.endOf(other.arn);
  const { arn, call } = await called();
  await refused(checkpoint(arn, other.call.event.CheckpointToken), "InvalidParameterValueException");
  await refused(checkpoint(arn, "Zm9yZ2Vk"), "InvalidParameterValueException", STALE);
  call.returns(SUCCEEDED);
  await world.endOf(arn);
});

test("a batch with one wrong update counts for nothing", async () => {
  const { arn, call } = await called();
  const token = call.event.CheckpointToken;
  const wrong = [
    [[step("a", "SUCCEED", { Payload: "1" }), step("b", "START", { ParentId: "none" })], "InvalidParameterValue"],
    [[step("a", "START"), step("a", "START")], "InvalidParameterValue"],
    [[{ Id: "w", Type: "WAIT", Action: "SUCCEED" }], "InvalidParameterValue"],
    [[{ Id: "w", Type: "WAIT", Action: "START" }], "InvalidParameterValue"],
    [[step("a", "SUCCEED", { Payload: "x".repeat(262_145) })], "InvalidParameterValue"],
    [[step("a b", "START")], "Validation"],
  ];
  for (const [updates, name] of wrong) await refused(checkpoint(arn, token, updates), `${name}Exception`);
  const { Operations } = await world.send("GetDurableExecutionState", {
    DurableExecutionArn: arn,
    CheckpointToken: token,
  });
  assert.deepEqual(
    Operations.map(({ Type }) => Type),
    ["EXECUTION"],
  );
  call.returns(SUCCEEDED);
  await world.endOf(arn);
});

test("state comes in pages, with times that the client reads", async () => {
  const { arn, call } = await called();
  const ids = ["a", "b", "c"];
  const { CheckpointToken } = await checkpoint(
    arn,
    call.event.CheckpointToken,
    ids.map((id) => step(id, "SUCCEED", { Payload: "1" })),
  );
  const found = [];
  for (let Marker, first = true; first || Marker; first = false) {
    const page = await world.send("GetDurableExecutionState", {
      DurableExecutionArn: arn,
      CheckpointToken,
      MaxItems: 2,
      Marker,
    });
    assert.ok(page.Operations.length <= 2);
    found.push(...page.Operations);
    Marker = page.NextMarker;
  }
  assert.deepEqual(found.slice(1).map(({ Id }) => Id), ids);
  assert.ok(found.every(({ StartTimestamp }) => StartTimestamp instanceof Date));
  call.returns(SUCCEEDED);
  await world.endOf(arn);
});

test("a wait that has ended is told in the next checkpoint, an empty one too", async () => {
  const { arn, call } = await called();
  const wait = { Id: "w", Type: "WAIT", Action: "START", WaitOptions: { WaitSeconds: 1 } };
  let { CheckpointToken, NewExecutionState } = await checkpoint(arn, call.event.CheckpointToken, [wait]);
  const due = NewExecutionState.Operations[0].WaitDetails.ScheduledEndTimestamp;
  while (NewExecutionState.Operations[0]?.Status !== "SUCCEEDED")
    ({ CheckpointToken, NewExecutionState } = await checkpoint(arn, CheckpointToken));
  assert.ok(NewExecutionState.Operations[0].EndTimestamp >= due);
  call.returns(SUCCEEDED);
  await world.endOf(arn);
});

test("a result by checkpoint ends the execution when the code returns, whatever that says", async () => {
  const { arn, call } = await called();
  const verdict = { Id: "any", Type: "EXECUTION", Action: "SUCCEED", Payload: '"large"' };
  const answer = await checkpoint(arn, call.event.CheckpointToken, [verdict]);
  assert.equal(answer.CheckpointToken, undefined);
  call.returns({ Status: "SUCCEEDED", Result: "" });
  const ended = await world.endOf(arn);
  assert.deepEqual([ended.Status, ended.Result], ["SUCCEEDED", '"large"']);
});

test("code that returns PENDING and waits for nothing, or returns rubbish, fails", async () => {
  for (const returned of [{ Status: "PENDING" }, { Status: "DONE" }, "rubbish"]) {
    const { arn, call } = await called();
    call.returns(returned);
    const ended = await world.endOf(arn);
    assert.equal(ended.Status, "FAILED", JSON.stringify(returned));
  }
});

test("code that throws is called again with the same operations", async () => {
  const { arn, call } = await called();
  await checkpoint(arn, call.event.CheckpointToken, [step("a", "SUCCEED", { Payload: "1" })]);
  call.throws("Busy", "come back");
  const second = await world.outside.next(arn);
  assert.deepEqual(
    second.event.InitialExecutionState.Operations.map(({ Id, Status }) => [Id, Status]).slice(1),
    [["a", "SUCCEEDED"]],
  );
  second.returns(SUCCEEDED);
  await world.endOf(arn);
  const completed = (await world.history(arn)).filter(({ EventType }) => EventType === "InvocationCompleted");
  assert.deepEqual(
    completed.map(({ InvocationCompletedDetails: { Error } }) => Error?.Payload.ErrorType),
    ["Busy", undefined],
  );
});
