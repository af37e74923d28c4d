// Functions themselves: created, shown, listed, changed and deleted by AWS's client.
import assert from "node:assert/strict";
import test from "node:test";
import { refused, world } from "./durable_world.mjs";

const fields = (FunctionName, more = {}) => ({
  FunctionName,
  Role: "arn:aws:iam::000000000000:role/test",
  Code: { ZipFile: Buffer.from("none") },
  Runtime: "provided.al2023",
  Handler: "bootstrap",
  ...more,
});

test("a function that is created has its configuration", async () => {
  const DurableConfig = { ExecutionTimeout: 3600, RetentionPeriodInDays: 7 };
  const created = await world.send("CreateFunction", fields("made", { DurableConfig }));
  assert.equal(created.$metadata.httpStatusCode, 201);
  assert.equal(created.FunctionName, "made");
  assert.match(created.FunctionArn, /^arn:aws:lambda:us-east-1:\d{12}:function:made$/);
  assert.deepEqual(created.DurableConfig, DurableConfig);
  const got = await world.send("GetFunction", { FunctionName: "made" });
  assert.deepEqual(got.Configuration.DurableConfig, DurableConfig);
  const configuration = await world.send("GetFunctionConfiguration", { FunctionName: "made" });
  assert.deepEqual(configuration.DurableConfig, DurableConfig);
  await refused(world.send("CreateFunction", fields("made")), "ResourceConflictException");
});

test("a function's durable configuration can be changed, but not added", async () => {
  const DurableConfig = { ExecutionTimeout: 60, RetentionPeriodInDays: 1 };
  await world.send("CreateFunction", fields("changing", { DurableConfig: { ExecutionTimeout: 3600 } }));
  const changed = await world.send("UpdateFunctionConfiguration", { FunctionName: "changing", DurableConfig });
  assert.deepEqual(changed.DurableConfig, DurableConfig);
  await world.send("CreateFunction", fields("undurable"));
  await refused(
    world.send("UpdateFunctionConfiguration", { FunctionName: "undurable", DurableConfig }),
    "InvalidParameterValueException",
  );
  for (const wrong of [{ ExecutionTimeout: 0 }, { ExecutionTimeout: 31_622_401 }, { RetentionPeriodInDays: 91 }])
    await refused(world.send("CreateFunction", fields("wrong", { DurableConfig: wrong })), "ValidationException");
});

test("functions are listed, those of the command line too, and deleted", async () => {
  await world.send("CreateFunction", fields("passing"));
  const names = async () => (await world.send("ListFunctions")).Functions.map(({ FunctionName }) => FunctionName);
  for (const name of ["cases", "outside", "plain", "passing"]) assert.ok((await names()).includes(name), name);
  await world.send("DeleteFunction", { FunctionName: "passing" });
  assert.ok(!(await names()).includes("passing"));
  await refused(world.send("GetFunction", { FunctionName: "passing" }), "ResourceNotFoundException");
  await refused(world.send("DeleteFunction", { FunctionName: "passing" }), "ResourceNotFoundException");
});

test("an execution that would take too long cannot be waited for", async () => {
  await world.send("CreateFunction", fields("long", { DurableConfig: { ExecutionTimeout: 901 } }));
  await refused(
    world.send("Invoke", { FunctionName: "long", Qualifier: "$LATEST" }),
    "InvalidParameterValueException",
    "You cannot synchronously invoke a durable function with an executionTimeout greater than 15 minutes.",
  );
});
