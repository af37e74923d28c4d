// Comes last: every operation of AWS's client was answered in this suite, or the server says that it is not there.
import assert from "node:assert/strict";
import test from "node:test";
import * as sfn from "@aws-sdk/client-sfn";
import { refused, world } from "./world.mjs";

// The two of map runs are there, but there is no map run that they could answer for.
const NOT_THERE_YET = /^(Describe|Update)MapRun$/;

/** The operations of the client that no test before this had an answer from. */
const unused = () =>
  Object.keys(sfn)
    .filter((name) => /^[A-Z].*Command$/.test(name))
    .map((name) => name.replace(/Command$/, ""))
    .filter((name) => !world.used.has(name));

/** The command asks for another operation than its own. */
function renamed(command, operation) {
  const rename = (next) => (step) => {
    step.request.headers["x-amz-target"] = `AWSStepFunctions.${operation}`;
    return next(step);
  };
  command.middlewareStack.add(rename, { step: "build", priority: "low" });
  return command;
}

test("each operation was used, but for those that are not there yet", () => {
  const forgotten = unused().filter((name) => !NOT_THERE_YET.test(name));
  assert.deepEqual(forgotten, []);
});

test("an operation that is not there says so", async (context) => {
  const unknown = (operation) => `The operation '${operation}' is not there (yet).`;
  const coffee = renamed(new sfn.ListStateMachinesCommand({}), "MakeCoffee");
  await refused(world.client.send(coffee), "UnknownOperationException", unknown("MakeCoffee"));
  for (const operation of unused()) {
    const answer = await world.send(operation).catch((error) => error);
    if (/MapRun$/.test(operation)) continue;
    if (answer.name !== "UnknownOperationException")
      context.diagnostic(`${operation} is there: use it in this suite and take it from NOT_THERE_YET`);
    else assert.equal(answer.message, unknown(operation));
  }
});
