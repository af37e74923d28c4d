#include "lang/asl/context.h"

#include "text/timestamp.h"

namespace pawl::asl {

namespace {

Value execution_part(const ContextFacts& facts, const Value& input) {
  json::ObjectBuilder execution(6);
  execution.set("Id", Value::string(facts.execution_arn));
  execution.set("Input", input);
  execution.set("Name", Value::string(facts.execution_name));
  execution.set("RoleArn", Value::string(facts.role_arn));
  execution.set("StartTime", Value::string(text::format_timestamp(facts.started)));
  if (facts.counts_redrives) execution.set("RedriveCount", Value::integer(0));
  return execution.build();
}

Value machine_part(const ContextFacts& facts) {
  json::ObjectBuilder machine(2);
  machine.set("Id", Value::string(facts.machine_arn));
  machine.set("Name", Value::string(facts.machine_name));
  return machine.build();
}

// What is given replaces what is there, but two objects are merged. The recursion is bounded: `base` is two levels deep
// but for the input, and parsed values have a depth limit.
Value merged(const Value& base, const Value& given) {
  if (!base.is_object() || !given.is_object()) return given;
  Value result = base;
  for (const json::Member& member : given.members()) {
    const Value* present = base.find(member.key.as_string());
    result =
        result.with_member(member.key.as_string(), present == nullptr ? member.value : merged(*present, member.value));
  }
  return result;
}

}  // namespace

Value make_context(const ContextFacts& facts, const Value& input, const Value& given) {
  json::ObjectBuilder context(2);
  context.set("Execution", execution_part(facts, input));
  context.set("StateMachine", machine_part(facts));
  const Value made = context.build();
  return given.is_object() ? merged(made, given) : made;
}

Value replace_in_context(const Value& context, const Value& given) {
  Value replaced = context;
  if (!given.is_object()) return replaced;
  for (const json::Member& part : given.members()) {
    const Value* present = context.find(part.key.as_string());
    Value fields = present != nullptr && present->is_object() ? *present : Value::empty_object();
    if (!part.value.is_object()) continue;
    for (const json::Member& field : part.value.members())
      fields = fields.with_member(field.key.as_string(), field.value);
    replaced = replaced.with_member(part.key.as_string(), std::move(fields));
  }
  return replaced;
}

Value redriven_context(const Value& context, uint32_t count, Timestamp time) {
  const Value* execution = context.find("Execution");
  if (execution == nullptr || !execution->is_object()) return context;
  return context.with_member("Execution", execution->with_member("RedriveCount", Value::integer(count))
                                              .with_member("RedriveTime", Value::string(text::format_timestamp(time))));
}

}  // namespace pawl::asl
