// What the durable suite stands on: a `pawl serve` process that runs AWS's handlers, AWS's client for Lambda pointed at
// it, and the outside world that the function `outside` asks what to do.
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as lambda from "@aws-sdk/client-lambda";
import { poll, ServerProcess } from "./server_process.mjs";

export { poll };

const HERE = path.dirname(fileURLToPath(import.meta.url));
const AWS_RUNTIME = path.join(HERE, "node_modules/aws-lambda-ric");
/** AWS's own runtime, where its native part was built. */
export const hasAwsRuntime = existsSync(path.join(AWS_RUNTIME, "rapid-client.node"));

export const CREDENTIALS = { accessKeyId: "AKIAFAKE", secretAccessKey: "fake" };
export const textOf = (bytes) => Buffer.from(bytes ?? []).toString();

/** Holds each call of the function `outside` until the test says what becomes of it. */
class Outside {
  #calls = []; // {event, answer}
  #server = http.createServer((request, response) => this.#take(request, response));

  async listen() {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.url = `http://127.0.0.1:${this.#server.address().port}`;
  }

  /** The next call of that execution: its event, and how to return from it or fail. */
  async next(arn) {
    const isIts = (call) => call.event.DurableExecutionArn === arn;
    const call = await poll(() => this.#calls.find(isIts), `a call of ${arn}`);
    this.#calls.splice(this.#calls.indexOf(call), 1);
    return call;
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #take(request, response) {
    const parts = [];
    for await (const part of request) parts.push(part);
    const end = (answer) => response.end(JSON.stringify(answer));
    this.#calls.push({
      event: JSON.parse(Buffer.concat(parts)),
      returns: (returns) => end({ returns }),
      throws: (name, message) => end({ throws: { name, message } }),
    });
  }
}

export class DurableWorld {
  used = new Set(); // the operations that were answered without an error
  outside = new Outside();

  static async start() {
    const world = new DurableWorld();
    world.folder = await mkdtemp(path.join(os.tmpdir(), "pawl-durable-"));
    process.on("exit", () => world.#abandon());
    await world.outside.listen();
    await world.#serve();
    return world;
  }

  /** Sends one command and notes that it was answered. */
  async send(operation, fields = {}) {
    const answer = await this.client.send(new lambda[`${operation}Command`](fields));
    assert.ok(answer.$metadata.httpStatusCode < 300);
    this.used.add(operation);
    return answer;
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

  /** The server is gone from one instant to the next, as in a crash, and comes back on the same data. */
  async crash() {
    await this.server.end("SIGKILL");
    this.client.destroy();
    await this.#serve();
  }

  async close() {
    const code = await this.server.end("SIGTERM");
    this.client.destroy();
    this.outside.close();
    assert.equal(code, 0, "the server ends well");
  }

  /** However the suite ends, neither a server nor its data stays behind. */
  #abandon() {
    this.server?.child.kill("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }

  #functionOptions() {
    const runtime = hasAwsRuntime ? path.join(AWS_RUNTIME, "index.mjs") : path.join(HERE, "durable_runtime.mjs");
    const command = (name) =>
      `${name}=env _HANDLER=durable_handlers.${name} LAMBDA_TASK_ROOT=${HERE} ${process.execPath} ${runtime}`;
    const durable = ["cases", "outside"].flatMap((name) => ["--function", command(name)]);
    return [...durable, "--plain-function", command("plain")];
  }

  async #serve() {
    const environment = { OUTSIDE_URL: this.outside.url };
    this.server = await ServerProcess.start(path.join(this.folder, "data"), this.#functionOptions(), environment);
    this.client = new lambda.LambdaClient({
      endpoint: this.server.url,
      region: "us-east-1",
      credentials: CREDENTIALS,
      maxAttempts: 1,
    });
  }
}

/** The promise must be refused with AWS's error of this name, as the client's own class where it has one. */
export async function refused(promise, name, message = undefined) {
  await assert.rejects(promise, (error) => {
    assert.equal(error.name, name, `${error.name}: ${error.message}`);
    if (lambda[name]) assert.ok(error instanceof lambda[name], `${name} is of the client's class`);
    if (message !== undefined) assert.equal(error.message, message);
    return true;
  });
}

export const world = await DurableWorld.start();
