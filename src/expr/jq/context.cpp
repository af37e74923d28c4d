#include "expr/jq/context.h"

#include "expr/jq/numbers.h"
#include "json/print.h"

namespace pawl::jq::internal {

namespace {

constexpr size_t kExcerptBytes = 11;
constexpr size_t kWholeBytesMax = 14;

// These stop behind the first part that brings the text over `bytes_max`.
void append_json(std::string& out, const Value& value, size_t bytes_max);

void append_items(std::string& out, const Value& array, size_t bytes_max) {
  out.push_back('[');
  bool first = true;
  for (const Value& item : array.items()) {
    if (!std::exchange(first, false)) out.push_back(',');
    if (out.size() > bytes_max) return;
    append_json(out, item, bytes_max);
  }
  out.push_back(']');
}

void append_members(std::string& out, const Value& object, size_t bytes_max) {
  out.push_back('{');
  bool first = true;
  for (const json::Member& member : object.members()) {
    if (!std::exchange(first, false)) out.push_back(',');
    if (out.size() > bytes_max) return;
    append_json(out, member.key, bytes_max);
    out.push_back(':');
    append_json(out, member.value, bytes_max);
  }
  out.push_back('}');
}

void append_text(std::string& out, const Value& text, size_t bytes_max) {
  constexpr size_t kLongestSequence = 4;
  const std::string_view whole = text.as_string();
  if (whole.size() < kLongestSequence || whole.size() - kLongestSequence < bytes_max) return json::append(out, text);
  size_t end = bytes_max + kLongestSequence - 1;
  while ((whole[end] & 0xC0) == 0x80) --end;
  json::append(out, Value::string(whole.substr(0, end)));
}

// Recursive: nothing nests deeper than kValueDepthMax, or than the parser let in.
void append_json(std::string& out, const Value& value, size_t bytes_max) {
  if (value.is_number())
    out += number_text(value);
  else if (value.is_array())
    append_items(out, value, bytes_max);
  else if (value.is_object())
    append_members(out, value, bytes_max);
  else if (value.is_string())
    append_text(out, value, bytes_max);
  else
    json::append(out, value);
}

}  // namespace

Value Context::exceed(std::string_view what) {
  failure_ = Failure::kLimit;
  error_ = Value::string(what);
  return Value();
}

bool Context::out_of_steps() {
  exceed("The program takes more than " + std::to_string(limits_.steps_max) + " steps.");
  return false;
}

bool Context::out_of_bytes() {
  exceed("The program builds values of more than " + std::to_string(limits_.bytes_max) + " bytes.");
  return false;
}

Value Context::built(Value value) {
  if (value.depth() <= kValueDepthMax) return value;
  return exceed("The program builds a value that nests deeper than " + std::to_string(kValueDepthMax) + " levels.");
}

std::string_view type_name(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kNull:
      return "null";
    case Value::Kind::kBoolean:
      return "boolean";
    case Value::Kind::kNumber:
      return "number";
    case Value::Kind::kString:
      return "string";
    case Value::Kind::kArray:
      return "array";
    case Value::Kind::kObject:
      return "object";
  }
  return "null";
}

std::string json_text(const Value& value) {
  std::string out;
  append_json(out, value, std::string::npos);
  return out;
}

// Prints no more of it than is needed.
std::string excerpt(const Value& value) {
  std::string text;
  append_json(text, value, kWholeBytesMax);
  if (text.size() <= kWholeBytesMax) return text;
  size_t end = kExcerptBytes;
  while (end > 0 && (text[end] & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

std::string described(const Value& value) { return std::string(type_name(value)) + " (" + excerpt(value) + ")"; }

}  // namespace pawl::jq::internal
