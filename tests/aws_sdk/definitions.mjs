// State machines that several tests use.

const functionArn = (name) => `arn:aws:lambda:us-east-1:000000000000:function:${name}`;

export const pass = { StartAt: "A", States: { A: { Type: "Pass", End: true } } };

export const sleeper = { StartAt: "W", States: { W: { Type: "Wait", Seconds: 86_400, End: true } } };

export const failing = { StartAt: "F", States: { F: { Type: "Fail", Error: "Order.Bad", Cause: "no items" } } };

export const task = (name) => ({
  StartAt: "T",
  States: { T: { Type: "Task", Resource: functionArn(name), End: true } },
});

export const chain = (length) => {
  const states = {};
  for (let i = 1; i <= length; ++i)
    states[`S${i}`] = { Type: "Pass", ...(i < length ? { Next: `S${i + 1}` } : { End: true }) };
  return { StartAt: "S1", States: states };
};

/** Hands its token to the queue and waits for someone to send it back. */
export const question = (more = {}) => ({
  StartAt: "Ask",
  States: {
    Ask: {
      Type: "Task",
      Resource: "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
      Parameters: { "token.$": "$$.Task.Token", "id.$": "$.id" },
      End: true,
      ...more,
    },
  },
});

/** Every type of state. The Fail state ends one branch, and the Catch of its Parallel state takes it from there. */
export const everyState = {
  StartAt: "Prepare",
  States: {
    Prepare: { Type: "Pass", Result: { currency: "EUR" }, ResultPath: "$.settings", Next: "Pause" },
    Pause: { Type: "Wait", Seconds: 1, Next: "Price" },
    Price: {
      Type: "Task",
      Resource: functionArn("price"),
      InputPath: "$.items",
      ResultPath: "$.total",
      Next: "IsLarge",
    },
    IsLarge: {
      Type: "Choice",
      Choices: [{ Variable: "$.total", NumericGreaterThan: 100, Next: "Check" }],
      Default: "Small",
    },
    Small: { Type: "Succeed" },
    Check: {
      Type: "Parallel",
      Branches: [
        { StartAt: "Allow", States: { Allow: { Type: "Pass", End: true } } },
        { StartAt: "Refuse", States: { Refuse: { Type: "Fail", Error: "Credit.TooLow", Cause: "over 100" } } },
      ],
      Catch: [{ ErrorEquals: ["Credit.TooLow"], ResultPath: "$.refusal", Next: "EachItem" }],
      Next: "Small",
    },
    EachItem: {
      Type: "Map",
      ItemsPath: "$.items",
      MaxConcurrency: 2,
      ItemProcessor: {
        StartAt: "Reserve",
        States: {
          Reserve: {
            Type: "Task",
            Resource: functionArn("flaky"),
            Retry: [{ ErrorEquals: ["Stock.Busy"], IntervalSeconds: 1, MaxAttempts: 2 }],
            End: true,
          },
        },
      },
      ResultPath: "$.reserved",
      Next: "Done",
    },
    Done: { Type: "Succeed", OutputPath: "$" },
  },
};
