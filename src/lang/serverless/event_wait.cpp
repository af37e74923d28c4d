#include "lang/serverless/event_wait.h"

#include <algorithm>

#include "base/assert.h"
#include "lang/serverless/filter.h"

namespace pawl::serverless {

Attempt<Value> wait_for(const Frame& frame, const std::vector<std::string>& events, const Value& data) {
  json::ArrayBuilder filters(events.size());
  for (const std::string& name : events) {
    const auto definition = frame.program().definitions().find_event(name, frame.execution());
    if (!definition) return std::unexpected(definition.error());
    const auto filter = filter_of(*definition, data, frame.execution().correlation());
    if (!filter) return std::unexpected(filter.error());
    filters.push(filter->to_value());
  }
  json::ObjectBuilder input(3);
  input.set("filters", filters.build());
  return input.build();
}

Value ArrivedEvent::to_value() const {
  json::ObjectBuilder out(2);
  out.set("event", Value::string(event));
  out.set("value", value);
  return out.build();
}

ArrivedEvent ArrivedEvent::from_value(const Value& value) {
  ArrivedEvent arrived;
  if (const Value* name = value.find("event"); name != nullptr && name->is_string()) arrived.event = name->as_string();
  if (const Value* event = value.find("value")) arrived.value = *event;
  return arrived;
}

ArrivedEvent arrived_in(const kernel::Ended& ended) {
  const Value* which = ended.value.find("filter");
  const Value* filters = ended.input.find("filters");
  const Value* event = ended.value.find("event");
  PAWL_ASSERT(which != nullptr && filters != nullptr && event != nullptr, "an event without its filter");
  const auto index = static_cast<size_t>(which->as_integer().value_or(0));
  PAWL_ASSERT(index < filters->size(), index, filters->size());
  const Value* name = filters->at(index).find("event");
  return {std::string(name->as_string()), *event};
}

namespace {

bool has_settled_attributes(const kernel::EventFilter& filter, const Value& event, const Value& correlation) {
  return std::ranges::all_of(filter.attributes, [&](const kernel::EventAttribute& attribute) {
    const Value* settled = attribute.value ? nullptr : correlation.find(attribute.name);
    return settled == nullptr || kernel::attribute_of(event, attribute.name) == settled->as_string();
  });
}

Value settle(const Value& input, const Value& correlation) {
  json::ArrayBuilder filters;
  for (const Value& source : input.find("filters")->items()) {
    kernel::EventFilter filter = *kernel::EventFilter::from_value(source);
    for (const kernel::EventAttribute& attribute : kernel::EventFilter(filter).attributes)
      if (const Value* settled = correlation.find(attribute.name))
        filter.add(attribute.name, std::string(settled->as_string()));
    filters.push(filter.to_value());
  }
  return input.with_member("filters", filters.build());
}

}  // namespace

bool await_own_event(Frame& frame) {
  const kernel::Ended ended = frame.scope().ended;
  const bool has_come = ended.what == kernel::Ended::What::kOperation &&
                        ended.operation_kind == kernel::OperationKind::kEvent &&
                        ended.outcome == kernel::Outcome::kSucceeded;
  if (!has_come) return false;
  const auto which = static_cast<size_t>(ended.value.find("filter")->as_integer().value_or(0));
  const auto filter = kernel::EventFilter::from_value(ended.input.find("filters")->at(which));
  const Value& correlation = frame.execution().correlation();
  if (has_settled_attributes(*filter, *ended.value.find("event"), correlation)) return false;
  frame.await_event(settle(ended.input, correlation), ended.due);
  return true;
}

Attempt<Value> add_arrived(const Frame& frame, const std::optional<Expression>& filter, const Value& data,
                           const ArrivedEvent& arrived) {
  const auto definition = frame.program().definitions().find_event(arrived.event, frame.execution());
  if (!definition) return std::unexpected(definition.error());
  return attempt(add_event(filter, *definition, data, arrived.value));
}

}  // namespace pawl::serverless
