// Reads functions and events, in the definition or in a file that it names.
#include <algorithm>
#include <array>

#include "lang/serverless/model_reader.h"
#include "openapi/reference.h"
#include "text/yaml.h"

namespace pawl::serverless {
namespace {

constexpr std::string_view kEndpoint = "$endpoint";  // of an OpenAPI function that is inherited

constexpr std::array<std::pair<std::string_view, EventKind>, 2> kEventKinds = {
    {{"consumed", EventKind::kConsumed}, {"produced", EventKind::kProduced}}};

bool is_attribute_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

FunctionDefinition read_function_fields(Fields& fields, const Value& source) {
  FunctionDefinition function;
  function.name = fields.text({"name"}, Need::kRequired);
  function.resource = fields.text({"resource", "operation"}, Need::kExpected);
  function.type = fields.text({"type"});
  function.metadata = fields.metadata();
  function.source = source;
  fields.done("A function");
  return function;
}

bool is_elsewhere(std::string_view document) { return document.contains("://"); }

// The file of tasks may say what stands for a function, so a document from elsewhere may be missing.
void report_missing(std::string_view document, const Place& place, Reading& reading) {
  if (is_elsewhere(document))
    reading.findings.report(Code::kDocumentElsewhere, place,
                            quoted(document) + " is not at hand: only files beside the definition are.",
                            "Let pawl run or pawl deploy fetch the document, save it beside the definition, or map the "
                            "function in the file of --tasks.");
  else
    reading.findings.report(Code::kReference, place, "There is no file " + quoted(document) + " to read.",
                            "Name an OpenAPI document by its path from the definition's folder, or by its URL.");
}

// The document is one of the definition's files: what it says of the operation is kept, so that nothing reads it again.
void resolve_operation(Fields& fields, FunctionDefinition& function) {
  const auto reference = openapi::split_reference(function.resource);
  if (!reference) return;
  Reading& reading = fields.reading();
  const Fields::Found written = fields.find({"resource", "operation"});
  const Place here(fields.place(), written.name);
  const auto file = reading.files.find(reference->document);
  if (file == reading.files.end()) return report_missing(reference->document, here, reading);
  auto endpoint = openapi::describe_operation(*reference, file->second);
  if (!endpoint)
    return report_error(is_elsewhere(reference->document) ? Code::kDocumentElsewhere : Code::kOperation,
                        endpoint.error(), here, reading);
  function.endpoint = *std::move(endpoint);
  function.endpoint.make_immortal();
  function.source = function.source.with_member(kEndpoint, function.endpoint);
}

std::optional<Correlation> read_correlation(const Value& value, const Place& place, Reading& reading) {
  if (!check_object(value, place, "A correlation", reading)) return std::nullopt;
  Fields fields(value, place, reading);
  Correlation correlation;
  correlation.attribute = fields.text({"contextAttributeName"}, Need::kRequired);
  correlation.attribute_lower = lower_case(correlation.attribute);
  correlation.value = fields.expression({"contextAttributeValue"});
  fields.done("A correlation");
  if (correlation.attribute.empty()) return std::nullopt;
  if (!std::ranges::all_of(correlation.attribute, is_attribute_character)) {
    reading.findings.report(Code::kAttributeName, Place(place, "contextAttributeName"),
                            quoted(correlation.attribute) + " is no name of an attribute of CloudEvents.",
                            "Use letters and digits only.");
    return std::nullopt;
  }
  return correlation;
}

void read_correlations(Fields& fields, EventDefinition& event) {
  const Fields::Found found = fields.array({"correlation"});
  if (!found) return;
  const Place here(fields.place(), found.name);
  for (size_t index = 0; index < found.value->size(); ++index)
    if (auto correlation = read_correlation(found.value->at(index), Place(here, index), fields.reading()))
      event.correlation.push_back(*std::move(correlation));
  if (event.kind == EventKind::kProduced && found.value->size() > 0)
    fields.reading().findings.report(Code::kCorrelationIgnored, here,
                                     "Correlation is for events that are consumed; this one is produced.",
                                     "Take it out, or give \"contextAttributes\" where the event is produced.");
}

EventDefinition read_event_fields(Fields& fields, const Value& source) {
  EventDefinition event;
  event.pointer = fields.pointer();
  event.kind = fields.choice<EventKind>({"kind"}, kEventKinds).value_or(EventKind::kConsumed);
  const bool is_consumed = event.kind == EventKind::kConsumed;
  event.event_source = fields.text({"source"}, is_consumed ? Need::kExpected : Need::kOptional);
  event.event_type = fields.text({"type"}, Need::kExpected);
  event.metadata = fields.metadata();
  event.source = source;
  read_correlations(fields, event);
  if (is_consumed && event.event_source.empty() && event.event_type.empty())
    fields.report(Code::kEventWithoutTypeAndSource, "An event without type and source would be any event.",
                  "Say the type of the CloudEvents that are meant.");
  return event;
}

// v0.5: several names may share the properties of one definition.
std::vector<std::string> event_names(Fields& fields) {
  const Fields::Found names = fields.array({"names"});
  if (!names) return {fields.text({"name"}, Need::kRequired)};
  static_cast<void>(fields.text({"name"}));
  std::vector<std::string> result;
  const Place here(fields.place(), names.name);
  if (names.value->size() == 0)
    fields.reading().findings.report(Code::kEmpty, here, "\"names\" must not be empty.", "Name the event.");
  for (size_t index = 0; index < names.value->size(); ++index) {
    const Value& name = names.value->at(index);
    if (name.is_string())
      result.emplace_back(name.as_string());
    else
      fields.reading().findings.report(Code::kFieldType, Place(here, index), "The name of an event must be text.",
                                       "Write text.");
  }
  return result;
}

template <typename Definition>
void index_by_name(const std::vector<Definition>& definitions, std::string_view field, Fields& fields,
                   std::unordered_map<std::string_view, const Definition*>& index) {
  for (const Definition& definition : definitions) {
    if (definition.name.empty() || index.emplace(definition.name, &definition).second) continue;
    fields.reading().findings.report(
        Code::kDuplicateName, Place(fields.place(), field),
        "Two of the " + std::string(field) + " are called " + quoted(definition.name) + ".",
        "Give each a name of its own.");
  }
}

}  // namespace

Value read_list(Fields& fields, std::string_view name) {
  const Fields::Found found = fields.find({name});
  if (!found) return Value::empty_array();
  const Place here(fields.place(), name);
  Reading& reading = fields.reading();
  if (found.value->is_array()) return *found.value;
  if (!found.value->is_string()) {
    reading.findings.report(Code::kFieldType, here, "\"" + std::string(name) + "\" must be an array.",
                            "Write an array, or the path of a file that has one.");
    return Value::empty_array();
  }
  const auto file = reading.files.find(found.value->as_string());
  auto document = file == reading.files.end() ? fail("SW_REFERENCE", "There is no such file to read.",
                                                     "Name a file by its path from the definition's folder.")
                                              : text::parse_definition(file->second);
  if (!document) {
    report_error(Code::kReference, document.error(), here, reading);
    return Value::empty_array();
  }
  const Value* inner = document->root.find(name);
  const Value items = inner != nullptr ? *inner : document->root;
  if (items.is_array()) return items;
  reading.findings.report(Code::kReference, here, "The file has no array of " + std::string(name) + ".",
                          "Let it be an array, or an object with one under this name.");
  return Value::empty_array();
}

void read_functions(Fields& fields) {
  const Value list = read_list(fields, "functions");
  const Place here(fields.place(), "functions");
  Reading& reading = fields.reading();
  for (size_t index = 0; index < list.size(); ++index) {
    const Place place(here, index);
    const Value& source = list.at(index);
    if (!check_object(source, place, "A function", reading)) continue;
    Fields function(source, place, reading);
    reading.workflow.functions.push_back(read_function_fields(function, source));
    resolve_operation(function, reading.workflow.functions.back());
  }
  index_by_name(reading.workflow.functions, "functions", fields, reading.functions);
}

void read_events(Fields& fields) {
  const Value list = read_list(fields, "events");
  const Place here(fields.place(), "events");
  Reading& reading = fields.reading();
  for (size_t index = 0; index < list.size(); ++index) {
    const Place place(here, index);
    const Value& source = list.at(index);
    if (!check_object(source, place, "An event", reading)) continue;
    Fields event_fields(source, place, reading);
    const std::vector<std::string> names = event_names(event_fields);
    EventDefinition event = read_event_fields(event_fields, source);
    event_fields.done("An event");
    for (const std::string& name : names) {
      event.name = name;
      event.source = source.without_member("names").with_member("name", Value::string(name));
      reading.workflow.events.push_back(event);
    }
  }
  index_by_name(reading.workflow.events, "events", fields, reading.events);
}

EventReference refer_to_event(std::string name, const Place& place, Reading& reading) {
  EventReference reference{.event = std::move(name), .definition = nullptr};
  if (reference.event.empty()) return reference;
  const auto found = reading.events.find(reference.event);
  if (found == reading.events.end()) {
    if (reading.findings.full()) return reference;
    std::vector<std::string_view> names;
    for (const EventDefinition& event : reading.workflow.events) names.push_back(event.name);
    reading.findings.report(
        Code::kUnknownEvent, place,
        "There is no event " + quoted(reference.event) + " here; only a parent workflow can lend it.",
        suggestion(reference.event, names, "Define it under \"events\"."));
    reading.workflow.unresolved.push_back({Unresolved::Kind::kEvent, reference.event, place.pointer()});
    return reference;
  }
  reference.definition = found->second;
  if (reference.definition->kind == EventKind::kProduced)
    reading.findings.report(Code::kEventNotConsumed, place,
                            "The event " + quoted(reference.event) + " is defined as produced, and waited for here.",
                            "Define it with the kind \"consumed\".");
  return reference;
}

namespace {

// What a parent hands down was checked when the parent was read, so that a finding here is a broken context.
template <typename Read>
auto read_alone(const Value& source, const Options& options, Read read)
    -> Result<decltype(read(std::declval<Fields&>()))> {
  Diagnostics diagnostics;
  const json::SourceMap positions;
  Findings findings(positions, diagnostics);
  Workflow workflow;
  const Files files;
  Reading reading{.findings = findings,
                  .options = options,
                  .files = files,
                  .workflow = workflow,
                  .functions = {},
                  .events = {},
                  .retries = {},
                  .states = {}};
  const Place place("");
  if (!source.is_object()) return fail("SW_INHERITED", "What is inherited must be an object.");
  Fields fields(source, place, reading);
  auto definition = read(fields);
  if (has_errors(diagnostics)) return fail("SW_INHERITED", diagnostics.front().cause);
  return definition;
}

}  // namespace

Result<FunctionDefinition> read_function(const Value& source) {
  return read_alone(source, Options{}, [&](Fields& fields) {
    FunctionDefinition function = read_function_fields(fields, source);
    if (const Value* endpoint = source.find(kEndpoint)) function.endpoint = *endpoint;
    return function;
  });
}

Result<EventDefinition> read_event(const Value& source, const Options& options) {
  return read_alone(source, options, [&](Fields& fields) {
    EventDefinition event = read_event_fields(fields, source);
    event.name = fields.text({"name"}, Need::kRequired);
    return event;
  });
}

}  // namespace pawl::serverless
