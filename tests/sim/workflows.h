// The workflows of a simulated world, in Serverless Workflow: they wait for events, or are started by them.
#pragma once

namespace pawl::sim {

// Sleeps a little, then waits until it is poked.
inline constexpr const char* kListener = R"(
id: listener
name: Listener
events:
- {name: Poke, type: sim.poke, source: sim, correlation: [{contextAttributeName: target, contextAttributeValue: "{{ $.key }}"}]}
states:
- {name: Nap, type: delay, start: {kind: default}, timeDelay: PT5S, transition: {nextState: Listen}}
- name: Listen
  type: event
  eventsActions: [{eventRefs: [Poke], actions: []}]
  end: {kind: default}
)";

// A spark starts it.
inline constexpr const char* kFlame = R"(
id: flame
name: Flame
events: [{name: Spark, type: sim.spark, source: sim}]
states:
- name: Burn
  type: event
  start: {kind: default}
  eventsActions: [{eventRefs: [Spark], actions: []}]
  end: {kind: default}
)";

// The left and the right one of a pair start it together.
inline constexpr const char* kMeeting = R"(
id: meeting
name: Meeting
events:
- {name: Left, type: sim.left, source: sim, correlation: [{contextAttributeName: pair}]}
- {name: Right, type: sim.right, source: sim, correlation: [{contextAttributeName: pair}]}
states:
- name: Meet
  type: event
  start: {kind: default}
  exclusive: false
  eventsActions: [{eventRefs: [Left, Right], actions: []}]
  end: {kind: default}
)";

}  // namespace pawl::sim
