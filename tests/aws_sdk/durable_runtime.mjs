// The smallest runtime of Lambda: where AWS's own, which is partly native code, could not be built, it takes its place.
//   node durable_runtime.mjs, with _HANDLER, LAMBDA_TASK_ROOT and AWS_LAMBDA_RUNTIME_API as AWS's has them
import path from "node:path";
import { pathToFileURL } from "node:url";

const [file, name] = process.env._HANDLER.split(".");
const { [name]: handler } = await import(pathToFileURL(path.join(process.env.LAMBDA_TASK_ROOT, `${file}.mjs`)));
const base = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation`;

function contextOf(headers) {
  const deadline = Number(headers.get("lambda-runtime-deadline-ms") ?? Infinity);
  return {
    awsRequestId: headers.get("lambda-runtime-aws-request-id"),
    invokedFunctionArn: headers.get("lambda-runtime-invoked-function-arn"),
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
}

async function outcomeOf(event, context) {
  try {
    return ["response", (await handler(event, context)) ?? null];
  } catch (error) {
    return ["error", { errorType: error.name, errorMessage: error.message, stackTrace: error.stack.split("\n") }];
  }
}

for (;;) {
  const next = await fetch(`${base}/next`);
  const context = contextOf(next.headers);
  const [kind, body] = await outcomeOf(await next.json(), context);
  await fetch(`${base}/${context.awsRequestId}/${kind}`, { method: "POST", body: JSON.stringify(body) });
}
