#include "json/value.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "base/assert.h"
#include "json/build.h"
#include "json/key_index.h"

#if defined(__SANITIZE_ADDRESS__)
#define PAWL_HAS_LEAK_CHECKER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PAWL_HAS_LEAK_CHECKER
#endif
#endif
#ifdef PAWL_HAS_LEAK_CHECKER
#include <sanitizer/lsan_interface.h>
#endif

namespace pawl::json {

namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;
constexpr double kExactIntegerMax = 9007199254740992.0;  // 2^53

double parse_double(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {  // from_chars leaves it open: strtod gives 0 or infinity
    value = std::strtod(std::string(text).c_str(), nullptr);
  }
  return value;
}

std::optional<int64_t> exact_integer(double value) {
  if (!(value >= -kTwoTo63 && value < kTwoTo63) || value != std::floor(value)) return std::nullopt;
  return static_cast<int64_t>(value);
}

size_t integer_size(int64_t value) {
  uint64_t rest = value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  size_t size = value < 0 ? 2 : 1;
  for (; rest >= 10'000; rest /= 10'000) size += 4;
  return size + (rest >= 10) + (rest >= 100) + (rest >= 1000);
}

// Nobody frees what is immortal. The leak checker must know that this is meant.
void allow_to_leak([[maybe_unused]] const Node* node) {
#ifdef PAWL_HAS_LEAK_CHECKER
  __lsan_ignore_object(node);
#endif
}

}  // namespace

void Value::wrong_kind() { assertion_failed("a Value of that kind, or an index in range", __FILE__, __LINE__, ""); }

// --- construction
// --------------------------------------------------------------------------------------------------------

Value Value::boolean(bool value) {
  Value result;
  result.tag_ = Tag::kBoolean;
  result.boolean_ = value;
  return result;
}

Value Value::integer(int64_t value) {
  Value result;
  result.tag_ = Tag::kInteger;
  result.integer_ = value;
  return result;
}

Value Value::real(double value) {
  PAWL_ASSERT(std::isfinite(value), value);
  if (std::abs(value) < kExactIntegerMax && value == std::floor(value) && !(value == 0 && std::signbit(value)))
    return integer(static_cast<int64_t>(value));
  Value result;
  result.tag_ = Tag::kDouble;
  result.double_ = value;
  return result;
}

Value Value::number_literal(std::string_view literal) {
  int64_t integral = 0;
  const char* end = literal.data() + literal.size();
  const auto [stopped, error] = std::from_chars(literal.data(), end, integral);
  if (error == std::errc() && stopped == end && literal != "-0") return integer(integral);
  return ValueAccess::number(literal);
}

Value Value::string(std::string_view text) { return ValueAccess::string(text, quoted_size(text)); }

Value Value::empty_object() {
  static const Value empty = [] {
    Node* node = allocate_node(0);
    finish_object(node, 0);
    Value value = ValueAccess::object(node);
    value.make_immortal();
    return value;
  }();
  return empty;
}

Value Value::empty_array() {
  static const Value empty = [] {
    Node* node = allocate_node(0);
    finish_array(node, 0);
    Value value = ValueAccess::array(node);
    value.make_immortal();
    return value;
  }();
  return empty;
}

void Value::make_immortal() const {
  std::vector<const Value*> waiting = {this};
  while (!waiting.empty()) {
    const Value& value = *waiting.back();
    waiting.pop_back();
    if (!value.on_heap() || value.node_->refs.load(std::memory_order_relaxed) >= Node::kImmortal) continue;
    value.node_->refs.store(Node::kImmortal, std::memory_order_relaxed);
    allow_to_leak(value.node_);
    if (!value.is_array() && !value.is_object()) continue;
    const size_t parts = value.size() * (value.is_object() ? 2 : 1);
    for (size_t i = 0; i < parts; ++i) waiting.push_back(value.node_->items() + i);
  }
}

// --- reading
// -------------------------------------------------------------------------------------------------------------

Value::Kind Value::kind() const noexcept {
  static constexpr Kind kKinds[] = {Kind::kNull,   Kind::kBoolean, Kind::kNumber, Kind::kNumber, Kind::kNumber,
                                    Kind::kString, Kind::kNumber,  Kind::kString, Kind::kArray,  Kind::kObject};
  return kKinds[static_cast<size_t>(tag_)];
}

bool Value::as_boolean() const {
  require(is_boolean());
  return boolean_;
}

double Value::as_double() const {
  require(is_number());
  if (tag_ == Tag::kInteger) return static_cast<double>(integer_);
  return tag_ == Tag::kDouble ? double_ : parse_double(literal());
}

std::optional<int64_t> Value::as_integer() const {
  require(is_number());
  if (tag_ == Tag::kInteger) return integer_;
  const bool is_integer_text = tag_ != Tag::kDouble && literal().find_first_of(".eE") == std::string_view::npos;
  if (is_integer_text && literal() != "-0") return std::nullopt;  // such a text is kept only where 64 bits are too few
  return exact_integer(as_double());
}

std::string double_text(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

std::string Value::number_text() const {
  require(is_number());
  if (tag_ == Tag::kInteger) return std::to_string(integer_);
  return tag_ == Tag::kDouble ? double_text(double_) : std::string(literal());
}

const Value* Value::find(std::string_view key) const& noexcept {
  if (!is_object()) return nullptr;
  if (node_->index != nullptr) {
    const Member* member = find_in_index(node_->index, node_->members(), key);
    return member == nullptr ? nullptr : &member->value;
  }
  for (const Member& member : members())
    if (member.key.as_string() == key) return &member.value;
  return nullptr;
}

size_t Value::inline_json_size() const {
  switch (tag_) {
    case Tag::kNull:
      return 4;
    case Tag::kBoolean:
      return boolean_ ? 4 : 5;
    case Tag::kInteger:
      return integer_size(integer_);
    case Tag::kDouble:
      return double_text(double_).size();
    case Tag::kShortNumber:
      return length_;
    case Tag::kShortString:
      return quoted_size(short_text());
    case Tag::kLongNumber:
    case Tag::kLongString:
    case Tag::kArray:
    case Tag::kObject:
      return node_->json_size;
  }
  return 0;
}

}  // namespace pawl::json
