// What the suite stands on: a `pawl serve` process, AWS's client pointed at it, and a worker for tasks over HTTP.
//
// There is one world for the whole suite, so tests name their state machines apart.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import * as sfn from "@aws-sdk/client-sfn";
import { Listener, refusedBy, ServedWorld } from "./served_world.mjs";
import { poll } from "./server_process.mjs";

export { poll };

export const ROLE = "arn:aws:iam::000000000000:role/test";

/** Answers tasks: the path chooses the handler, which gets the input and gives `{status, body}` or its promise. */
class Worker extends Listener {
  calls = []; // {path, input, key}, in the order in which they came
  #handlers = new Map();

  handle(name, handler) {
    this.#handlers.set(`/${name}`, handler);
  }

  callsOf(name) {
    return this.calls.filter((call) => call.path === `/${name}`);
  }

  async take(request, input, response) {
    this.calls.push({ path: request.url, input, key: request.headers["idempotency-key"] });
    const handler = this.#handlers.get(request.url);
    const { status = 200, body } = handler ? await handler(input) : { status: 404, body: {} };
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  }
}

class World extends ServedWorld {
  constructor() {
    super(sfn, new Worker());
    this.worker = this.listener;
  }

  async send(operation, fields = {}) {
    const answer = await super.send(operation, fields);
    assert.equal(answer.$metadata.httpStatusCode, 200);
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

  async serverOptions() {
    const tasks = path.join(this.folder, "tasks.json");
    await writeFile(tasks, JSON.stringify(this.#mappings()));
    return ["--tasks", tasks];
  }

  makeClient(endpoint) {
    const credentials = { accessKeyId: "any", secretAccessKey: "any" };
    return new sfn.SFNClient({ endpoint, region: "us-east-1", credentials, disableHostPrefix: true, maxAttempts: 1 });
  }

  #mappings() {
    const mappings = { "arn:aws:states:::sqs:sendMessage.waitForTaskToken": { http: `${this.worker.url}/queue` } };
    for (const name of ["price", "flaky", "broken", "slow"])
      mappings[`arn:aws:lambda:us-east-1:000000000000:function:${name}`] = { http: `${this.worker.url}/${name}` };
    return mappings;
  }
}

export const refused = refusedBy(sfn);

export const world = await new World().open();
