// TestState: one state at a time, with mocks and against the worker.
import assert from "node:assert/strict";
import test from "node:test";
import { refused, ROLE, world } from "./world.mjs";

const testState = (definition, more = {}) =>
  world.send("TestState", { definition: JSON.stringify(definition), ...more });

const lambda = (more = {}) => ({
  Type: "Task",
  Resource: "arn:aws:lambda:us-east-1:000000000000:function:price",
  End: true,
  ...more,
});

test("TestState tells each step of the data through a mocked Task", async () => {
  const definition = {
    ...lambda({ ResultPath: "$.sent", Parameters: { "Entries.$": "$.entries" } }),
    Resource: "arn:aws:states:::events:putEvents",
  };
  const tested = await testState(definition, {
    input: JSON.stringify({ entries: [] }),
    inspectionLevel: "TRACE",
    mock: { result: JSON.stringify({ FailedEntryCount: 0 }), fieldValidationMode: "STRICT" },
  });
  assert.equal(tested.status, "SUCCEEDED");
  assert.deepEqual(JSON.parse(tested.output), { entries: [], sent: { FailedEntryCount: 0 } });
  assert.deepEqual(JSON.parse(tested.inspectionData.afterParameters), { Entries: [] });
  assert.deepEqual(JSON.parse(tested.inspectionData.result), { FailedEntryCount: 0 });
});

test("TestState calls the resource of a Task without a mock", async () => {
  world.worker.handle("price", (n) => ({ body: 2 * n }));
  const tested = await testState(lambda(), { input: "21", roleArn: ROLE });
  assert.deepEqual([tested.status, tested.output], ["SUCCEEDED", "42"]);
  await refused(testState(lambda(), { input: "21" }), "ValidationException");
});

test("TestState tells which retrier and which catcher take an error", async () => {
  const definition = lambda({
    Retry: [{ ErrorEquals: ["Flaky"], MaxAttempts: 1, IntervalSeconds: 7 }],
    Catch: [{ ErrorEquals: ["States.ALL"], Next: "Handled" }],
  });
  const fail = (retrierRetryCount) =>
    testState(definition, {
      inspectionLevel: "DEBUG",
      mock: { errorOutput: { error: "Flaky", cause: "again" } },
      stateConfiguration: { retrierRetryCount },
    });
  const first = await fail(0);
  assert.equal(first.status, "RETRIABLE");
  assert.deepEqual(first.inspectionData.errorDetails, { retryIndex: 0, retryBackoffIntervalSeconds: 7 });
  const second = await fail(1);
  assert.deepEqual([second.status, second.nextState], ["CAUGHT_ERROR", "Handled"]);
  assert.deepEqual(JSON.parse(second.output), { Error: "Flaky", Cause: "again" });
});

test("TestState runs one state of a whole machine", async () => {
  const machine = {
    StartAt: "First",
    States: {
      First: { Type: "Pass", Next: "Second" },
      Second: { Type: "Pass", Parameters: { "known.$": "$known" }, Next: "Third" },
      Third: { Type: "Fail", Error: "Third.Reached" },
    },
  };
  const second = await testState(machine, { stateName: "Second", variables: JSON.stringify({ known: 1 }) });
  assert.deepEqual([second.output, second.nextState], ['{"known":1}', "Third"]);
  const third = await testState(machine, { stateName: "Third" });
  assert.deepEqual([third.status, third.error], ["FAILED", "Third.Reached"]);
  await refused(testState(machine, { stateName: "Fourth" }), "ValidationException", "State not found in definition");
});

test("TestState refuses mocks that no service would answer, and definitions that are none", async () => {
  const send = { Type: "Task", Resource: "arn:aws:states:::sqs:sendMessage", End: true };
  const mock = { result: JSON.stringify({ MessageId: 5 }) };
  const message = "Mock result schema validation error: Field 'MessageId' must be a string";
  await refused(testState(send, { mock }), "ValidationException", message);
  assert.equal((await testState(send, { mock: { ...mock, fieldValidationMode: "NONE" } })).status, "SUCCEEDED");
  await refused(testState({ Type: "Pass" }), "InvalidDefinition");
  await refused(testState({ Type: "Succeed" }, { input: "{" }), "InvalidExecutionInput");
});
