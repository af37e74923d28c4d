// States.Format and States.StringSplit.
#include <bitset>
#include <string>
#include <unordered_set>

#include "expr/intrinsic/functions.h"
#include "expr/intrinsic/utf8.h"

namespace pawl::intrinsic::internal {

namespace {

// Values inside arrays and objects print as Java prints its lists and maps: {Arg1=1, Arg2=[a, b]}. That is AWS's
// behaviour. The recursion is bounded by the depth of values.
void append_as_java(std::string& out, const Value& value);

void append_items(std::string& out, const Value& array) {
  std::string_view separator;
  for (const Value& item : array.items()) {
    out += std::exchange(separator, ", ");
    append_as_java(out, item);
  }
}

void append_members(std::string& out, const Value& object) {
  std::string_view separator;
  for (const json::Member& member : object.members()) {
    out += std::exchange(separator, ", ");
    out += member.key.as_string();
    out += '=';
    append_as_java(out, member.value);
  }
}

void append_as_java(std::string& out, const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kNull:
      out += "null";
      return;
    case Value::Kind::kBoolean:
      out += value.as_boolean() ? "true" : "false";
      return;
    case Value::Kind::kNumber:
      out += value.number_text();
      return;
    case Value::Kind::kString:
      out += value.as_string();
      return;
    case Value::Kind::kArray:
      out += '[';
      append_items(out, value);
      out += ']';
      return;
    case Value::Kind::kObject:
      out += '{';
      append_members(out, value);
      out += '}';
      return;
  }
}

// Fills the places {} of a template, resolving its escapes on the way.
class Formatter {
 public:
  Formatter(std::string_view pattern, Arguments replacements) : pattern_(pattern), replacements_(replacements) {}

  Result<Value> run() {
    while (offset_ < pattern_.size()) {
      if (auto step = take_step(); !step) return std::unexpected(std::move(step).error());
    }
    if (used_ != replacements_.size()) return wrong_count();
    return Value::string(out_);
  }

 private:
  Result<void> take_step() {
    const size_t special = std::min(pattern_.find_first_of("\\{}", offset_), pattern_.size());
    out_ += pattern_.substr(offset_, special - offset_);
    offset_ = special;
    if (offset_ == pattern_.size()) return {};
    switch (pattern_[offset_++]) {
      case '\\':
        take_escape();
        return {};
      case '{':
        return take_place();
      default:
        return bad_template("matching '{' not found for '}'.");
    }
  }

  // A template that is data may hold backslashes that escape nothing: they stay.
  void take_escape() {
    const bool escapes =
        offset_ < pattern_.size() && std::string_view("'{}\\").find(pattern_[offset_]) != std::string_view::npos;
    out_ += escapes ? pattern_[offset_++] : '\\';
  }

  Result<void> take_place() {
    if (offset_ == pattern_.size() || pattern_[offset_] != '}') return bad_template("matching '}' not found for '{'.");
    ++offset_;
    if (used_ == replacements_.size()) return wrong_count();
    const Value& replacement = replacements_[used_++];
    if (out_.size() + 2 * replacement.json_size() > kResultBytesMax)
      return refuse("States.Format", "The result is longer than " + std::to_string(kResultBytesMax) + " bytes.");
    append_as_java(out_, replacement);
    return {};
  }

  static std::unexpected<Error> wrong_count() {
    return fail("INTRINSIC_FAILED",
                "Invalid arguments in States.Format: number of arguments do not match the occurrences of {}.",
                "Give one argument for each {} of the template.");
  }

  static std::unexpected<Error> bad_template(std::string_view reason) {
    return fail("INTRINSIC_FAILED", "Invalid template in States.Format: " + std::string(reason),
                "Write \\{ and \\} for braces that are no places to fill.");
  }

  std::string_view pattern_;
  Arguments replacements_;
  size_t offset_ = 0;
  size_t used_ = 0;
  std::string out_;
};

// A set of characters: a table for ASCII, a hash set of their UTF-8 forms for the rest.
class CharacterSet {
 public:
  explicit CharacterSet(std::string_view characters) {
    while (!characters.empty()) {
      const std::string_view character = first_character(characters);
      if (character.size() == 1)
        ascii_.set(static_cast<unsigned char>(character[0]));
      else
        others_.insert(character);
      characters.remove_prefix(character.size());
    }
  }

  bool contains(std::string_view character) const {
    if (character.size() == 1) return ascii_.test(static_cast<unsigned char>(character[0]));
    return !others_.empty() && others_.contains(character);
  }

 private:
  std::bitset<256> ascii_;
  std::unordered_set<std::string_view> others_;
};

}  // namespace

Result<Value> format(Arguments arguments, Random& /*random*/) {
  if (!arguments[0].is_string()) return refuse("States.Format", "The template must be a string.");
  return Formatter(arguments[0].as_string(), arguments.subspan(1)).run();
}

// The delimiter is a set of characters, and empty pieces are left out: AWS's behaviour.
Result<Value> string_split(Arguments arguments, Random& /*random*/) {
  if (!arguments[0].is_string() || !arguments[1].is_string())
    return refuse("States.StringSplit", "Both arguments must be strings.");
  const std::string_view text = arguments[0].as_string();
  const CharacterSet delimiters(arguments[1].as_string());
  json::ArrayBuilder pieces;
  size_t begin = 0;
  for (size_t offset = 0; offset < text.size();) {
    const std::string_view character = first_character(text.substr(offset));
    if (delimiters.contains(character)) {
      if (offset > begin) pieces.push(Value::string(text.substr(begin, offset - begin)));
      begin = offset + character.size();
    }
    offset += character.size();
  }
  if (text.size() > begin) pieces.push(Value::string(text.substr(begin)));
  return pieces.build();
}

}  // namespace pawl::intrinsic::internal
