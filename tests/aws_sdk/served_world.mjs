// What both suites stand on: a folder, a `pawl serve` process on it, and a client of AWS's that is pointed at it.
import assert from "node:assert/strict";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { ServerProcess } from "./server_process.mjs";

/** An HTTP server of the suite's own; a subclass's `take(request, body, response)` gets each request's parsed body. */
export class Listener {
  #server = http.createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    await this.take(request, JSON.parse(Buffer.concat(parts)), response);
  });

  async listen() {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.url = `http://127.0.0.1:${this.#server.address().port}`;
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/**
 * A subclass says how the server is started (`serverOptions()`, which may be a promise, and `environment()`), and makes
 * the client of it (`makeClient(endpoint)`).
 */
export class ServedWorld {
  used = new Set(); // the operations that were answered without an error

  /** `commands` is AWS's package, `listener` what the server's tasks and functions reach. */
  constructor(commands, listener) {
    this.commands = commands;
    this.listener = listener;
  }

  async open() {
    this.folder = await mkdtemp(path.join(os.tmpdir(), "pawl-aws-sdk-"));
    process.on("exit", () => this.#abandon());
    await this.listener.listen();
    await this.#serve();
    return this;
  }

  environment() {
    return {};
  }

  /** Sends one command and notes that it was answered. */
  async send(operation, fields = {}) {
    const answer = await this.client.send(new this.commands[`${operation}Command`](fields));
    assert.ok(answer.$metadata.httpStatusCode < 300);
    assert.ok(answer.$metadata.requestId, `${operation} is answered with the id of its request`);
    this.used.add(operation);
    return answer;
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
    this.listener.close();
    assert.equal(code, 0, "the server ends well");
  }

  /** However the suite ends, neither a server nor its data stays behind. */
  #abandon() {
    this.server?.child.kill("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #serve() {
    const data = path.join(this.folder, "data");
    this.server = await ServerProcess.start(data, await this.serverOptions(), this.environment());
    this.client = this.makeClient(this.server.url);
  }
}

/** The promise must be refused with AWS's error of this name, as the client's own class where the package has one. */
export function refusedBy(commands) {
  return (promise, name, message = undefined) =>
    assert.rejects(promise, (error) => {
      assert.equal(error.name, name, `${error.name}: ${error.message}`);
      if (commands[name]) assert.ok(error instanceof commands[name], `${name} is of the client's class`);
      if (message !== undefined) assert.equal(error.message, message);
      return true;
    });
}
