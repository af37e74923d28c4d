// What the suite stands on: a `pawl serve` process, AWS's client pointed at it, and a worker for tasks over HTTP.
//
// There is one world for the whole suite, so tests name their state machines apart.
import assert from "node:assert/strict";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import * as sfn from "@aws-sdk/client-sfn";
import { poll, ServerProcess } from "./server_process.mjs";

export { poll };

export const ROLE = "arn:aws:iam::000000000000:role/test";

/** Answers tasks: the path chooses the handler, which gets the input and gives `{status, body}` or its promise. */
class Worker {
  calls = []; // {path, input, key}, in the order in which they came
  #handlers = new Map();
  #server = http.createServer((request, response) => this.#answer(request, response));

  async listen() {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.url = `http://127.0.0.1:${this.#server.address().port}`;
  }

  handle(name, handler) {
    this.#handlers.set(`/${name}`, handler);
  }

  callsOf(name) {
    return this.calls.filter((call) => call.path === `/${name}`);
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request, response) {
    const parts = [];
    for await (const part of request) parts.push(part);
    const call = {
      path: request.url,
      input: JSON.parse(Buffer.concat(parts)),
      key: request.headers["idempotency-key"],
    };
    this.calls.push(call);
    const handler = this.#handlers.get(request.url);
    const { status = 200, body } = handler ? await handler(call.input) : { status: 404, body: {} };
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  }
}

export class World {
  used = new Set(); // the operations that were answered without an error
  worker = new Worker();

  static async start() {
    const world = new World();
    world.folder = await mkdtemp(path.join(os.tmpdir(), "pawl-aws-sdk-"));
    process.on("exit", () => world.#abandon());
    await world.worker.listen();
    world.tasks = path.join(world.folder, "tasks.json");
    await writeFile(world.tasks, JSON.stringify(world.#mappings()));
    await world.#serve();
    return world;
  }

  /** Sends one command and notes that it was answered. */
  async send(operation, fields = {}) {
    const answer = await this.client.send(new sfn[`${operation}Command`](fields));
    assert.equal(answer.$metadata.httpStatusCode, 200);
    assert.ok(answer.$metadata.requestId, `${operation} is answered with the id of its request`);
    this.used.add(operation);
    return answer;
  }

  async create(name, definition, more = {}) {
    const made = await this.send("CreateStateMachine", {
      name,
      definition: JSON.stringify(definition),
      roleArn: ROLE,
      ...more,
    });
    return made.stateMachineArn;
  }

  async start(stateMachineArn, input = {}, name = undefined) {
    const started = await this.send("StartExecution", { stateMachineArn, input: JSON.stringify(input), name });
    return started.executionArn;
  }

  async endOf(executionArn) {
    return poll(async () => {
      const described = await this.send("DescribeExecution", { executionArn });
      return described.status !== "RUNNING" && described;
    }, `the end of ${executionArn}`);
  }

  async run(stateMachineArn, input = {}) {
    return this.endOf(await this.start(stateMachineArn, input));
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
    this.worker.close();
    assert.equal(code, 0, "the server ends well");
  }

  /** However the suite ends, neither a server nor its data stays behind. */
  #abandon() {
    this.server?.child.kill("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }

  #mappings() {
    const mappings = { "arn:aws:states:::sqs:sendMessage.waitForTaskToken": { http: `${this.worker.url}/queue` } };
    for (const name of ["price", "flaky", "broken", "slow"])
      mappings[`arn:aws:lambda:us-east-1:000000000000:function:${name}`] = { http: `${this.worker.url}/${name}` };
    return mappings;
  }

  async #serve() {
    this.server = await ServerProcess.start(path.join(this.folder, "data"), ["--tasks", this.tasks]);
    this.client = new sfn.SFNClient({
      endpoint: this.server.url,
      region: "us-east-1",
      credentials: { accessKeyId: "any", secretAccessKey: "any" },
      disableHostPrefix: true,
      maxAttempts: 1,
    });
  }
}

/** The promise must be refused with AWS's error of this name, as the client's own class where it has one. */
export async function refused(promise, name, message = undefined) {
  await assert.rejects(promise, (error) => {
    assert.equal(error.name, name, `${error.name}: ${error.message}`);
    if (sfn[name]) assert.ok(error instanceof sfn[name], `${name} is of the client's class`);
    if (message !== undefined) assert.equal(error.message, message);
    return true;
  });
}

export const world = await World.start();
