#include "engine/event_shapes.h"

#include "json/parse.h"
#include "json/print.h"

namespace pawl::engine {

using json::Value;
using kernel::EventShape;

namespace {

Value to_array(const std::vector<std::string>& names) {
  json::ArrayBuilder array;
  for (const std::string& name : names) array.push(Value::string(name));
  return array.build();
}

std::string text_of(const Value& body, std::string_view name) {
  const Value* found = body.find(name);
  return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string();
}

std::vector<std::string> names_of(const Value& body, std::string_view name) {
  std::vector<std::string> names;
  const Value* found = body.find(name);
  if (found == nullptr || !found->is_array()) return names;
  for (const Value& item : found->items())
    if (item.is_string()) names.emplace_back(item.as_string());
  return names;
}

}  // namespace

// The body is the key as well: two that differ are two documents.
store::Document to_document(const EventShape& shape) {
  json::ObjectBuilder body(4);
  body.set("source", Value::string(shape.source));
  body.set("type", Value::string(shape.type));
  body.set("fixed", to_array(shape.fixed));
  body.set("present", to_array(shape.present));
  const std::string text = json::print(body.build());
  return {kShapeDocuments, text, text};
}

std::optional<EventShape> read_shape(const store::Document& document) {
  const auto body = json::parse(document.body);
  if (!body || !body->is_object()) return std::nullopt;
  return EventShape{text_of(*body, "source"), text_of(*body, "type"), names_of(*body, "fixed"),
                    names_of(*body, "present")};
}

}  // namespace pawl::engine
