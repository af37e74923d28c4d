// The functions of the durable suite, as somebody who has never heard of Pawl writes them for AWS.
//
// `cases` is a durable function; the member `case` of its input chooses what it does. `outside` is called like a durable
// function, but what it returns is decided by the test, which it asks at OUTSIDE_URL. `plain` is no durable function.
import { StepSemantics, withDurableExecution } from "@aws/durable-execution-sdk-js";

const SECOND = { seconds: 1 };
const again = (times) => (_error, attempt) => ({ shouldRetry: attempt < times, delay: SECOND });
const never = () => ({ shouldRetry: false });
const told = (error) => ({ name: error.name, message: error.message });

const CASES = {
  // --- steps
  async steps({ n }, context) {
    const a = await context.step("one", async () => n + 1);
    const b = await context.step("two", async () => a * 2);
    return context.step("three", async () => ({ a, b, sum: a + b }));
  },
  async retry(_event, context) {
    return context.step(
      "flaky",
      async ({ attempt }) => {
        if (attempt < 3) throw new TypeError(`boom ${attempt}`);
        return attempt;
      },
      { retryStrategy: again(5) },
    );
  },
  async failing(_event, context) {
    const refuse = async () => {
      throw new RangeError("nope");
    };
    return context.step("bad", refuse, { retryStrategy: never });
  },
  async atMostOnce(_event, context) {
    return context.step("charge", async () => "paid", { semantics: StepSemantics.AtMostOncePerRetry });
  },
  async interrupted(_event, context) {
    const options = { semantics: StepSemantics.AtMostOncePerRetry, retryStrategy: never };
    return context.step("charge", async () => process.exit(1), options).catch(told);
  },

  // --- waiting
  async wait(_event, context) {
    const before = await context.step("before", async () => Date.now());
    await context.wait("nap", SECOND);
    const after = await context.step("after", async () => Date.now());
    return after - before;
  },
  async poll(_event, context) {
    return context.waitForCondition("poll", async (state) => state + 1, {
      initialState: 0,
      waitStrategy: (state) => (state < 3 ? { shouldContinue: true, delay: SECOND } : { shouldContinue: false }),
    });
  },
  async sleeper(_event, context) {
    await context.wait("long", { hours: 24 });
  },

  // --- callbacks
  async callback({ options = {} }, context) {
    const [answer] = await context.createCallback("answer", options);
    return answer.then(JSON.parse, told);
  },
  async ask(_event, context) {
    const options = { timeout: { seconds: 60 }, heartbeatTimeout: { seconds: 30 } };
    return JSON.parse(await context.waitForCallback("approve", async () => {}, options));
  },

  // --- calls
  async invoke({ target, payload }, context) {
    return context.invoke("call", target, payload).catch(told);
  },

  // --- contexts
  async child(_event, context) {
    return context.runInChildContext("child", async (inner) => {
      const a = await inner.step("first", async () => 1);
      await inner.wait("nap", SECOND);
      return a + (await inner.step("second", async () => 2));
    });
  },
  async map({ items, options }, context) {
    const square = (inner, item) => inner.step("square", async () => item * item);
    const squares = await context.map("squares", items, square, options);
    return { results: squares.getResults(), reason: squares.completionReason };
  },
  async mapWithFailure({ items }, context) {
    const tried = await context.map(
      "tried",
      items,
      (inner, item) =>
        inner.step(
          "odd",
          async () => {
            if (item % 2 === 0) throw new Error(`${item} is even`);
            return item;
          },
          { retryStrategy: never },
        ),
      { maxConcurrency: 1, completionConfig: { toleratedFailureCount: 1 } },
    );
    return { results: tried.getResults(), failures: tried.failureCount, reason: tried.completionReason };
  },
  async parallel(_event, context) {
    const branches = await context.parallel("both", [
      async (inner) => inner.step("left", async () => "l"),
      { name: "right", func: async (inner) => (await inner.wait(SECOND), "r") },
    ]);
    return branches.getResults();
  },
  async parallelWhileBusy(_event, context) {
    const branches = await context.parallel("both", [
      async (inner) => (await inner.wait("nap", SECOND), "waited"),
      async (inner) =>
        inner.step("slow", async () => {
          await new Promise((resolve) => setTimeout(resolve, 2000));
          return "worked";
        }),
    ]);
    return branches.getResults();
  },
  async combinators(_event, context) {
    const one = context.step("p1", async () => 1);
    const two = context.step("p2", async () => 2);
    return context.promise.all("all", [one, two]);
  },

  // --- large results
  async largeChild(_event, context) {
    const large = await context.runInChildContext("large", async (inner) => {
      const half = await inner.step("half", async () => "x".repeat(150_000));
      return half + half;
    });
    await context.wait("nap", SECOND);
    return large.length;
  },
  async largeStep(_event, context) {
    return context.step("large", async () => "x".repeat(300_000), { retryStrategy: never });
  },
  async largeResult({ size, character = "y" }) {
    return character.repeat(size);
  },

  // --- many operations: more than one page of state
  async many({ count }, context) {
    const numbers = Array.from({ length: count }, (_, i) => i);
    let sum = 0;
    for (const i of numbers) sum += await context.step(`n${i}`, async () => i);
    await context.wait("nap", SECOND);
    return sum;
  },
};

export const cases = withDurableExecution(async (event, context) => CASES[event.case](event, context));

export const outside = async (event) => {
  const answer = await fetch(process.env.OUTSIDE_URL, { method: "POST", body: JSON.stringify(event) });
  const { throws, returns } = await answer.json();
  if (throws) throw Object.assign(new Error(throws.message), { name: throws.name });
  return returns;
};

export const plain = async (event) => {
  if (event.fail) throw new RangeError(event.fail);
  return { doubled: 2 * event.n };
};
