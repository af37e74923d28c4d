#include "engine/children.h"

#include "engine/shard.h"

namespace pawl::engine {

namespace {

uint64_t number_of(const Value& value, std::string_view name) {
  const Value* found = value.find(name);
  return found == nullptr ? 0 : static_cast<uint64_t>(found->as_integer().value_or(0));
}

}  // namespace

Value to_value(const ChildLink& link) {
  json::ObjectBuilder value(4);
  value.set("execution", Value::integer(static_cast<int64_t>(link.parent.number)));
  value.set("operation", Value::integer(link.operation.number));
  value.set("attempt", Value::integer(link.attempt));
  if (!link.form.empty()) value.set("form", Value::string(link.form));
  return value.build();
}

ChildLink read_link(const Value& value) {
  ChildLink link;
  link.parent = ExecutionId(number_of(value, "execution"));
  link.operation = OperationId(static_cast<uint32_t>(number_of(value, "operation")));
  link.attempt = static_cast<uint32_t>(number_of(value, "attempt"));
  if (const Value* form = value.find("form"); form != nullptr && form->is_string()) link.form = form->as_string();
  return link;
}

// Beside the names of clients, in the same index: a family is a number, so none of theirs is written like this.
uint64_t hash_link(const ChildLink& link) {
  return hash_name("child of " + std::to_string(link.parent.number),
                   std::to_string(link.operation.number) + "-" + std::to_string(link.attempt));
}

}  // namespace pawl::engine
