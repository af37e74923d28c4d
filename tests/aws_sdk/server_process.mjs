// A `pawl serve` process, and waiting for what comes about in it. PAWL_COMMAND names the program.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import readline from "node:readline";

const POLL_MS = 10;
const DEADLINE_MS = 60_000;

/** Waits until `condition` gives something that counts as true, and gives that; fails loudly when it never does. */
export async function poll(condition, what) {
  for (const deadline = Date.now() + DEADLINE_MS; Date.now() < deadline;) {
    const found = await condition();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return assert.fail(`${what}: not within ${DEADLINE_MS} ms`);
}

/** `pawl serve` on a data directory, with more of its options. Every start takes a free port. */
export class ServerProcess {
  static async start(data, options, environment = {}) {
    const server = new ServerProcess();
    const all = ["serve", "--data", data, "--listen", "127.0.0.1:0", "--log-level", "error", "--json", ...options];
    server.child = spawn(process.env.PAWL_COMMAND, all, {
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, ...environment },
    });
    server.ended = once(server.child, "exit");
    const lines = readline.createInterface({ input: server.child.stderr });
    const [banner] = await Promise.race([once(lines, "line"), server.ended.then(() => ["it ended"])]);
    assert.match(banner, /^\{"url"/, `the server did not start: ${banner}`);
    server.url = JSON.parse(banner).url;
    return server;
  }

  /** Gives the exit code, or null where the signal ended it. */
  async end(signal) {
    this.child.kill(signal);
    const [code] = await this.ended;
    return code;
  }
}
