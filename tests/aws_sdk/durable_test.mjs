// AWS's own SDK for durable functions and its client for Lambda, unmodified, against a running server. The parts share
// it and run in this order.
import { after } from "node:test";
import { hasAwsRuntime, world } from "./durable_world.mjs";

if (!hasAwsRuntime) console.log("AWS's runtime could not be built here: a small one of our own runs the handlers");
await import("./durable_operations.mjs");
await import("./durable_calls.mjs");
await import("./durable_checkpoints.mjs");
await import("./durable_functions.mjs");
await import("./durable_crashes.mjs");
await import("./durable_every_call.mjs");

after(() => world.close());
