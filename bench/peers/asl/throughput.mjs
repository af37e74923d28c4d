// Runs one definition again and again in aws-local-stepfunctions and prints what bench/run compares.
//
//   node throughput.mjs --machine FILE --input FILE --seconds S
//
// Prints {"executions", "seconds", "cpu_seconds", "output"}: executions finished one after another on one thread, after a warm-up of half of S.
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { StateMachine } from 'aws-local-stepfunctions';

// The event loop gets its turn this often, so that what the peer leaves to it (timers, garbage) is paid for.
const EXECUTIONS_BETWEEN_YIELDS = 16;

const { values: options } = parseArgs({
  options: { machine: { type: 'string' }, input: { type: 'string' }, seconds: { type: 'string', default: '2' } },
});

const readJson = async (file) => JSON.parse(await readFile(file, 'utf8'));
const yieldToEventLoop = () => new Promise((resolve) => setImmediate(resolve));

// Of this thread alone: what the garbage collector does on threads of its own is not counted.
const threadCpuSeconds = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e6;
};

async function runFor(seconds, machine, input) {
  const start = performance.now();
  const cpuStart = threadCpuSeconds();
  const end = start + seconds * 1000;
  let executions = 0;
  while (performance.now() < end) {
    await machine.run(input).result;
    if (++executions % EXECUTIONS_BETWEEN_YIELDS === 0) await yieldToEventLoop();
  }
  return { executions, seconds: (performance.now() - start) / 1000, cpu_seconds: threadCpuSeconds() - cpuStart };
}

const machine = new StateMachine(await readJson(options.machine));
const input = await readJson(options.input);
const seconds = Number(options.seconds);
const output = await machine.run(input).result;
await runFor(seconds / 2, machine, input);
console.log(JSON.stringify({ ...(await runFor(seconds, machine, input)), output }));
