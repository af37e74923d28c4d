// The JSON value of include/pawl/durable/json.h: parser, printer and access.
#include "pawl/durable/json.h"

#include <array>
#include <charconv>
#include <cmath>

namespace pawl::durable {
namespace {

void append_utf8(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Json document() {
    Json value = read_value(0);
    skip_space();
    if (at_ != text_.size()) fail("something follows the value");
    return value;
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw SerializationError("JSON, byte " + std::to_string(at_) + ": " + what);
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r')) {
      ++at_;
    }
  }

  bool take(char wanted) {
    skip_space();
    if (peek() != wanted || at_ == text_.size()) return false;
    ++at_;
    return true;
  }

  void expect(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) fail("no value begins so");
    at_ += word.size();
  }

  Json read_value(int depth) {
    if (depth > Json::kDepthMax) fail("nested too deeply");
    skip_space();
    switch (peek()) {
      case '{':
        return read_object(depth);
      case '[':
        return read_array(depth);
      case '"':
        return Json(read_string());
      case 't':
        expect("true");
        return Json(true);
      case 'f':
        expect("false");
        return Json(false);
      case 'n':
        expect("null");
        return Json();
      default:
        return read_number();
    }
  }

  Json read_object(int depth) {
    ++at_;
    Json::Object members;
    if (take('}')) return Json(std::move(members));
    do {
      skip_space();
      if (peek() != '"') fail("a member begins with its name in quotes");
      std::string name = read_string();
      if (!take(':')) fail("':' is missing after a member's name");
      members.push_back({std::move(name), read_value(depth + 1)});
    } while (take(','));
    if (!take('}')) fail("an object ends with '}'");
    return Json(std::move(members));
  }

  Json read_array(int depth) {
    ++at_;
    Json::Array elements;
    if (take(']')) return Json(std::move(elements));
    do {
      elements.push_back(read_value(depth + 1));
    } while (take(','));
    if (!take(']')) fail("an array ends with ']'");
    return Json(std::move(elements));
  }

  std::string read_string() {
    ++at_;
    std::string out;
    for (;;) {
      const std::size_t begin = at_;
      while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\' &&
             static_cast<unsigned char>(text_[at_]) >= 0x20)
        ++at_;
      out.append(text_, begin, at_ - begin);
      if (at_ == text_.size()) fail("a string has no end");
      if (text_[at_] == '"') break;
      if (text_[at_] != '\\') fail("a control character stands in a string");
      ++at_;
      read_escape(out);
    }
    ++at_;
    return out;
  }

  void read_escape(std::string& out) {
    const char kind = peek();
    ++at_;
    switch (kind) {
      case '"':
      case '\\':
      case '/':
        out += kind;
        return;
      case 'b':
        out += '\b';
        return;
      case 'f':
        out += '\f';
        return;
      case 'n':
        out += '\n';
        return;
      case 'r':
        out += '\r';
        return;
      case 't':
        out += '\t';
        return;
      case 'u':
        append_utf8(out, read_code_point());
        return;
      default:
        fail("an unknown escape");
    }
  }

  std::uint32_t read_code_point() {
    const std::uint32_t high = read_hex();
    if (high < 0xD800 || high > 0xDFFF) return high;
    if (high > 0xDBFF || text_.substr(at_, 2) != "\\u") return 0xFFFD;
    at_ += 2;
    const std::uint32_t low = read_hex();
    if (low < 0xDC00 || low > 0xDFFF) return 0xFFFD;
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
  }

  std::uint32_t read_hex() {
    std::uint32_t code = 0;
    const std::string_view digits = text_.substr(std::min(at_, text_.size()), 4);
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (problem != std::errc() || end != digits.data() + 4) fail("\\u takes four hexadecimal digits");
    at_ += 4;
    return code;
  }

  bool digits() {
    const std::size_t begin = at_;
    while (peek() >= '0' && peek() <= '9') ++at_;
    return at_ != begin;
  }

  // Checks the grammar, which is stricter than what from_chars reads.
  bool scan_number() {
    if (peek() == '-') ++at_;
    if (peek() == '0') {
      ++at_;
    } else if (!digits()) {
      fail("no value begins so");
    }
    bool whole = true;
    if (peek() == '.') {
      ++at_;
      whole = false;
      if (!digits()) fail("a digit follows the point of a number");
    }
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      whole = false;
      if (peek() == '+' || peek() == '-') ++at_;
      if (!digits()) fail("an exponent has a digit");
    }
    return whole;
  }

  Json read_number() {
    const std::size_t begin = at_;
    const bool whole = scan_number();
    const char* first = text_.data() + begin;
    const char* last = text_.data() + at_;
    if (whole) {
      std::int64_t integer = 0;
      if (std::from_chars(first, last, integer).ec == std::errc()) return Json(integer);
      std::uint64_t large = 0;
      if (std::from_chars(first, last, large).ec == std::errc()) return Json(large);
    }
    double number = 0;
    if (std::from_chars(first, last, number).ec != std::errc()) fail("the number is out of range");
    return Json(number);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

template <typename Number>
void append_number(std::string& out, Number number) {
  std::array<char, 32> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
  out.append(buffer.data(), result.ptr);
}

class Printer {
 public:
  explicit Printer(std::string& target) : out_(target) {}

  void operator()(std::monostate) { out_ += "null"; }
  void operator()(bool value) { out_ += value ? "true" : "false"; }
  void operator()(std::int64_t value) { append_number(out_, value); }
  void operator()(std::uint64_t value) { append_number(out_, value); }
  void operator()(double value) {
    if (!std::isfinite(value)) throw SerializationError("JSON has no number for infinity and not-a-number");
    append_number(out_, value);
  }
  void operator()(const std::string& value) { append_quoted(out_, value); }
  void operator()(const Json::Array& elements) {
    out_ += '[';
    for (std::size_t index = 0; index < elements.size(); ++index) {
      if (index != 0) out_ += ',';
      elements[index].dump_to(out_);
    }
    out_ += ']';
  }
  void operator()(const Json::Object& members) {
    out_ += '{';
    for (std::size_t index = 0; index < members.size(); ++index) {
      if (index != 0) out_ += ',';
      append_quoted(out_, members[index].name);
      out_ += ':';
      members[index].value.dump_to(out_);
    }
    out_ += '}';
  }

 private:
  std::string& out_;
};

}  // namespace

std::size_t quoted_size(std::string_view text) {
  constexpr std::size_t kShortEscape = 2;
  constexpr std::size_t kLongEscape = 6;
  std::size_t size = text.size() + 2;
  for (const char c : text) {
    const bool is_short = c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t';
    if (is_short)
      size += kShortEscape - 1;
    else if (static_cast<unsigned char>(c) < 0x20)
      size += kLongEscape - 1;
  }
  return size;
}

void append_quoted(std::string& out, std::string_view text) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  std::size_t copied = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
    out.append(text, copied, at - copied);
    copied = at + 1;
    out += '\\';
    switch (byte) {
      case '"':
      case '\\':
        out += static_cast<char>(byte);
        break;
      case '\n':
        out += 'n';
        break;
      case '\r':
        out += 'r';
        break;
      case '\t':
        out += 't';
        break;
      default:
        out += "u00";
        out += kHex[byte >> 4];
        out += kHex[byte & 15];
    }
  }
  out.append(text, copied, std::string_view::npos);
  out += '"';
}

Json Json::object(std::initializer_list<std::pair<std::string, Json>> members) {
  Object object;
  object.reserve(members.size());
  for (const auto& [name, value] : members) object.push_back({name, value});
  return Json(std::move(object));
}

Json Json::parse(std::string_view text) { return Parser(text).document(); }

void Json::dump_to(std::string& out) const { std::visit(Printer(out), value_); }

std::string Json::dump() const {
  std::string out;
  dump_to(out);
  return out;
}

void Json::refuse(const char* wanted) const {
  static constexpr std::array<const char*, 8> kKinds = {"null",     "a boolean", "an integer", "an integer",
                                                        "a number", "a string",  "an array",   "an object"};
  throw SerializationError(std::string("JSON: ") + wanted + " is wanted and " + kKinds[value_.index()] + " is given");
}

bool Json::as_boolean() const {
  if (const bool* value = std::get_if<bool>(&value_)) return *value;
  refuse("a boolean");
}

std::int64_t Json::as_integer() const {
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return *value;
  if (const auto* value = std::get_if<double>(&value_)) {
    // 2^63 is the first double that no int64 holds.
    if (std::trunc(*value) == *value && *value >= -9223372036854775808.0 && *value < 9223372036854775808.0)
      return static_cast<std::int64_t>(*value);
  }
  refuse("an integer of 64 bits");
}

std::uint64_t Json::as_unsigned() const {
  if (const auto* value = std::get_if<std::uint64_t>(&value_)) return *value;
  const std::int64_t value = as_integer();
  if (value < 0) refuse("an integer that is not negative");
  return static_cast<std::uint64_t>(value);
}

double Json::as_double() const {
  if (const auto* value = std::get_if<double>(&value_)) return *value;
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*value);
  if (const auto* value = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*value);
  refuse("a number");
}

const std::string& Json::as_string() const {
  if (const auto* value = std::get_if<std::string>(&value_)) return *value;
  refuse("a string");
}

const Json::Array& Json::as_array() const {
  if (const auto* value = std::get_if<Array>(&value_)) return *value;
  refuse("an array");
}

const Json::Object& Json::as_object() const {
  if (const auto* value = std::get_if<Object>(&value_)) return *value;
  refuse("an object");
}

const Json* Json::find(std::string_view name) const noexcept {
  const auto* members = std::get_if<Object>(&value_);
  if (members == nullptr) return nullptr;
  for (const Member& member : *members) {
    if (member.name == name) return &member.value;
  }
  return nullptr;
}

const Json& Json::at(std::string_view name) const {
  if (const Json* value = find(name)) return *value;
  static_cast<void>(as_object());
  throw SerializationError("JSON: the member \"" + std::string(name) + "\" is missing");
}

Json& Json::operator[](std::string_view name) {
  if (is_null()) value_ = Object();
  if (const Json* value = find(name)) return const_cast<Json&>(*value);
  static_cast<void>(as_object());
  Object& members = std::get<Object>(value_);
  members.push_back({std::string(name), Json()});
  return members.back().value;
}

const Json& Json::element(std::size_t index) const {
  const Array& elements = as_array();
  if (index >= elements.size())
    throw SerializationError("JSON: an array of " + std::to_string(elements.size()) + " has no element " +
                             std::to_string(index));
  return elements[index];
}

void Json::push_back(Json element) {
  if (is_null()) value_ = Array();
  static_cast<void>(as_array());
  std::get<Array>(value_).push_back(std::move(element));
}

std::size_t Json::size() const noexcept {
  if (is_null()) return 0;
  if (const auto* elements = std::get_if<Array>(&value_)) return elements->size();
  if (const auto* members = std::get_if<Object>(&value_)) return members->size();
  return 1;
}

bool operator==(const Json& left, const Json& right) {
  if (left.is_number() && right.is_number() && left.value_.index() != right.value_.index())
    return left.as_double() == right.as_double();
  return left.value_ == right.value_;
}

}  // namespace pawl::durable
