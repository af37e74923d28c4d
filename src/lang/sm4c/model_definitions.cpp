// Reads functions, events and retry policies, in the definition or in files that it names.
#include <algorithm>
#include <array>
#include <map>

#include "lang/sm4c/model_reader.h"
#include "lang/sm4c/proto_outline.h"
#include "lang/sm4c/timespan.h"
#include "openapi/reference.h"
#include "text/yaml.h"

namespace pawl::sm4c {
namespace {

constexpr std::array<std::pair<std::string_view, FunctionType>, 3> kFunctionTypes = {
    {{"rest", FunctionType::kRest}, {"expression", FunctionType::kExpression}, {"rpc", FunctionType::kRpc}}};

bool is_attribute_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

Result<Value> read_file(std::string_view path, std::string_view name, const Files& files) {
  const auto file = files.find(path);
  if (file == files.end())
    return fail("SM4C_REFERENCE", "There is no file " + quoted(path) + " to read.",
                "Name a file by its path from the definition's folder.");
  PAWL_TRY(const json::Document document, text::parse_definition(file->second));
  const json::Member* inner = find_member(document.root, name);
  const Value items = inner != nullptr ? inner->value : document.root;
  if (items.is_array()) return items;
  return fail("SM4C_REFERENCE", "The file has no array of " + std::string(name) + ".",
              "Let it be an array, or an object with one under this name.");
}

// What "functions", "events" or "retries" holds: an array, or the path of a file with one, whose findings are at the
// reference then.
Value read_list(Fields& fields, std::string_view name) {
  const Fields::Found found = fields.find({name});
  if (!found) return Value::empty_array();
  const Place here(fields.place(), found.name);
  if (found.value->is_array()) return *found.value;
  if (!found.value->is_string()) {
    fields.report_at(Code::kFieldType, name, "\"" + std::string(name) + "\" must be an array.",
                     "Write an array, or the path of a file that has one.");
    return Value::empty_array();
  }
  auto items = read_file(found.value->as_string(), name, fields.reading().files);
  if (items) return *std::move(items);
  report_error(Code::kReference, items.error(), here, fields.reading());
  return Value::empty_array();
}

// Calls read(fields of the item) for each object in the list.
template <typename Definition, typename Read>
void read_each(Fields& fields, std::string_view name, std::string_view title, std::vector<Definition>& definitions,
               Read read) {
  const Value list = read_list(fields, name);
  const Place here(fields.place(), name);
  for (size_t index = 0; index < list.size(); ++index) {
    if (fields.reading().findings.full()) return;
    const Place place(here, index);
    if (!check_object(list.at(index), place, title, fields.reading())) continue;
    Fields item(list.at(index), place, fields.reading());
    definitions.push_back(read(item));
    item.done(title);
  }
}

template <typename Definition>
void index_by_name(const std::vector<Definition>& definitions, std::string_view field, Fields& fields,
                   std::unordered_map<std::string, const Definition*>& index) {
  for (const Definition& definition : definitions) {
    if (definition.name.empty() || index.emplace(lower_case(definition.name), &definition).second) continue;
    fields.report_at(Code::kDuplicateName, field,
                     "Two of the " + std::string(field) + " are called " + quoted(definition.name) + ".",
                     "Give each a name of its own; case makes no difference.");
  }
}

// --- functions

// Who runs the machine may say what stands for its functions, so a document from elsewhere may be missing.
void report_missing(std::string_view document, Fields& fields) {
  if (is_local_path(document))
    fields.report_at(Code::kReference, "operation", "There is no file " + quoted(document) + " to read.",
                     "Name a document by its path from the definition's folder.");
  else
    fields.report_at(
        Code::kDocumentElsewhere, "operation",
        quoted(document) + " is not at hand: only files beside the definition are.",
        "Let pawl run or pawl deploy fetch the document, save it beside the definition, or map the function "
        "in the file of --tasks.");
}

// The document is one of the definition's files: what it says of the operation is kept, so that nothing reads it again.
void resolve_operation(Fields& fields, FunctionDefinition& function) {
  const auto reference = openapi::split_reference(function.operation);
  if (!reference) return;
  const auto file = fields.reading().files.find(reference->document);
  if (file == fields.reading().files.end()) return report_missing(reference->document, fields);
  auto endpoint = openapi::describe_operation(*reference, file->second);
  const Place here(fields.place(), fields.find({"operation"}).name);
  const bool is_local = is_local_path(reference->document);
  if (!endpoint)
    return report_error(is_local ? Code::kOperation : Code::kDocumentElsewhere, endpoint.error(), here,
                        fields.reading());
  function.endpoint = *std::move(endpoint);
  function.endpoint.make_immortal();
}

// A file and what it imports, {path: text}; what is missing is left out, and told when the method is called.
Value proto_files(const std::string& path, const Files& files) {
  std::map<std::string, std::string_view> found;
  std::vector<std::string> waiting = {path};
  while (!waiting.empty()) {
    const auto file = files.find(waiting.back());
    waiting.pop_back();
    if (file == files.end() || !found.emplace(file->first, file->second).second) continue;
    for (std::string& import : outline_of_proto(file->second).imports) waiting.push_back(std::move(import));
  }
  json::ObjectBuilder texts(found.size());
  for (const auto& [name, text] : found) texts.set(name, Value::string(text));
  return texts.build();
}

Value describe_method(const MethodReference& reference, const Files& files) {
  json::ObjectBuilder method(4);
  method.set("proto", Value::string(reference.proto));
  method.set("service", Value::string(reference.service));
  method.set("method", Value::string(reference.method));
  method.set("files", proto_files(std::string(reference.proto), files));
  json::ObjectBuilder endpoint(1);
  endpoint.set("grpc", method.build());
  return endpoint.build();
}

// Whether the service that is meant has the method among these of its methods.
bool has_method(const ProtoOutline& outline, const MethodReference& reference,
                std::vector<std::string> ProtoService::* methods) {
  return std::ranges::any_of(outline.services, [&](const ProtoService& service) {
    const bool is_meant = service.name == reference.service || service.full_name == reference.service;
    return is_meant && std::ranges::find(service.*methods, reference.method) != (service.*methods).end();
  });
}

void resolve_method(Fields& fields, FunctionDefinition& function) {
  const auto reference = split_method(function.operation);
  if (!reference)
    return fields.report_at(Code::kOperation, "operation", quoted(function.operation) + " names no method.",
                            "Write <proto file>#<Service>/<Method>.");
  const Files& files = fields.reading().files;
  const auto file = files.find(reference->proto);
  if (file == files.end()) return report_missing(reference->proto, fields);
  const ProtoOutline outline = outline_of_proto(file->second);
  if (has_method(outline, *reference, &ProtoService::streaming))
    return fields.report_at(Code::kOperation, "operation",
                            "The method \"" + std::string(reference->method) +
                                "\" streams; only calls with one message in and one out can be made.",
                            "Name a method that does not.");
  if (!has_method(outline, *reference, &ProtoService::methods))
    return fields.report_at(
        Code::kOperation, "operation",
        "The file has no method " + quoted(function.operation.substr(reference->proto.size() + 1)) + ".",
        "Name a service of the file and one of its methods, in their own spelling.");
  function.endpoint = describe_method(*reference, files);
  function.endpoint.make_immortal();
}

void compile_function(Fields& fields, FunctionDefinition& function) {
  auto program = Expression::compile_function(function.operation);
  if (program)
    function.program = *std::move(program);
  else
    fields.report_at(Code::kExpression, "operation", program.error().what,
                     program.error().fix.empty() ? "Correct it." : program.error().fix);
}

FunctionDefinition read_function(Fields& fields) {
  FunctionDefinition function;
  function.pointer = fields.pointer();
  function.name = fields.text({"name"}, Need::kRequired);
  function.operation = fields.text({"operation"}, Need::kRequired);
  function.type = fields.choice<FunctionType>({"type"}, kFunctionTypes).value_or(FunctionType::kRest);
  if (function.operation.empty()) return function;
  switch (function.type) {
    case FunctionType::kExpression:
      compile_function(fields, function);
      break;
    case FunctionType::kRest:
      resolve_operation(fields, function);
      break;
    case FunctionType::kRpc:
      resolve_method(fields, function);
      break;
  }
  return function;
}

// --- events

std::optional<Correlation> read_correlation(const Value& value, const Place& place, Reading& reading) {
  if (!check_object(value, place, "A correlation", reading)) return std::nullopt;
  Fields fields(value, place, reading);
  Correlation correlation;
  correlation.attribute = fields.text({"contextAttributeName"}, Need::kRequired);
  if (const Fields::Found wanted = fields.find({"contextAttributeValue"}))
    correlation.value = fields.data_at(*wanted.value, Place(place, wanted.name));
  fields.done("A correlation");
  if (correlation.attribute.empty()) return std::nullopt;
  if (std::ranges::all_of(correlation.attribute, is_attribute_character)) return correlation;
  fields.report_at(Code::kAttributeName, "contextAttributeName",
                   quoted(correlation.attribute) + " is no name of an attribute of CloudEvents.",
                   "Use letters and digits only.");
  return std::nullopt;
}

EventDefinition read_event(Fields& fields) {
  EventDefinition event;
  event.pointer = fields.pointer();
  event.name = fields.text({"name"}, Need::kRequired);
  event.event_source = fields.text({"source"});
  event.event_type = fields.text({"type"});
  if (event.event_source.empty() && event.event_type.empty()) event.event_type = event.name;
  fields.ignore("kind");  // the samples have it, the model does not
  const Fields::Found list = fields.array({"correlation"});
  if (!list) return event;
  const Place here(fields.place(), list.name);
  for (size_t index = 0; index < list.value->size(); ++index)
    if (auto correlation = read_correlation(list.value->at(index), Place(here, index), fields.reading()))
      event.correlation.push_back(*std::move(correlation));
  return event;
}

// --- retry policies

void read_jitter(Fields& fields, RetryPolicy& policy) {
  const Fields::Found found = fields.find({"jitter"});
  if (!found) return;
  if (!found.value->is_number()) {
    policy.absolute_jitter = fields.timespan({"jitter"});
    return;
  }
  const double jitter = found.value->as_double();
  if (jitter >= 0 && jitter <= 1)
    policy.relative_jitter = jitter;
  else
    fields.report_at(Code::kNumber, "jitter", "A relative jitter is a number from 0 to 1.",
                     "Write such a number, or a timespan.");
}

RetryPolicy read_retry(Fields& fields) {
  RetryPolicy policy;
  policy.pointer = fields.pointer();
  policy.name = fields.text({"name"}, Need::kRequired);
  policy.max_attempts = fields.count({"maxAttempts"}, 0, Need::kRequired).value_or(0);
  policy.delay = fields.timespan({"delay"});
  policy.max_delay = fields.timespan({"maxDelay"});
  policy.increment = fields.timespan({"increment"});
  if (const Fields::Found found = fields.find({"multiplier"})) {
    if (found.value->is_number() && found.value->as_double() >= 0)
      policy.multiplier = found.value->as_double();
    else
      fields.report_at(Code::kNumber, "multiplier", "\"multiplier\" must be a number that is not negative.",
                       "Write such a number.");
  }
  read_jitter(fields, policy);
  return policy;
}

}  // namespace

void read_functions(Fields& fields) {
  Reading& reading = fields.reading();
  read_each(fields, "functions", "A function", reading.machine.functions, read_function);
  index_by_name(reading.machine.functions, "functions", fields, reading.functions);
  for (const FunctionDefinition& function : reading.machine.functions)
    if (function.program) reading.expression_functions.emplace(lower_case(function.name), *function.program);
}

void read_events(Fields& fields) {
  Reading& reading = fields.reading();
  read_each(fields, "events", "An event", reading.machine.events, read_event);
  index_by_name(reading.machine.events, "events", fields, reading.events);
}

void read_retries(Fields& fields) {
  Reading& reading = fields.reading();
  read_each(fields, "retries", "A retry policy", reading.machine.retries, read_retry);
  index_by_name(reading.machine.retries, "retries", fields, reading.retries);
}

}  // namespace pawl::sm4c
