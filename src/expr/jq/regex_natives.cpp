// Builtins with regular expressions. The library has their outer forms.
#include "expr/jq/access.h"
#include "expr/jq/natives.h"

namespace pawl::jq::internal {

namespace {

bool parse_flags(Context& context, const Value& text, RegexFlags& flags) {
  if (text.is_null()) return true;
  if (!text.is_string()) {
    context.raise(described(text) + " is not a string");
    return false;
  }
  for (const char letter : text.as_string()) {
    switch (letter) {
      case 'g':
        flags.is_global = true;
        break;
      case 'i':
        flags.ignores_case = true;
        break;
      case 'x':
        flags.is_extended = true;
        break;
      case 'p':
        flags.dot_matches_all = true;
        break;
      case 'n':
        flags.skips_empty = true;
        break;
      case 's':  // ^ and $ are the text's ends: so they are anyhow
      case 'l':  // the longest match: PCRE2 has the first one
        break;
      default:
        context.raise(std::string(text.as_string()) + " is not a valid modifier string");
        return false;
    }
  }
  return true;
}

// The pattern, compiled; null where something is wrong.
const Regex* prepare(Context& context, const Arguments& a, RegexFlags& flags) {
  if (!a.input().is_string()) {
    context.raise(described(a.input()) + " cannot be matched, as it is not a string");
    return nullptr;
  }
  if (!a[1].is_string()) {
    context.raise(described(a[1]) + " cannot be matched, as it is not a string");
    return nullptr;
  }
  if (!parse_flags(context, a[2], flags)) return nullptr;
  const std::string key = a[2].is_string() ? std::string(a[2].as_string()) : std::string();
  const auto found = context.regexes().find(a[1].as_string(), key, flags);
  if (found) return *found;
  context.raise(std::string(a[1].as_string()) + " (at offset 0) is not a valid regex: " + found.error().what);
  return nullptr;
}

bool spend_match(Context& context, MatchOutcome outcome, size_t bytes) {
  if (outcome == MatchOutcome::kTooMuchEffort) {
    context.exceed("A regular expression takes more than " + std::to_string(kRegexStepsMax) + " steps.");
    return false;
  }
  return context.spend_steps(10 + bytes / 8);
}

// Turns places in bytes into places in code points, for places that mostly grow.
class PointCounter {
 public:
  explicit PointCounter(std::string_view text) : text_(text) {}
  int64_t at(size_t byte) {
    if (byte < byte_) byte_ = points_ = 0;
    points_ += code_points(text_.substr(byte_, byte - byte_));
    byte_ = byte;
    return static_cast<int64_t>(points_);
  }

 private:
  std::string_view text_;
  size_t byte_ = 0;
  size_t points_ = 0;
};

Value group_value(const Group& group, std::string_view text, PointCounter& counter, bool is_capture) {
  json::ObjectBuilder members(4);
  const std::string_view part = text.substr(group.from, group.to - group.from);
  members.set("offset", Value::integer(group.is_set ? counter.at(group.from) : -1));
  members.set("length", Value::integer(static_cast<int64_t>(code_points(part))));
  members.set("string", group.is_set ? Value::string(part) : Value());
  if (is_capture) members.set("name", group.name ? Value::string(*group.name) : Value());
  return members.build();
}

Value match_value(const std::vector<Group>& groups, std::string_view text, PointCounter& counter) {
  json::ArrayBuilder captures(groups.size() - 1);
  for (size_t i = 1; i < groups.size(); ++i) captures.push(group_value(groups[i], text, counter, true));
  return group_value(groups[0], text, counter, false).with_member("captures", captures.build());
}

size_t next_point(std::string_view text, size_t at) {
  ++at;
  while (at < text.size() && (text[at] & 0xC0) == 0x80) ++at;
  return at;
}

// All matches, or the first, as an array.
Value matches(Context& context, const Arguments& a) {
  RegexFlags flags;
  const Regex* regex = prepare(context, a, flags);
  if (regex == nullptr) return Value();
  const std::string_view text = a.input().as_string();
  PointCounter counter(text);
  json::ArrayBuilder found;
  std::vector<Group> groups;
  for (size_t at = 0; at <= text.size();) {
    const MatchOutcome outcome = regex->match(text, at, groups);
    if (!spend_match(context, outcome, text.size() - at)) return Value();
    if (outcome == MatchOutcome::kNoMatch) break;
    if (!context.spend_bytes(groups.size() * 16 * sizeof(Value) + groups[0].to - groups[0].from)) return Value();
    found.push(match_value(groups, text, counter));
    if (!flags.is_global) break;
    at = groups[0].to == groups[0].from ? next_point(text, groups[0].to) : groups[0].to;
  }
  return found.build();
}

Value test(Context& context, const Arguments& a) {
  RegexFlags flags;
  const Regex* regex = prepare(context, a, flags);
  if (regex == nullptr) return Value();
  std::vector<Group> groups;
  const MatchOutcome outcome = regex->match(a.input().as_string(), 0, groups);
  if (!spend_match(context, outcome, a.input().as_string().size())) return Value();
  return Value::boolean(outcome == MatchOutcome::kMatch);
}

// The object of a match's named groups.
Value captured(Context& context, const Arguments& a) {
  const Value* captures = a.input().find("captures");
  json::ObjectBuilder members;
  for (const Value& capture : captures->items()) {
    const Value* name = capture.find("name");
    if (name->is_null()) continue;
    const Value* text = capture.find("string");
    if (text->is_null() && members.contains(name->as_string())) continue;
    members.set(*name, *text);
  }
  return context.spend_bytes(captures->size() * sizeof(json::Member)) ? members.build() : Value();
}

// The input with its matches ($1) replaced: once with the first text of each ($2), once with the second, and so on.
Value substituted(Context& context, const Arguments& a) {
  const std::string_view whole = a.input().as_string();
  size_t count = 0;
  for (const Value& texts : a[2].items()) count = std::max(count, texts.size());
  if (a[1].size() == 0 || count == 0) {
    json::ArrayBuilder unchanged(1);
    unchanged.push(a.input());
    return unchanged.build();
  }
  json::ArrayBuilder results(count);
  for (size_t version = 0; version < count; ++version) {
    std::string text;
    size_t byte = 0;
    int64_t point = 0;
    for (size_t i = 0; i < a[1].size(); ++i) {
      const Value& match = a[1].at(i);
      const int64_t offset = *match.find("offset")->as_integer();
      const size_t from = byte + byte_offset(whole.substr(byte), static_cast<size_t>(offset - point));
      if (version < a[2].at(i).size()) {
        const Value& replacement = a[2].at(i).at(version);
        if (!replacement.is_string())
          return context.raise(described(Value::string(text)) + " and " + described(replacement) + " cannot be added");
        text.append(whole.substr(byte, from - byte)).append(replacement.as_string());
      }
      byte = from + match.find("string")->as_string().size();
      point = offset + *match.find("length")->as_integer();
      if (text.size() > context.limits().bytes_max || !context.spend_steps(1)) break;
    }
    text.append(whole.substr(byte));
    if (!context.spend_bytes(text.size())) return Value();
    results.push(Value::string(text));
  }
  return results.build();
}

constexpr Native kNatives[] = {
    {"_match", 2, matches}, {"_test", 2, test}, {"_captured", 0, captured}, {"_substituted", 2, substituted}};

}  // namespace

std::span<const Native> regex_natives() { return kNatives; }

}  // namespace pawl::jq::internal
