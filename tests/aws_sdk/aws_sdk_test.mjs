// AWS's own client for Step Functions, unmodified, against a running server. The parts share it and run in this order.
import { after } from "node:test";
import { world } from "./world.mjs";

await import("./state_machines.mjs");
await import("./aliases.mjs");
await import("./executions.mjs");
await import("./redrives.mjs");
await import("./task_tokens.mjs");
await import("./activities.mjs");
await import("./nested.mjs");
await import("./express.mjs");
await import("./test_state.mjs");
await import("./crashes.mjs");
await import("./every_operation.mjs");

after(() => world.close());
