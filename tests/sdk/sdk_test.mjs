// AWS's client, unmodified, against a running server (PAWL_URL): each operation that is there, and how it refuses.
import assert from "node:assert/strict";
import http from "node:http";
import test from "node:test";
import * as sfn from "@aws-sdk/client-sfn";

const client = new sfn.SFNClient({
  endpoint: process.env.PAWL_URL,
  region: "us-east-1",
  credentials: { accessKeyId: "test", secretAccessKey: "test" },
  maxAttempts: 1,
  disableHostPrefix: true, // else StartSyncExecution goes to the host sync-127.0.0.1
});
const roleArn = "arn:aws:iam::000000000000:role/test";
const one = (name) => ({ StartAt: name, States: { [name]: { Type: "Pass", End: true } } });
const pass = JSON.stringify(one("A"));
const sleeper = JSON.stringify({ StartAt: "W", States: { W: { Type: "Wait", Seconds: 3600, End: true } } });

const call = (name, fields = {}) => client.send(new sfn[`${name}Command`](fields));
const create = async (name, definition) =>
  (await call("CreateStateMachine", { name, definition, roleArn })).stateMachineArn;
const refuses = (type, promise) =>
  assert.rejects(promise, (error) => error instanceof sfn[type] || assert.fail(`${error.name}: ${error.message}`));

async function endOf(executionArn) {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; ) {
    const described = await call("DescribeExecution", { executionArn });
    if (described.status !== "RUNNING") return described;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return assert.fail(`${executionArn} still runs`);
}

// A worker that answers with what `answer` makes of its input.
async function worker(answer) {
  const server = http.createServer((request, response) => {
    let body = "";
    request.on("data", (part) => (body += part));
    request.on("end", () => response.end(JSON.stringify(answer(JSON.parse(body)))));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref(); // a test that fails must not keep the process alive
  return `http://127.0.0.1:${server.address().port}/`;
}

test.after(() => client.destroy());

test("a state machine lives from its creation to its deletion", async () => {
  const stateMachineArn = await create("life", pass);
  const described = await call("DescribeStateMachine", { stateMachineArn });
  assert.equal(described.definition, pass);
  assert.equal(described.status, "ACTIVE");
  assert.ok(described.creationDate instanceof Date);
  const updated = await call("UpdateStateMachine", { stateMachineArn, definition: sleeper });
  assert.ok(updated.updateDate instanceof Date);
  const version = await call("PublishStateMachineVersion", { stateMachineArn, description: "first" });
  assert.equal(version.stateMachineVersionArn, `${stateMachineArn}:1`);
  const versions = await call("ListStateMachineVersions", { stateMachineArn });
  assert.equal(versions.stateMachineVersions.length, 1);
  await call("TagResource", { resourceArn: stateMachineArn, tags: [{ key: "team", value: "a" }] });
  assert.deepEqual((await call("ListTagsForResource", { resourceArn: stateMachineArn })).tags, [{ key: "team", value: "a" }]);
  await call("UntagResource", { resourceArn: stateMachineArn, tagKeys: ["team"] });
  await call("DeleteStateMachineVersion", { stateMachineVersionArn: version.stateMachineVersionArn });
  const listed = (await call("ListStateMachines")).stateMachines.map((machine) => machine.name);
  assert.ok(listed.includes("life"));
  await call("DeleteStateMachine", { stateMachineArn });
  await refuses("StateMachineDoesNotExist", call("DescribeStateMachine", { stateMachineArn }));
});

test("a machine of every state type runs to its end", async () => {
  const tasks = await worker((input) => ({ doubled: 2 * input.n }));
  const definition = {
    StartAt: "Pass",
    States: {
      Pass: { Type: "Pass", Result: [1, 2, 3], ResultPath: "$.items", Next: "Wait" },
      Wait: { Type: "Wait", Seconds: 0, Next: "Choice" },
      Choice: { Type: "Choice", Choices: [{ Variable: "$.n", NumericGreaterThan: 0, Next: "Task" }], Default: "Fail" },
      Task: { Type: "Task", Resource: tasks, ResultPath: "$.task", Next: "Parallel" },
      Parallel: {
        Type: "Parallel",
        Branches: [one("Left"), one("Right")],
        ResultSelector: { "count.$": "States.ArrayLength($)" },
        ResultPath: "$.branches",
        Next: "Map",
      },
      Map: { Type: "Map", ItemsPath: "$.items", ItemProcessor: one("Item"), ResultPath: "$.mapped", Next: "Succeed" },
      Succeed: { Type: "Succeed" },
      Fail: { Type: "Fail", Error: "Small", Cause: "n is not above 0" },
    },
  };
  const stateMachineArn = await create("every-type", JSON.stringify(definition));
  const good = await call("StartExecution", { stateMachineArn, input: '{"n":21}' });
  const ended = await endOf(good.executionArn);
  assert.equal(ended.status, "SUCCEEDED", ended.cause);
  assert.deepEqual(JSON.parse(ended.output), {
    n: 21, items: [1, 2, 3], task: { doubled: 42 }, branches: { count: 2 }, mapped: [1, 2, 3],
  });
  const bad = await endOf((await call("StartExecution", { stateMachineArn, input: '{"n":0}' })).executionArn);
  assert.deepEqual([bad.status, bad.error, bad.cause], ["FAILED", "Small", "n is not above 0"]);
});

test("a history comes whole, in pages and backwards", async () => {
  const stateMachineArn = await create("history", pass);
  const { executionArn } = await call("StartExecution", { stateMachineArn, input: '{"a": 1}' });
  await endOf(executionArn);
  const whole = await call("GetExecutionHistory", { executionArn });
  assert.deepEqual(whole.events.map((event) => event.type),
    ["ExecutionStarted", "PassStateEntered", "PassStateExited", "ExecutionSucceeded"]);
  assert.equal(whole.events[0].executionStartedEventDetails.input, '{"a": 1}');
  assert.ok(whole.events[0].timestamp instanceof Date);
  const backwards = [];
  for await (const page of sfn.paginateGetExecutionHistory({ client, pageSize: 1 }, { executionArn, reverseOrder: true }))
    backwards.push(...page.events);
  assert.deepEqual(backwards, [...whole.events].reverse());
});

test("executions are listed, stopped, and known by their names", async () => {
  const stateMachineArn = await create("names", sleeper);
  const first = await call("StartExecution", { stateMachineArn, name: "one", input: "{}" });
  assert.equal((await call("StartExecution", { stateMachineArn, name: "one", input: "{}" })).executionArn, first.executionArn);
  await refuses("ExecutionAlreadyExists", call("StartExecution", { stateMachineArn, name: "one", input: "[]" }));
  const { executionArn } = await call("StartExecution", { stateMachineArn });
  await call("StopExecution", { executionArn, error: "Enough", cause: "because" });
  const stopped = await call("DescribeExecution", { executionArn });
  assert.deepEqual([stopped.status, stopped.error, stopped.cause], ["ABORTED", "Enough", "because"]);
  const running = await call("ListExecutions", { stateMachineArn, statusFilter: "RUNNING" });
  assert.deepEqual(running.executions.map((execution) => execution.name), ["one"]);
  const machine = await call("DescribeStateMachineForExecution", { executionArn });
  assert.equal(machine.definition, sleeper);
});

test("an express machine runs while its caller waits", async () => {
  const { stateMachineArn } = await call("CreateStateMachine", { name: "express", definition: pass, roleArn, type: "EXPRESS" });
  const ended = await call("StartSyncExecution", { stateMachineArn, input: '{"n":1}' });
  assert.deepEqual([ended.status, ended.output], ["SUCCEEDED", '{"n":1}']);
  assert.ok(ended.billingDetails.billedDurationInMilliseconds >= 100);
  assert.match((await call("StartExecution", { stateMachineArn, name: "one" })).executionArn, /:express:express:one:/);
});

test("what is wrong is refused with AWS's errors", async () => {
  const stateMachineArn = await create("refusals", pass);
  await refuses("InvalidDefinition", create("broken", '{"StartAt":"A"}'));
  await refuses("InvalidName", create("a b", pass));
  await refuses("StateMachineAlreadyExists", create("refusals", sleeper));
  await refuses("InvalidArn", call("DescribeStateMachine", { stateMachineArn: "not_a_valid_arn" }));
  await refuses("InvalidExecutionInput", call("StartExecution", { stateMachineArn, input: "{" }));
  await refuses("ExecutionDoesNotExist",
    call("DescribeExecution", { executionArn: "arn:aws:states:us-east-1:000000000000:execution:refusals:none" }));
  await refuses("MissingRequiredParameter", call("UpdateStateMachine", { stateMachineArn }));
  await refuses("InvalidToken", call("SendTaskSuccess", { taskToken: "forged", output: "{}" }));
  await refuses("InvalidToken", call("SendTaskFailure", { taskToken: "forged" }));
  await refuses("InvalidToken", call("SendTaskHeartbeat", { taskToken: "forged" }));
  await refuses("ValidationException", call("ListStateMachines", { maxResults: 1001 }));
  await refuses("StateMachineTypeNotSupported", call("StartSyncExecution", { stateMachineArn }));
  const validated = await call("ValidateStateMachineDefinition", { definition: "{}" });
  assert.equal(validated.result, "FAIL");
});
