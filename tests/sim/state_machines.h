// The state machines of a simulated world, in SM4C: one has a mailbox that is open while it naps, one calls functions
// side by side, some of which nobody waits for.
#pragma once

namespace pawl::sim {

// Naps, and finds the poke that came meanwhile, or waits for it.
inline constexpr const char* kWatcher = R"(
id: watcher
name: Watcher
version: '1'
events:
- {name: poke, type: sim.poke, source: sim, correlation: [{contextAttributeName: target, contextAttributeValue: '${ .key }'}]}
states:
- name: Watch
  start: true
  enterAction: {type: delay, timeout: PT5S}
  transitions:
  - {nextState: Poked, eventGroups: [{events: [poke], resultHandler: '${ . + $value.data + {target: $value.Target} }'}]}
- name: Poked
)";

// A call that times out is null: the state is entered again until none is.
inline constexpr const char* kShuttle = R"(
id: shuttle
name: Shuttle
version: '1'
functions: [{name: double, operation: 'arn:aws:lambda:us-east-1:000000000000:function:double'}]
retries: [{name: often, maxAttempts: 1000, delay: PT2S, multiplier: 1.5, maxDelay: PT30S}]
states:
- name: Carry
  start: true
  enterAction:
    type: parallel
    actions:
    - {name: note, type: invokeFunction, functionName: double, arguments: {x: '${ .x }'}}
    - name: left
      type: invokeFunction
      functionName: double
      waitForCompletion: true
      timeout: PT20S
      arguments: {x: '${ .x }'}
      errorHandlers: [{retryPolicy: often}]
    - name: right
      type: foreach
      input: '${ [.x, .x + 1, .x] }'
      maxParallel: 2
      action:
        type: sequence
        actions:
        - {type: delay, timeout: PT2S}
        - {name: got, type: invokeFunction, functionName: double, waitForCompletion: true, timeout: PT30S, arguments: {x: '${ . }'},
           errorHandlers: [{retryPolicy: often}]}
  enterResultHandler: '${ .all = [$value.left, $value.right[].got] }'
  transitions:
  - {condition: '${ .all | all(. != null) }', nextState: Done}
  - {condition: '${ .all | any(. == null) }', nextState: Carry}
- name: Done
  enterAction: {type: injectData, expression: '${ .all | map(.value) | {x: (if .[0] == .[1] and .[1] == .[3] then .[0] else -1 end)} }'}
  enterResultHandler: '${ $value }'
)";

}  // namespace pawl::sim
