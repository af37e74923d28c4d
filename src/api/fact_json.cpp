#include "api/fact_json.h"

#include "text/timestamp.h"

namespace pawl::api {

namespace {

using json::ObjectBuilder;
using json::Value;
using kernel::FactKind;

bool has_outcome(FactKind kind) {
  return kind == FactKind::kOperationEnded || kind == FactKind::kJoinEnded || kind == FactKind::kScopeClosed;
}

Value time_value(Timestamp time) { return Value::string(text::format_timestamp(time)); }

void set_number(ObjectBuilder& out, std::string_view name, uint64_t number) {
  if (number != 0) out.set(name, Value::integer(static_cast<int64_t>(number)));
}

void set_state(ObjectBuilder& out, std::string_view name, StateOrdinal state, const kernel::Program& program) {
  if (state) out.set(name, Value::string(program.state_name(state)));
}

}  // namespace

Value fact_to_json(const kernel::Fact& fact, FactSeq seq, const kernel::Program& program) {
  ObjectBuilder out;
  set_number(out, "seq", seq.number);
  out.set("kind", Value::string(kernel::name_of(fact.kind)));
  out.set("time", time_value(fact.time));
  set_number(out, "scope", fact.scope.number);
  set_number(out, "parent", fact.parent.number);
  set_state(out, "state", fact.state, program);
  set_state(out, "next", fact.next, program);
  set_number(out, "operation", fact.operation.number);
  if (fact.kind == FactKind::kOperationScheduled)
    out.set("operationKind", Value::string(kernel::name_of(fact.operation_kind)));
  if (has_outcome(fact.kind)) out.set("outcome", Value::string(kernel::name_of(fact.outcome)));
  set_number(out, "number", fact.number);
  set_number(out, "limit", fact.limit);
  if (fact.due != kNever) out.set("due", time_value(fact.due));
  set_number(out, "event", fact.event.number);
  set_number(out, "previousEvent", fact.previous_event.number);
  out.set("value", fact.value);
  if (!fact.extra.is_null()) out.set("extra", fact.extra);
  return out.build();
}

}  // namespace pawl::api
