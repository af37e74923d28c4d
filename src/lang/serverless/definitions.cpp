#include "lang/serverless/definitions.h"

#include "json/print.h"

namespace pawl::serverless {

namespace {

// The array of what the execution inherits; null where it is no sub-workflow.
const Value* inherited(const kernel::Execution& execution, std::string_view kind) {
  const Value* inherited = execution.context().find("inherited");
  const Value* list = inherited == nullptr ? nullptr : inherited->find(kind);
  return list != nullptr && list->is_array() ? list : nullptr;
}

std::string_view name_in(const Value& definition) {
  const Value* name = definition.find("name");
  return name != nullptr && name->is_string() ? name->as_string() : std::string_view();
}

const Value* find_named(const Value* list, std::string_view name) {
  if (list == nullptr) return nullptr;
  for (const Value& item : list->items())
    if (name_in(item) == name) return &item;
  return nullptr;
}

template <typename Items>
Value sources_of(const Items& items) {
  json::ArrayBuilder list(items.size());
  for (const auto& item : items) list.push(item.source);
  Value sources = list.build();
  sources.make_immortal();
  return sources;
}

// A workflow's own, then what it inherits under other names.
Value combine(const Value& own, const Value* inherited) {
  if (inherited == nullptr) return own;
  json::ArrayBuilder list(own.size() + inherited->size());
  for (const Value& item : own.items()) list.push(item);
  for (const Value& item : inherited->items())
    if (find_named(&own, name_in(item)) == nullptr) list.push(item);
  return list.build();
}

std::optional<std::string> text_of(const Value& value) {
  if (value.is_string()) return std::string(value.as_string());
  if (value.is_number() || value.is_boolean()) return json::print(value);
  return std::nullopt;
}

}  // namespace

Definitions::Definitions(const Workflow& workflow, const Options& options)
    : workflow_(workflow),
      options_(options),
      functions_(sources_of(workflow.functions)),
      events_(sources_of(workflow.events)) {}

Definitions::Callee Definitions::callee_of(const FunctionCall& call, const kernel::Execution& execution) const {
  if (call.function != nullptr)
    return {call.function->resource.empty() ? call.name : call.function->resource, call.function->endpoint};
  const Value* found = find_named(inherited(execution, "functions"), call.name);
  const auto function = found == nullptr ? std::nullopt : std::optional(read_function(*found));
  if (!function || !*function || (*function)->resource.empty()) return {call.name, {}};
  return {(*function)->resource, (*function)->endpoint};
}

Attempt<EventDefinition> Definitions::find_event(std::string_view name, const kernel::Execution& execution) const {
  if (const EventDefinition* own = workflow_.find_event(name)) return *own;
  if (const Value* found = find_named(inherited(execution, "events"), name))
    return attempt(read_event(*found, options_));
  return failed(kUnknownEvent, "The event '" + std::string(name) +
                                   "' is defined neither by the workflow nor by one that it is a sub-workflow of.");
}

Value Definitions::hand_down(Value input, const kernel::Execution& execution) const {
  json::ObjectBuilder value(3);
  value.set("input", std::move(input));
  value.set("functions", combine(functions_, inherited(execution, "functions")));
  value.set("events", combine(events_, inherited(execution, "events")));
  return value.build();
}

Attempt<kernel::EventFilter> filter_of(const EventDefinition& definition, const Value& data, const Value& correlation) {
  kernel::EventFilter filter{definition.name, definition.event_source, definition.event_type, {}};
  for (const Correlation& rule : definition.correlation) {
    std::optional<std::string> wanted;
    if (rule.value) {
      auto value = attempt(rule.value->evaluate(data));
      if (!value) return std::unexpected(std::move(value).error());
      wanted = text_of(*value);
    }
    const Value* known = correlation.find(rule.attribute_lower);
    if (!wanted && known != nullptr) wanted = text_of(*known);
    filter.add(rule.attribute, std::move(wanted));
  }
  return filter;
}

kernel::EventFilter start_filter_of(const EventDefinition& definition) {
  kernel::EventFilter filter{definition.name, definition.event_source, definition.event_type, {}};
  for (const Correlation& rule : definition.correlation) {
    const bool is_fixed = rule.value && rule.value->is_literal();
    filter.add(rule.attribute, is_fixed ? std::optional(rule.value->text()) : std::nullopt);
  }
  return filter;
}

}  // namespace pawl::serverless
