// State machines: from creation to deletion, with versions, tags and checks of definitions.
import assert from "node:assert/strict";
import test from "node:test";
import { paginateListStateMachines } from "@aws-sdk/client-sfn";
import { failing, pass, sleeper } from "./definitions.mjs";
import { ROLE, refused, world } from "./world.mjs";

const PREFIX = "arn:aws:states:us-east-1:000000000000:stateMachine:";

test("a state machine is described as it was created", async () => {
  const stateMachineArn = await world.create("described", pass, {
    loggingConfiguration: { level: "ALL", includeExecutionData: true },
  });
  assert.equal(stateMachineArn, `${PREFIX}described`);
  const described = await world.send("DescribeStateMachine", { stateMachineArn });
  assert.deepEqual(
    [described.name, described.status, described.type, described.roleArn, described.definition],
    ["described", "ACTIVE", "STANDARD", ROLE, JSON.stringify(pass)],
  );
  assert.ok(
    Math.abs(Date.now() - described.creationDate.getTime()) < 600_000,
    `${described.creationDate} is about now`,
  );
  assert.equal(described.loggingConfiguration.level, "ALL");
  assert.equal(described.tracingConfiguration.enabled, false);
});

test("the same creation again gives the same state machine, another one is refused", async () => {
  const stateMachineArn = await world.create("twice", pass);
  assert.equal(await world.create("twice", pass), stateMachineArn);
  await refused(
    world.create("twice", sleeper),
    "StateMachineAlreadyExists",
    `State Machine Already Exists: '${stateMachineArn}'`,
  );
});

test("an update changes the definition, and what runs keeps the one that it began with", async () => {
  const stateMachineArn = await world.create("updated", sleeper);
  const executionArn = await world.start(stateMachineArn);
  const updated = await world.send("UpdateStateMachine", { stateMachineArn, definition: JSON.stringify(pass) });
  assert.ok(updated.updateDate instanceof Date);
  const described = await world.send("DescribeStateMachine", { stateMachineArn });
  assert.deepEqual([described.definition, described.revisionId], [JSON.stringify(pass), updated.revisionId]);
  const kept = await world.send("DescribeStateMachineForExecution", { executionArn });
  assert.deepEqual([kept.stateMachineArn, kept.definition], [stateMachineArn, JSON.stringify(sleeper)]);
  assert.equal((await world.run(stateMachineArn)).status, "SUCCEEDED");
  await world.send("StopExecution", { executionArn });
});

test("versions are published, listed in pages, started and deleted", async () => {
  const stateMachineArn = await world.create("versions", pass);
  const first = await world.send("PublishStateMachineVersion", { stateMachineArn, description: "the first" });
  assert.equal(first.stateMachineVersionArn, `${stateMachineArn}:1`);
  const second = await world.send("UpdateStateMachine", {
    stateMachineArn,
    definition: JSON.stringify(failing),
    publish: true,
  });
  assert.equal(second.stateMachineVersionArn, `${stateMachineArn}:2`);
  const newest = await world.send("ListStateMachineVersions", { stateMachineArn, maxResults: 1 });
  const oldest = await world.send("ListStateMachineVersions", {
    stateMachineArn,
    maxResults: 1,
    nextToken: newest.nextToken,
  });
  assert.equal(oldest.nextToken, undefined);
  const listed = [newest, oldest].flatMap((page) =>
    page.stateMachineVersions.map((version) => version.stateMachineVersionArn),
  );
  assert.deepEqual(listed, [`${stateMachineArn}:2`, `${stateMachineArn}:1`]);
  assert.equal((await world.send("DescribeStateMachine", { stateMachineArn: listed[1] })).description, "the first");
  assert.equal((await world.run(listed[1])).status, "SUCCEEDED");
  assert.equal((await world.run(listed[0])).status, "FAILED");
  await world.send("DeleteStateMachineVersion", { stateMachineVersionArn: listed[1] });
  assert.equal((await world.send("ListStateMachineVersions", { stateMachineArn })).stateMachineVersions.length, 1);
  await refused(world.start(listed[1]), "StateMachineDoesNotExist");
  await refused(
    world.send("PublishStateMachineVersion", { stateMachineArn, revisionId: "other" }),
    "ConflictException",
  );
});

test("tags are added, changed, listed and removed", async () => {
  const resourceArn = await world.create("tagged", pass, { tags: [{ key: "team", value: "a" }] });
  await world.send("TagResource", {
    resourceArn,
    tags: [
      { key: "team", value: "b" },
      { key: "cost", value: "1" },
    ],
  });
  const tags = [
    { key: "team", value: "b" },
    { key: "cost", value: "1" },
  ];
  assert.deepEqual((await world.send("ListTagsForResource", { resourceArn })).tags, tags);
  await world.send("UntagResource", { resourceArn, tagKeys: ["team"] });
  assert.deepEqual((await world.send("ListTagsForResource", { resourceArn })).tags, [{ key: "cost", value: "1" }]);
  await refused(world.send("ListTagsForResource", { resourceArn: `${PREFIX}none` }), "ResourceNotFound");
  const many = Array.from({ length: 51 }, (_, i) => ({ key: `k${i}`, value: "" }));
  await refused(world.send("TagResource", { resourceArn, tags: many }), "TooManyTags");
});

test("state machines are listed in pages, each once", async () => {
  for (const name of ["listed-1", "listed-2", "listed-3"]) await world.create(name, pass);
  const names = [];
  for await (const page of paginateListStateMachines({ client: world.client, pageSize: 2 }, {})) {
    assert.ok(page.stateMachines.length <= 2);
    names.push(...page.stateMachines.map((machine) => machine.name));
  }
  assert.equal(new Set(names).size, names.length);
  assert.deepEqual(
    names.filter((name) => name.startsWith("listed-")),
    ["listed-1", "listed-2", "listed-3"],
  );
  const whole = await world.send("ListStateMachines", { maxResults: 1000 });
  assert.deepEqual(
    whole.stateMachines.map((machine) => machine.name),
    names,
  );
  await refused(world.send("ListStateMachines", { nextToken: "made up" }), "InvalidToken");
});

test("a definition is checked without being created", async () => {
  const good = await world.send("ValidateStateMachineDefinition", { definition: JSON.stringify(pass) });
  assert.deepEqual([good.result, good.diagnostics], ["OK", []]);
  const broken = { StartAt: "A", States: { A: { Type: "Pass", Next: "Nowhere" } } };
  const bad = await world.send("ValidateStateMachineDefinition", { definition: JSON.stringify(broken) });
  assert.equal(bad.result, "FAIL");
  assert.deepEqual(bad.diagnostics.map((found) => [found.severity, found.code, found.location])[0], [
    "ERROR",
    "MISSING_TRANSITION_TARGET",
    "/States/A/Next",
  ]);
});

test("a deleted state machine is gone, and deleting it again is no error", async () => {
  const stateMachineArn = await world.create("deleted", pass);
  await world.send("DeleteStateMachine", { stateMachineArn });
  await refused(
    world.send("DescribeStateMachine", { stateMachineArn }),
    "StateMachineDoesNotExist",
    `State Machine Does Not Exist: '${stateMachineArn}'`,
  );
  await refused(world.start(stateMachineArn), "StateMachineDoesNotExist");
  await world.send("DeleteStateMachine", { stateMachineArn });
});

test("a state machine that cannot be is refused", async () => {
  await refused(world.create("bad", { StartAt: "A", States: {} }), "InvalidDefinition");
  await refused(world.create("a b", pass), "InvalidName", "Invalid Name: 'a b'");
  await refused(world.create("odd", pass, { type: "SLOW" }), "ValidationException");
  await refused(world.create("x".repeat(81), pass), "ValidationException");
  await refused(
    world.send("UpdateStateMachine", { stateMachineArn: `${PREFIX}described` }),
    "MissingRequiredParameter",
  );
  await refused(world.send("DescribeStateMachine", { stateMachineArn: "machine" }), "InvalidArn");
  await refused(world.send("DescribeStateMachine", {}), "ValidationException");
});
