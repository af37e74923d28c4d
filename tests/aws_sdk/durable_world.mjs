// What the durable suite stands on: a `pawl serve` process that runs AWS's handlers, AWS's client for Lambda pointed at
// it, and the outside world that the function `outside` asks what to do.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as lambda from "@aws-sdk/client-lambda";
import { Listener, refusedBy, ServedWorld } from "./served_world.mjs";
import { poll } from "./server_process.mjs";

export { poll };

const HERE = path.dirname(fileURLToPath(import.meta.url));
const AWS_RUNTIME = path.join(HERE, "node_modules/aws-lambda-ric");
/** AWS's own runtime, where its native part was built. */
export const hasAwsRuntime = existsSync(path.join(AWS_RUNTIME, "rapid-client.node"));

export const CREDENTIALS = { accessKeyId: "AKIAFAKE", secretAccessKey: "fake" };
export const textOf = (bytes) => Buffer.from(bytes ?? []).toString();

/** Holds each call of the function `outside` until the test says what becomes of it. */
class Outside extends Listener {
  #calls = []; // {event, returns, throws}

  /** The next call of that execution: its event, and how to return from it or fail. */
  async next(arn) {
    const isIts = (call) => call.event.DurableExecutionArn === arn;
    const call = await poll(() => this.#calls.find(isIts), `a call of ${arn}`);
    this.#calls.splice(this.#calls.indexOf(call), 1);
    return call;
  }

  take(request, event, response) {
    const end = (answer) => response.end(JSON.stringify(answer));
    this.#calls.push({
      event,
      returns: (returns) => end({ returns }),
      throws: (name, message) => end({ throws: { name, message } }),
    });
  }
}

class DurableWorld extends ServedWorld {
  constructor() {
    super(lambda, new Outside());
    this.outside = this.listener;
  }

  /** Runs one case of the function `cases` to its end, and gives what came of it. */
  async run(name, event = {}) {
    return this.endOf(await this.begin(name, event));
  }

  /** The ARN of an execution that has begun. */
  async begin(name, event = {}) {
    return this.invokeLater("cases", { case: name, ...event });
  }

  async invokeLater(FunctionName, payload, more = {}) {
    const started = await this.send("Invoke", {
      FunctionName,
      Qualifier: "$LATEST",
      InvocationType: "Event",
      Payload: JSON.stringify(payload),
      ...more,
    });
    assert.equal(started.StatusCode, 202);
    return started.DurableExecutionArn;
  }

  async endOf(DurableExecutionArn) {
    return poll(async () => {
      const got = await this.send("GetDurableExecution", { DurableExecutionArn });
      return got.Status !== "RUNNING" && got;
    }, `the end of ${DurableExecutionArn}`);
  }

  async history(DurableExecutionArn) {
    const events = [];
    const pages = lambda.paginateGetDurableExecutionHistory(
      { client: this.client, pageSize: 1000 },
      { DurableExecutionArn, IncludeExecutionData: true },
    );
    for await (const page of pages) events.push(...page.Events);
    return events;
  }

  /** The id of a callback that the execution has made. */
  async callbackOf(DurableExecutionArn) {
    const isCallback = (event) => event.EventType === "CallbackStarted";
    const found = await poll(async () => (await this.history(DurableExecutionArn)).find(isCallback), "a callback");
    return found.CallbackStartedDetails.CallbackId;
  }

  serverOptions() {
    const runtime = hasAwsRuntime ? path.join(AWS_RUNTIME, "index.mjs") : path.join(HERE, "durable_runtime.mjs");
    const command = (name) =>
      `${name}=env _HANDLER=durable_handlers.${name} LAMBDA_TASK_ROOT=${HERE} ${process.execPath} ${runtime}`;
    const durable = ["cases", "outside"].flatMap((name) => ["--function", command(name)]);
    return [...durable, "--plain-function", command("plain")];
  }

  environment() {
    return { OUTSIDE_URL: this.outside.url };
  }

  makeClient(endpoint) {
    return new lambda.LambdaClient({ endpoint, region: "us-east-1", credentials: CREDENTIALS, maxAttempts: 1 });
  }
}

export const refused = refusedBy(lambda);

export const world = await new DurableWorld().open();
