// Executions: every type of state, names, lists, stops, histories.
import assert from "node:assert/strict";
import test from "node:test";
import { HistoryEventType, paginateGetExecutionHistory, paginateListExecutions } from "@aws-sdk/client-sfn";
import { chain, everyState, failing, pass, sleeper, task } from "./definitions.mjs";
import { refused, world } from "./world.mjs";

export const ITEMS = [{ price: 60 }, { price: 70 }];

/** The tasks of the machine with every type of state; each item is busy once. */
export function answerEveryState() {
  const busy = new Set();
  world.worker.handle("price", (items) => ({ body: items.reduce((sum, item) => sum + item.price, 0) }));
  world.worker.handle("flaky", ({ price }) => {
    if (busy.has(price)) return { body: { taken: price } };
    busy.add(price);
    return { status: 500, body: { errorType: "Stock.Busy", errorMessage: "come back" } };
  });
}

test("a machine with every type of state runs to its end", async () => {
  answerEveryState();
  const ended = await world.run(await world.create("every-state", everyState), { items: ITEMS });
  assert.equal(ended.status, "SUCCEEDED", `${ended.error}: ${ended.cause}`);
  assert.deepEqual(JSON.parse(ended.output), {
    items: ITEMS,
    settings: { currency: "EUR" },
    total: 130,
    refusal: { Error: "Credit.TooLow", Cause: "over 100" },
    reserved: [{ taken: 60 }, { taken: 70 }],
  });
  assert.equal(world.worker.callsOf("flaky").length, 4, "each item was tried twice");
  assert.ok(ended.stopDate - ended.startDate >= 2000, "neither the wait nor the interval of the retry is short");
});

test("a history has every event, with the details that the client knows for its type", async () => {
  answerEveryState();
  const executionArn = await world.start(await world.create("every-event", everyState), { items: ITEMS });
  await world.endOf(executionArn);
  const { events } = await world.send("GetExecutionHistory", { executionArn, maxResults: 1000 });
  assert.deepEqual(
    events.map((event) => event.id),
    events.map((_, i) => i + 1),
  );
  for (const event of events) {
    assert.ok(event.timestamp instanceof Date && event.previousEventId < event.id, event.type);
    assert.ok(event.type in HistoryEventType, event.type);
  }
  const types = new Set(events.map((event) => event.type));
  for (const state of ["Pass", "Task", "Choice", "Wait", "Parallel", "Map", "Succeed"])
    assert.ok(types.has(`${state}StateEntered`) && types.has(`${state}StateExited`), `${state}: ${[...types]}`);
  for (const type of [
    "FailStateEntered",
    "ParallelStateStarted",
    "ParallelStateFailed",
    "MapStateStarted",
    "MapIterationStarted",
    "MapIterationSucceeded",
    "MapStateSucceeded",
    "ExecutionSucceeded",
  ])
    assert.ok(types.has(type), `${type}: ${[...types]}`);
  const detailsOf = (type, name) => events.find((event) => event.type === type)?.[name];
  assert.equal(detailsOf("ExecutionStarted", "executionStartedEventDetails").input, JSON.stringify({ items: ITEMS }));
  assert.equal(detailsOf("PassStateEntered", "stateEnteredEventDetails").name, "Prepare");
  assert.equal(
    detailsOf("LambdaFunctionScheduled", "lambdaFunctionScheduledEventDetails").input,
    JSON.stringify(ITEMS),
  );
  assert.equal(detailsOf("LambdaFunctionSucceeded", "lambdaFunctionSucceededEventDetails").output, "130");
  assert.equal(detailsOf("LambdaFunctionFailed", "lambdaFunctionFailedEventDetails").error, "Stock.Busy");
  assert.equal(detailsOf("MapStateStarted", "mapStateStartedEventDetails").length, 2);
  assert.equal(detailsOf("MapIterationStarted", "mapIterationStartedEventDetails").name, "EachItem");
  assert.deepEqual(JSON.parse(detailsOf("ExecutionSucceeded", "executionSucceededEventDetails").output).total, 130);
});

test("a history comes in pages, in both orders, and without data where that is not wanted", async () => {
  const executionArn = await world.start(await world.create("paged", chain(5)), { a: 1 });
  await world.endOf(executionArn);
  const idsOf = async (reverseOrder) => {
    const ids = [];
    for await (const page of paginateGetExecutionHistory(
      { client: world.client, pageSize: 5 },
      { executionArn, reverseOrder },
    ))
      ids.push(page.events.map((event) => event.id));
    return ids;
  };
  assert.deepEqual(await idsOf(false), [
    [1, 2, 3, 4, 5],
    [6, 7, 8, 9, 10],
    [11, 12],
  ]);
  assert.deepEqual(await idsOf(true), [
    [12, 11, 10, 9, 8],
    [7, 6, 5, 4, 3],
    [2, 1],
  ]);
  const bare = await world.send("GetExecutionHistory", { executionArn, includeExecutionData: false });
  assert.equal(bare.events[0].executionStartedEventDetails.input, undefined);
  const { nextToken } = await world.send("GetExecutionHistory", { executionArn, maxResults: 1 });
  await refused(world.send("GetExecutionHistory", { executionArn, reverseOrder: true, nextToken }), "InvalidToken");
});

test("an execution that fails tells its error and cause", async () => {
  const ended = await world.run(await world.create("failing", failing));
  assert.deepEqual(
    [ended.status, ended.error, ended.cause, ended.output],
    ["FAILED", "Order.Bad", "no items", undefined],
  );
});

test("a task's own error, and a task that nothing answers, fail the execution", async () => {
  world.worker.handle("broken", () => ({
    status: 400,
    body: { errorType: "Card.Declined", errorMessage: "no funds" },
  }));
  const declined = await world.run(await world.create("declined", task("broken")));
  assert.deepEqual([declined.status, declined.error, declined.cause], ["FAILED", "Card.Declined", "no funds"]);
  const unmapped = await world.run(await world.create("unmapped", task("nobody")));
  assert.deepEqual([unmapped.status, unmapped.error], ["FAILED", "States.Runtime"]);
});

test("an execution out of time is TIMED_OUT", async () => {
  const ended = await world.run(await world.create("timed", { TimeoutSeconds: 1, ...sleeper }));
  assert.deepEqual([ended.status, ended.error, ended.cause], ["TIMED_OUT", undefined, undefined]);
  assert.ok(ended.stopDate - ended.startDate >= 1000);
});

test("a name starts one execution: the same start is answered again, another one refused", async () => {
  const stateMachineArn = await world.create("named", sleeper);
  const executionArn = await world.start(stateMachineArn, { a: 1 }, "order-1");
  assert.ok(executionArn.endsWith(":execution:named:order-1"));
  assert.equal(await world.start(stateMachineArn, { a: 1 }, "order-1"), executionArn);
  await refused(
    world.start(stateMachineArn, { a: 2 }, "order-1"),
    "ExecutionAlreadyExists",
    `Execution Already Exists: '${executionArn}'`,
  );
  await world.send("StopExecution", { executionArn });
  await refused(world.start(stateMachineArn, { a: 1 }, "order-1"), "ExecutionAlreadyExists"); // since it has ended
});

test("a stop aborts an execution with the error and cause given", async () => {
  const executionArn = await world.start(await world.create("stopped", sleeper));
  const stopped = await world.send("StopExecution", { executionArn, error: "Cancelled", cause: "by the customer" });
  const described = await world.send("DescribeExecution", { executionArn });
  assert.deepEqual([described.status, described.error, described.cause], ["ABORTED", "Cancelled", "by the customer"]);
  assert.deepEqual(described.stopDate, stopped.stopDate);
  const { events } = await world.send("GetExecutionHistory", { executionArn, reverseOrder: true, maxResults: 1 });
  assert.equal(events[0].executionAbortedEventDetails.error, "Cancelled");
});

test("executions are listed newest first, in pages and by status", async () => {
  const stateMachineArn = await world.create("listed-executions", sleeper);
  const started = [];
  for (let i = 0; i < 5; ++i) started.unshift(await world.start(stateMachineArn, {}, `e${i}`));
  await world.send("StopExecution", { executionArn: started[4] });
  const pages = [];
  for await (const page of paginateListExecutions({ client: world.client, pageSize: 2 }, { stateMachineArn }))
    pages.push(page.executions.map((execution) => execution.executionArn));
  assert.deepEqual(pages, [started.slice(0, 2), started.slice(2, 4), started.slice(4)]);
  const aborted = await world.send("ListExecutions", { stateMachineArn, statusFilter: "ABORTED" });
  assert.deepEqual(
    aborted.executions.map((execution) => execution.name),
    ["e0"],
  );
  assert.ok(aborted.executions[0].stopDate instanceof Date);
  await refused(world.send("ListExecutions", { stateMachineArn, maxResults: 1001 }), "ValidationException");
  for (const executionArn of started) await world.send("StopExecution", { executionArn });
});

test("a large input and text of any script come back as they were given", async () => {
  const input = { text: "żółw 🐢 \u2028", filler: "x".repeat(262_000) };
  const ended = await world.run(await world.create("large", pass), input);
  assert.deepEqual(JSON.parse(ended.output), input);
  assert.equal(ended.inputDetails.included, true);
});

test("an input is {} where none is given, and otherwise told as it was written", async () => {
  const stateMachineArn = await world.create("spelled", pass);
  const bare = await world.send("StartExecution", { stateMachineArn });
  assert.equal((await world.endOf(bare.executionArn)).output, "{}");
  const spaced = await world.send("StartExecution", { stateMachineArn, input: '{"a":  1}' });
  assert.equal((await world.endOf(spaced.executionArn)).input, '{"a":  1}');
  const { events } = await world.send("GetExecutionHistory", { executionArn: spaced.executionArn });
  assert.equal(events[0].executionStartedEventDetails.input, '{"a":  1}');
});

test("a Resource that is a URL is called as it is", async () => {
  world.worker.handle("direct", ({ n }) => ({ body: n + 1 }));
  const called = { Type: "Task", Resource: `${world.worker.url}/direct`, End: true };
  const ended = await world.run(await world.create("direct", { StartAt: "T", States: { T: called } }), { n: 1 });
  assert.deepEqual([ended.status, ended.output], ["SUCCEEDED", "2"]);
});

test("many requests at once are all answered, each for itself", async () => {
  const stateMachineArn = await world.create("many", pass);
  const numbers = Array.from({ length: 200 }, (_, n) => n);
  const started = await Promise.all(numbers.map((n) => world.start(stateMachineArn, { n })));
  const ended = await Promise.all(started.map((executionArn) => world.endOf(executionArn)));
  assert.deepEqual(ended.map((execution) => JSON.parse(execution.output).n), numbers);
});

test("a start that cannot be is refused", async () => {
  const stateMachineArn = await world.create("refusing", pass);
  await refused(world.send("StartExecution", { stateMachineArn, input: "{" }), "InvalidExecutionInput");
  await refused(world.start(stateMachineArn, {}, "a b"), "InvalidName", "Invalid Name: 'a b'");
  await refused(world.start(stateMachineArn, "x".repeat(262_144)), "ValidationException");
  await refused(world.start(`${stateMachineArn}-none`), "StateMachineDoesNotExist");
  await refused(world.start("not-an-arn"), "InvalidArn", "Invalid Arn: 'Invalid ARN prefix: not-an-arn'");
  await refused(world.send("StartExecution", {}), "ValidationException");
  assert.deepEqual((await world.send("ListExecutions", { stateMachineArn })).executions, []);
});

test("what is asked of an execution that is not there is refused", async () => {
  const executionArn = "arn:aws:states:us-east-1:000000000000:execution:refusing:none";
  for (const operation of [
    "DescribeExecution",
    "StopExecution",
    "GetExecutionHistory",
    "DescribeStateMachineForExecution",
  ]) {
    const message = `Execution Does Not Exist: '${executionArn}'`;
    await refused(world.send(operation, { executionArn }), "ExecutionDoesNotExist", message);
    await refused(
      world.send(operation, { executionArn: "none" }),
      "InvalidArn",
      "Invalid Arn: 'Invalid ARN prefix: none'",
    );
  }
});
