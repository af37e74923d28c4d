// Redrives: executions that ended without success go on, also over a crash; and which version or alias a start named.
import assert from "node:assert/strict";
import test from "node:test";
import { failing, pass, sleeper } from "./definitions.mjs";
import { poll, refused, world } from "./world.mjs";

const functionArn = (name) => `arn:aws:lambda:us-east-1:000000000000:function:${name}`;

const broken = {
  Type: "Task",
  Resource: functionArn("broken"),
  Parameters: { "executionArn.$": "$$.Execution.Id" },
  End: true,
};

/** Two branches: the first succeeds, the second has a worker that is broken at first. */
const branches = {
  StartAt: "Both",
  States: {
    Both: {
      Type: "Parallel",
      Branches: [
        { StartAt: "Fine", States: { Fine: { Type: "Task", Resource: functionArn("price"), End: true } } },
        { StartAt: "Broken", States: { Broken: broken } },
      ],
      End: true,
    },
  },
};

test("a failed branch goes on after a redrive, and the one that succeeded does not run again", async () => {
  let isRepaired = false;
  world.worker.handle("price", () => ({ body: "fine" }));
  world.worker.handle("broken", async ({ executionArn }) => {
    await poll(async () => {
      const { events } = await world.send("GetExecutionHistory", { executionArn });
      return events.some((event) => event.type === "TaskStateExited");
    }, "the end of the other branch");
    return isRepaired ? { body: "repaired" } : { status: 500, body: { errorType: "Broken" } };
  });
  const calls = world.worker.callsOf("price").length;
  const stateMachineArn = await world.create("redriven", branches);
  const failed = await world.run(stateMachineArn);
  assert.equal(failed.status, "FAILED");
  assert.equal(failed.redriveStatus, "REDRIVABLE");
  assert.equal(failed.redriveDate, undefined);
  isRepaired = true;
  const { executionArn } = failed;
  const { redriveDate } = await world.send("RedriveExecution", { executionArn });
  assert.ok(redriveDate instanceof Date && redriveDate >= failed.stopDate);
  const ended = await world.endOf(executionArn);
  assert.equal(ended.status, "SUCCEEDED", `${ended.error}: ${ended.cause}`);
  assert.deepEqual(JSON.parse(ended.output), ["fine", "repaired"]);
  assert.equal(ended.redriveCount, 1);
  assert.deepEqual(ended.redriveDate, redriveDate);
  assert.equal(world.worker.callsOf("price").length, calls + 1);
  const { events } = await world.send("GetExecutionHistory", { executionArn });
  const redriven = events.find((event) => event.type === "ExecutionRedriven");
  assert.equal(redriven.executionRedrivenEventDetails.redriveCount, 1);
  assert.equal(events.filter((event) => event.type === "TaskStateEntered").length, 2);
  const { executions } = await world.send("ListExecutions", { stateMachineArn });
  assert.deepEqual(
    executions.map(({ redriveCount, redriveDate }) => [redriveCount, redriveDate]),
    [[1, redriveDate]],
  );
});

test("a redriven execution outlives a crash, and its token is known after it", async () => {
  const executionArn = await world.start(await world.create("redriven-sleeper", sleeper));
  await world.send("StopExecution", { executionArn });
  const first = await world.send("RedriveExecution", { executionArn, clientToken: "once" });
  await world.crash();
  const again = await world.send("RedriveExecution", { executionArn, clientToken: "once" });
  assert.deepEqual(again.redriveDate, first.redriveDate);
  const described = await world.send("DescribeExecution", { executionArn });
  assert.equal(described.status, "RUNNING");
  assert.equal(described.stopDate, undefined);
  assert.equal(described.redriveCount, 1);
  await world.send("StopExecution", { executionArn });
});

test("what cannot be redriven is refused in AWS's words", async () => {
  const stateMachineArn = await world.create("not-redrivable", pass);
  const { executionArn } = await world.run(stateMachineArn);
  await refused(
    world.send("RedriveExecution", { executionArn }),
    "ExecutionNotRedrivable",
    `Execution ${executionArn} invalid for redrive as: Execution is SUCCEEDED and cannot be redriven`,
  );
  await refused(world.send("RedriveExecution", { executionArn: `${executionArn}x` }), "ExecutionDoesNotExist");
});

test("a Fail state fails again", async () => {
  const { executionArn } = await world.run(await world.create("redriven-in-vain", failing));
  await world.send("RedriveExecution", { executionArn });
  const ended = await poll(async () => {
    const described = await world.endOf(executionArn);
    return described.redriveCount === 1 && described;
  }, "the second end");
  assert.equal(ended.error, "Order.Bad");
});

test("executions tell and are listed by the version and the alias of their start", async () => {
  const stateMachineArn = await world.create("qualified", pass);
  const { stateMachineVersionArn } = await world.send("PublishStateMachineVersion", { stateMachineArn });
  const { stateMachineAliasArn } = await world.send("CreateStateMachineAlias", {
    name: "live",
    routingConfiguration: [{ stateMachineVersionArn, weight: 100 }],
  });
  await world.run(stateMachineArn);
  const byVersion = await world.run(stateMachineVersionArn);
  const byAlias = await world.run(stateMachineAliasArn);
  assert.deepEqual([byVersion.stateMachineVersionArn, byVersion.stateMachineAliasArn], [stateMachineVersionArn, undefined]);
  assert.deepEqual(
    [byAlias.stateMachineVersionArn, byAlias.stateMachineAliasArn],
    [stateMachineVersionArn, stateMachineAliasArn],
  );
  const listed = async (arn) =>
    (await world.send("ListExecutions", { stateMachineArn: arn })).executions.map(({ executionArn }) => executionArn);
  assert.deepEqual(await listed(stateMachineVersionArn), [byAlias.executionArn, byVersion.executionArn]);
  assert.deepEqual(await listed(stateMachineAliasArn), [byAlias.executionArn]);
});
