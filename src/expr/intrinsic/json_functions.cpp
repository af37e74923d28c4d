// States.StringToJson, States.JsonToString and States.JsonMerge.
#include <string>

#include "expr/intrinsic/functions.h"
#include "json/parse.h"
#include "json/print.h"

namespace pawl::intrinsic::internal {

Result<Value> string_to_json(Arguments arguments, Random& /*random*/) {
  if (!arguments[0].is_string()) return refuse("States.StringToJson", "The argument must be a string.");
  const std::string_view text = arguments[0].as_string();
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return Value::null();  // AWS's behaviour
  auto parsed = json::parse(text);
  if (!parsed) return refuse("States.StringToJson", "The string is not JSON: " + to_string(parsed.error()));
  if (parsed->is_number() && parsed->number_text() == "-0") return Value::integer(0);
  return parsed;
}

Result<Value> json_to_string(Arguments arguments, Random& /*random*/) {
  if (arguments[0].json_size() > kResultBytesMax)
    return refuse("States.JsonToString", "The result is longer than " + std::to_string(kResultBytesMax) + " bytes.");
  return Value::string(json::print(arguments[0]));
}

Result<Value> json_merge(Arguments arguments, Random& /*random*/) {
  const Value &left = arguments[0], &right = arguments[1], &deep = arguments[2];
  if (!left.is_object() || !right.is_object())
    return refuse("States.JsonMerge", "The first two arguments must be objects.");
  if (!deep.is_boolean() || deep.as_boolean())
    return refuse("States.JsonMerge", "The third argument must be false: only the shallow merge exists.");
  json::ObjectBuilder merged(left.size() + right.size());
  for (const json::Member& member : left.members()) merged.set(member.key, member.value);
  for (const json::Member& member : right.members()) merged.set(member.key, member.value);
  return merged.build();
}

}  // namespace pawl::intrinsic::internal
