// Aliases of versions, from creation to deletion, and map runs, of which there are none.
import assert from "node:assert/strict";
import test from "node:test";
import { pass, sleeper } from "./definitions.mjs";
import { refused, world } from "./world.mjs";

test("an alias leads starts to the versions that it names", async () => {
  const stateMachineArn = await world.create("aliased", pass);
  await world.send("PublishStateMachineVersion", { stateMachineArn });
  await world.send("UpdateStateMachine", { stateMachineArn, definition: JSON.stringify(sleeper), publish: true });
  const to = (version, weight) => ({ stateMachineVersionArn: `${stateMachineArn}:${version}`, weight });
  const { stateMachineAliasArn } = await world.send("CreateStateMachineAlias", {
    name: "live",
    routingConfiguration: [to(1, 100)],
  });
  assert.equal(stateMachineAliasArn, `${stateMachineArn}:live`);
  const started = async () => {
    const { executionArn } = await world.send("StartExecution", { stateMachineArn: stateMachineAliasArn });
    return (await world.send("DescribeStateMachineForExecution", { executionArn })).definition;
  };
  assert.equal(await started(), JSON.stringify(pass));
  await world.send("UpdateStateMachineAlias", { stateMachineAliasArn, routingConfiguration: [to(1, 0), to(2, 100)] });
  assert.equal(await started(), JSON.stringify(sleeper));
  const described = await world.send("DescribeStateMachineAlias", { stateMachineAliasArn });
  assert.deepEqual(described.routingConfiguration, [to(1, 0), to(2, 100)]);
  const listed = await world.send("ListStateMachineAliases", { stateMachineArn });
  assert.deepEqual(listed.stateMachineAliases.map((alias) => alias.stateMachineAliasArn), [stateMachineAliasArn]);
  await refused(
    world.send("DeleteStateMachineVersion", { stateMachineVersionArn: `${stateMachineArn}:2` }),
    "ConflictException",
  );
  await world.send("DeleteStateMachineAlias", { stateMachineAliasArn });
  await refused(world.send("DescribeStateMachineAlias", { stateMachineAliasArn }), "ResourceNotFound");
});

test("an alias whose weights are not the whole is refused", async () => {
  const stateMachineArn = await world.create("half-aliased", pass);
  const { stateMachineVersionArn } = await world.send("PublishStateMachineVersion", { stateMachineArn });
  const routingConfiguration = [{ stateMachineVersionArn, weight: 50 }];
  await refused(world.send("CreateStateMachineAlias", { name: "half", routingConfiguration }), "ValidationException");
});

test("an execution has no map runs", async () => {
  const stateMachineArn = await world.create("without-map-runs", pass);
  const { executionArn } = await world.send("StartExecution", { stateMachineArn });
  assert.deepEqual((await world.send("ListMapRuns", { executionArn })).mapRuns, []);
  const mapRunArn = "arn:aws:states:us-east-1:000000000000:mapRun:without-map-runs/label:none";
  await refused(world.send("DescribeMapRun", { mapRunArn }), "ResourceNotFound");
  await refused(world.send("UpdateMapRun", { mapRunArn, maxConcurrency: 1 }), "ResourceNotFound");
});
