// Task states that start executions of the same server.
import assert from "node:assert/strict";
import test from "node:test";
import { world } from "./world.mjs";

const starting = (suffix, parameters) => ({
  StartAt: "Start",
  States: {
    Start: {
      Type: "Task",
      Resource: `arn:aws:states:::states:startExecution${suffix}`,
      Parameters: parameters,
      End: true,
    },
  },
});
const child = {
  StartAt: "Greet",
  States: { Greet: { Type: "Pass", Parameters: { "greeting.$": "States.Format('Hello {}', $.name)" }, End: true } },
};

test("a task waits for the execution that it starts, and gets its output as JSON", async () => {
  const stateMachineArn = await world.create("greeter", child);
  const parent = await world.create(
    "host",
    starting(".sync:2", { StateMachineArn: stateMachineArn, Name: "guest", Input: { "name.$": "$.name" } }),
  );
  const ended = await world.endOf(await world.start(parent, { name: "Ada" }));
  assert.equal(ended.status, "SUCCEEDED");
  const output = JSON.parse(ended.output);
  assert.deepEqual(
    [output.Name, output.Status, output.Input, output.Output],
    ["guest", "SUCCEEDED", { name: "Ada" }, { greeting: "Hello Ada" }],
  );
  const described = await world.send("DescribeExecution", { executionArn: output.ExecutionArn });
  assert.equal(described.startDate.getTime(), output.StartDate);
});

test("a task fails with the description of the execution that failed", async () => {
  const stateMachineArn = await world.create("failer", {
    StartAt: "No",
    States: { No: { Type: "Fail", Error: "Door.Closed", Cause: "too late" } },
  });
  const parent = await world.create("visitor", starting(".sync", { StateMachineArn: stateMachineArn }));
  const ended = await world.endOf(await world.start(parent, {}));
  assert.deepEqual([ended.status, ended.error], ["FAILED", "States.TaskFailed"]);
  const cause = JSON.parse(ended.cause);
  assert.deepEqual([cause.Error, cause.Cause, cause.Status], ["Door.Closed", "too late", "FAILED"]);
});
