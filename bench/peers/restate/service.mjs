// What Restate calls: a handler without steps, one of ten steps, and one that sleeps.
//
//   node service.mjs PORT
import http2 from 'node:http2';
import * as restate from '@restatedev/restate-sdk';

const STEPS = 10;
const STREAMS_MAX = 10_000;
const SLEEP_MS = 3_600_000;

const steps = restate.service({
  name: 'steps',
  handlers: {
    none: async () => ({ ok: true }),
    ten: async (context) => {
      let done = 0;
      for (let step = 0; step < STEPS; ++step) done = await context.run(`step${step}`, () => done + 1);
      return { done };
    },
    sleep: async (context) => {
      await context.sleep(SLEEP_MS);
      return { ok: true };
    },
  },
});

const handler = restate.createEndpointHandler({ services: [steps] });
const server = http2.createServer({ settings: { maxConcurrentStreams: STREAMS_MAX } }, handler);
server.listen(Number(process.argv[2]), '127.0.0.1');
