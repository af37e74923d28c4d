// Builtins on strings, and to and from them.
#include <algorithm>

#include "expr/jq/access.h"
#include "expr/jq/arithmetic.h"
#include "expr/jq/natives.h"
#include "expr/jq/numbers.h"
#include "json/utf8.h"

namespace pawl::jq::internal {

namespace {

Value made(Context& context, std::string_view text) {
  return context.spend_bytes(text.size()) ? Value::string(text) : Value();
}

Value to_string(Context& context, const Arguments& a) {
  return a.input().is_string() ? a.input() : made(context, json_text(a.input()));
}

Value to_number(Context& context, const Arguments& a) {
  if (a.input().is_number()) return a.input();
  if (!a.input().is_string()) return context.raise(described(a.input()) + " cannot be parsed as a number");
  const auto number = number_from(a.input().as_string());
  if (number && is_special(*number)) context.made_special = true;
  return number ? *number : context.raise("Cannot use " + described(a.input()) + " as a number");
}

Value change_case(Context& context, const Value& value, char from, char to, int by) {
  if (!value.is_string()) return context.raise("explode input must be a string");
  std::string text(value.as_string());
  for (char& c : text)
    if (c >= from && c <= to) c = static_cast<char>(c + by);
  return made(context, text);
}

Value ascii_downcase(Context& context, const Arguments& a) {
  return change_case(context, a.input(), 'A', 'Z', 'a' - 'A');
}
Value ascii_upcase(Context& context, const Arguments& a) {
  return change_case(context, a.input(), 'a', 'z', 'A' - 'a');
}

uint32_t decode(std::string_view sequence) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(sequence[i]); };
  if (sequence.size() == 1) return byte(0);
  uint32_t point = byte(0) & (0xFF >> (sequence.size() + 1));
  for (size_t i = 1; i < sequence.size(); ++i) point = point << 6 | (byte(i) & 0x3F);
  return point;
}

Value explode(Context& context, const Arguments& a) {
  if (!a.input().is_string()) return context.raise("explode input must be a string");
  const std::string_view text = a.input().as_string();
  if (!context.spend_bytes(text.size() * sizeof(Value))) return Value();
  json::ArrayBuilder points;
  for (size_t at = 0; at < text.size();) {
    const size_t size = json::utf8_sequence_size(text.data() + at, text.data() + text.size());
    points.push(Value::integer(decode(text.substr(at, size))));
    at += size;
  }
  return points.build();
}

Value implode(Context& context, const Arguments& a) {
  if (!a.input().is_array()) return context.raise("implode input must be an array");
  std::string text;
  for (const Value& item : a.input().items()) {
    if (!item.is_number() || is_nan(item))
      return context.raise(described(item) + " can't be imploded, unicode codepoint needs to be numeric");
    const int64_t point = index_of(item);
    const bool is_valid = point >= 0 && point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF);
    json::append_utf8(text, is_valid ? static_cast<uint32_t>(point) : 0xFFFD);
  }
  return made(context, text);
}

Value starts_with(Context& context, const Arguments& a) {
  if (!a.input().is_string() || !a[1].is_string()) return context.raise("startswith() requires string inputs");
  return Value::boolean(a.input().as_string().starts_with(a[1].as_string()));
}
Value ends_with(Context& context, const Arguments& a) {
  if (!a.input().is_string() || !a[1].is_string()) return context.raise("endswith() requires string inputs");
  return Value::boolean(a.input().as_string().ends_with(a[1].as_string()));
}

// What is no string, or does not begin or end so, stays as it is.
Value ltrimstr(Context& context, const Arguments& a) {
  if (!a.input().is_string() || !a[1].is_string() || !a.input().as_string().starts_with(a[1].as_string()))
    return a.input();
  return made(context, a.input().as_string().substr(a[1].as_string().size()));
}
Value rtrimstr(Context& context, const Arguments& a) {
  const bool applies = a.input().is_string() && a[1].is_string() && a.input().as_string().ends_with(a[1].as_string());
  if (!applies || a[1].as_string().empty()) return a.input();
  const std::string_view text = a.input().as_string();
  return made(context, text.substr(0, text.size() - a[1].as_string().size()));
}
Value trimstr(Context& context, const Arguments& a) {
  const Value left = ltrimstr(context, a);
  Arguments rest = a;
  rest.values[0] = &left;
  return rtrimstr(context, rest);
}

Value trim_blanks(Context& context, const Value& value, bool left, bool right) {
  if (!value.is_string()) return context.raise(described(value) + " cannot be trimmed");
  constexpr std::string_view kBlanks = " \t\n\r\f\v";
  std::string_view text = value.as_string();
  if (left) text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  if (right) text = text.substr(0, text.find_last_not_of(kBlanks) + 1);
  return made(context, text);
}

Value trim(Context& context, const Arguments& a) { return trim_blanks(context, a.input(), true, true); }
Value ltrim(Context& context, const Arguments& a) { return trim_blanks(context, a.input(), true, false); }
Value rtrim(Context& context, const Arguments& a) { return trim_blanks(context, a.input(), false, true); }

Value split_text(Context& context, const Arguments& a) {
  if (!a.input().is_string() || !a[1].is_string()) return context.raise("split input and separator must be strings");
  return split(context, a.input().as_string(), a[1].as_string());
}

// Numbers and booleans as text, null as nothing.
Value join(Context& context, const Arguments& a) {
  const Value& list = a.input();
  if (!list.is_array() && !list.is_object()) return context.raise("Cannot iterate over " + described(list));
  if (list.size() == 0) return Value::string("");
  std::string text;
  for (size_t i = 0; i < list.size(); ++i) {
    const Value& item = list.is_array() ? list.at(i) : list.members()[i].value;
    if (i > 0 && !a[1].is_null() && !a[1].is_string())
      return context.raise(described(Value::string(text)) + " and " + described(a[1]) + " cannot be added");
    if (i > 0 && a[1].is_string()) text += a[1].as_string();
    if (item.is_array() || item.is_object())
      return context.raise(described(Value::string(text)) + " and " + described(item) + " cannot be added");
    if (!item.is_null()) text += item.is_string() ? std::string(item.as_string()) : json_text(item);
    if (text.size() > context.limits().bytes_max) break;
  }
  return made(context, text);
}

Value utf8bytelength(Context& context, const Arguments& a) {
  if (!a.input().is_string()) return context.raise(described(a.input()) + " only strings have UTF-8 byte length");
  return Value::integer(static_cast<int64_t>(a.input().as_string().size()));
}

constexpr Native kNatives[] = {
    {"tostring", 0, to_string},
    {"tonumber", 0, to_number},
    {"ascii_downcase", 0, ascii_downcase},
    {"ascii_upcase", 0, ascii_upcase},
    {"explode", 0, explode},
    {"implode", 0, implode},
    {"startswith", 1, starts_with},
    {"endswith", 1, ends_with},
    {"ltrimstr", 1, ltrimstr},
    {"rtrimstr", 1, rtrimstr},
    {"trimstr", 1, trimstr},
    {"trim", 0, trim},
    {"ltrim", 0, ltrim},
    {"rtrim", 0, rtrim},
    {"split", 1, split_text},
    {"join", 1, join},
    {"utf8bytelength", 0, utf8bytelength},
};

}  // namespace

std::span<const Native> string_natives() { return kNatives; }

}  // namespace pawl::jq::internal
