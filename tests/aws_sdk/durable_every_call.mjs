// Comes last: every durable operation of AWS's client was answered in this suite.
import assert from "node:assert/strict";
import test from "node:test";
import * as lambda from "@aws-sdk/client-lambda";
import { world } from "./durable_world.mjs";

const FUNCTIONS = [
  "Invoke",
  "CreateFunction",
  "GetFunction",
  "GetFunctionConfiguration",
  "ListFunctions",
  "UpdateFunctionConfiguration",
  "DeleteFunction",
];

test("each durable operation was used", () => {
  const durable = Object.keys(lambda)
    .filter((name) => /^[A-Z]\w*Durable\w*Command$/.test(name))
    .map((name) => name.replace(/Command$/, ""));
  assert.ok(durable.length >= 9, durable.join());
  const forgotten = [...durable, ...FUNCTIONS].filter((name) => !world.used.has(name));
  assert.deepEqual(forgotten, []);
});
