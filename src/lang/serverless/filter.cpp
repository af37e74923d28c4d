#include "lang/serverless/filter.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/assert.h"
#include "lang/serverless/merge.h"

namespace pawl::serverless {
namespace {

// What CloudEvents itself names; every other member of an event is an extension attribute.
constexpr std::array<std::string_view, 10> kEventMembers = {
    "specversion", "id", "source", "type", "subject", "time", "datacontenttype", "dataschema", "data", "data_base64"};

Value single(std::string_view key, Value value) {
  json::ObjectBuilder builder(1);
  builder.set(key, std::move(value));
  return builder.build();
}

// {"a": {"b": value}} for the names a, b.
Value nested(const std::vector<std::string>& names, Value value) {
  for (auto name = names.rbegin(); name != names.rend(); ++name) value = single(*name, std::move(value));
  return value;
}

// A filter is what selects something: text without an expression is none.
bool is_filter(const std::optional<Expression>& filter) { return filter && !filter->is_literal(); }

// What is added for a value that was selected: under the last name of the path, or as it is where the path has none.
Value selection(const Expression& filter, std::string_view name, Value value) {
  if (!filter.key().empty()) return single(filter.key(), std::move(value));
  return value.is_object() ? value : single(name, std::move(value));
}

// What is added for a value without a filter; null adds nothing.
Value unfiltered(std::string_view name, const Value& value) {
  if (value.is_object()) return value;
  return value.is_null() ? Value::empty_object() : single(name, value);
}

Result<Value> action_addition(const ActionFilter& filter, std::string_view name, const Value& result) {
  if (!is_filter(filter.results)) return unfiltered(name, result);
  PAWL_TRY(std::optional<Value> selected, filter.results->select(result));
  if (selected) return selection(*filter.results, name, *std::move(selected));
  // A result that has no members cannot be searched: then the path says where it goes.
  if (result.is_object() || result.is_null() || filter.results->names().empty()) return Value::empty_object();
  return nested(filter.results->names(), result);
}

bool is_lower_equal(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, {}, [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; },
      [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
}

std::string_view spelled(std::string_view attribute, const EventDefinition& definition) {
  const auto found = std::ranges::find_if(definition.correlation, [&](const Correlation& correlation) {
    return is_lower_equal(correlation.attribute, attribute);
  });
  return found == definition.correlation.end() ? attribute : std::string_view(found->attribute);
}

bool is_extension(std::string_view member) { return std::ranges::find(kEventMembers, member) == kEventMembers.end(); }

// The event with its extension attributes spelled as the definition spells them.
Value event_view(const EventDefinition& definition, const Value& event) {
  json::ObjectBuilder builder(event.size());
  for (const json::Member& member : event.members()) {
    const std::string_view name = member.key.as_string();
    builder.set(is_extension(name) ? spelled(name, definition) : name, member.value);
  }
  return builder.build();
}

const Value* payload_of(const Value& event) {
  const Value* data = event.find("data");
  return data != nullptr ? data : event.find("data_base64");
}

Value whole_event(const EventDefinition& definition, const Value& data, const Value& view) {
  const Value* payload = payload_of(view);
  Value addition = payload == nullptr ? Value::empty_object() : unfiltered(definition.name, *payload);
  for (const json::Member& member : view.members()) {
    const std::string_view name = member.key.as_string();
    const bool is_present = data.find(name) != nullptr || addition.find(name) != nullptr;
    if (is_extension(name) && !is_present) addition = addition.with_member(name, member.value);
  }
  return addition;
}

// Selects in the first of two values, else in the second (which may be missing).
Result<std::optional<Value>> select_in(const Expression& filter, const Value& first, const Value* second) {
  PAWL_TRY(std::optional<Value> selected, filter.select(first));
  if (selected || second == nullptr) return selected;
  return filter.select(*second);
}

Result<Value> event_addition(const std::optional<Expression>& filter, const EventDefinition& definition,
                             const Value& data, const Value& view) {
  if (!is_filter(filter)) return whole_event(definition, data, view);
  PAWL_TRY(std::optional<Value> selected, select_in(*filter, view, payload_of(view)));
  if (selected) return selection(*filter, definition.name, *std::move(selected));
  // A single name that the event does not have is the place for the event.
  return filter->names().size() == 1 ? single(filter->names().front(), view) : Value::empty_object();
}

std::unexpected<Error> not_an_array(std::string_view field, const Expression& expression) {
  return fail("SW_NOT_AN_ARRAY", std::string(field) + " " + expression.text() + " selects no array.",
              "Let it select an array of the state's data.");
}

// Whether the way to the array leads through objects only, as far as it exists.
bool is_open_way(const std::vector<std::string>& names, const Value& data) {
  const Value* at = &data;
  for (const std::string& name : names) {
    if (!at->is_object()) return false;
    at = at->find(name);
    if (at == nullptr) return true;
  }
  return true;
}

Value append(const Value* present, const Value& results) {
  json::ArrayBuilder builder((present == nullptr ? 0 : present->size()) + results.size());
  if (present != nullptr)
    for (const Value& item : present->items()) builder.push(item);
  for (const Value& item : results.items()) builder.push(item);
  return builder.build();
}

}  // namespace

Result<Value> filter_state(const std::optional<Expression>& filter, const Value& data, const Options& options) {
  if (!is_filter(filter)) return data;
  PAWL_TRY(std::optional<Value> selected, filter->select(data));
  if (!selected) return data;
  const bool keyed = options.keyed_state_filter && filter->path() != nullptr && filter->path()->is_definite() &&
                     !filter->key().empty();
  return keyed ? single(filter->key(), *std::move(selected)) : *std::move(selected);
}

Result<Value> action_input(const ActionFilter& filter, const Value& data) {
  if (!is_filter(filter.input)) return data;
  PAWL_TRY(std::optional<Value> selected, filter.input->select(data));
  return selected ? *std::move(selected) : data;
}

Result<Value> add_action_result(const ActionFilter& filter, std::string_view name, const Value& data,
                                const Value& result) {
  PAWL_TRY(const Value addition, action_addition(filter, name, result));
  return merge(data, addition);
}

Result<Value> add_output(std::string_view name, const Value& data, const Value& output) {
  return merge(data, unfiltered(name, output));
}

Result<Value> add_event(const std::optional<Expression>& filter, const EventDefinition& definition, const Value& data,
                        const Value& event) {
  PAWL_TRY(const Value addition, event_addition(filter, definition, data, event_view(definition, event)));
  return merge(data, addition);
}

Value error_view(const Value& data, const Value& error) {
  const Value base = data.is_object() ? data : Value::empty_object();
  if (error.is_null()) return base;
  json::ArrayBuilder errors(1);
  errors.push(error);
  const Value list = errors.build();
  json::ObjectBuilder builder(base.size() + 4);
  for (const json::Member& member : base.members()) builder.set(member.key, member.value);
  for (const std::string_view name : {"error", "exception"}) builder.set(name, error);
  for (const std::string_view name : {"errors", "exceptions"}) builder.set(name, list);
  return builder.build();
}

Result<Value> add_error(const std::optional<Expression>& filter, const Value& data, const Value& error) {
  if (!is_filter(filter)) return merge(data, single("error", error));
  PAWL_TRY(std::optional<Value> selected, select_in(*filter, error_view(data, error), &error));
  return merge(data, selected ? selection(*filter, "error", *std::move(selected)) : Value::empty_object());
}

Result<Value> input_collection(const Expression& collection, const Value& data) {
  PAWL_TRY(const Value selected, collection.evaluate(data));
  if (!selected.is_array()) return not_an_array("inputCollection", collection);
  return selected;
}

Result<Value> add_collection(const Expression& collection, const Value& data, const Value& results) {
  PAWL_ASSERT(results.is_array());
  PAWL_TRY(const std::optional<Value> present, collection.select(data));
  if (present && !present->is_array()) return not_an_array("outputCollection", collection);
  if (!is_open_way(collection.names(), data))
    return fail("SW_MERGE", "outputCollection " + collection.text() + " leads through something that is no object.",
                "Let it lead through objects.");
  return merge(data, nested(collection.names(), append(present ? &*present : nullptr, results)));
}

Result<Value> iteration_result(const Body& body, std::span<const Value> action_results) {
  PAWL_ASSERT(body.actions.size() == action_results.size(), body.actions.size(), action_results.size());
  if (action_results.size() == 1) {
    const std::optional<Expression>& filter = body.actions.front().filter.results;
    if (!is_filter(filter)) return action_results.front();
    PAWL_TRY(std::optional<Value> selected, filter->select(action_results.front()));
    return selected ? *std::move(selected) : action_results.front();
  }
  Value result = Value::empty_object();
  for (size_t index = 0; index < action_results.size(); ++index) {
    const Action& action = body.actions[index];
    PAWL_TRY(result, add_action_result(action.filter, action.name, result, action_results[index]));
  }
  return result;
}

}  // namespace pawl::serverless
