// Comes last: every operation of AWS's client was answered in this suite, or the server says that it is not there.
import assert from "node:assert/strict";
import test from "node:test";
import * as sfn from "@aws-sdk/client-sfn";
import { refused, world } from "./world.mjs";

const operations = Object.keys(sfn)
  .filter((name) => /^[A-Z].*Command$/.test(name))
  .map((name) => name.replace(/Command$/, ""));

test("an operation that no test used is one that the server does not have, and says so", async () => {
  assert.ok(operations.length >= 37, `${operations}`);
  for (const operation of operations.filter((name) => !world.used.has(name)))
    await refused(
      world.send(operation),
      "UnknownOperationException",
      `The operation '${operation}' is not there (yet).`,
    );
});

test("the operations of state machines, executions and task tokens are all there", () => {
  const beyond = /Alias|Activit|MapRun|^TestState$|^StartSyncExecution$|^RedriveExecution$/;
  assert.deepEqual(
    operations.filter((name) => !world.used.has(name) && !beyond.test(name)),
    [],
  );
});
