#include "lang/asl/mock_schema.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "base/assert.h"
#include "lang/asl/mock_context.h"
#include "lang/asl/mock_schema_table.h"
#include "lang/asl/test_state_request.h"

namespace pawl::asl {

namespace {

// A shape is written as
//   s  s1..80     text, and how many characters it may have      [X]  a list of X
//   n  n128..     a number, and what it may be                   <X>  an object of any keys with values X
//   b             true or false                                  {Name:X Other!:Y}  an object; "!": must be there
//   ?             anything
struct Shape {
  enum class Kind : uint8_t { kText, kNumber, kFlag, kList, kMap, kObject, kAnything };
  struct Field;

  Kind kind = Kind::kAnything;
  std::optional<int64_t> min;
  std::optional<int64_t> max;
  std::vector<Shape> inner;   // of a list or a map: one
  std::vector<Field> fields;  // of an object
};

struct Shape::Field {
  std::string_view name;
  bool required = false;
  Shape shape;
};

// Reads the table's own texts, so what does not fit is a programmer's mistake. As deep as they are.
class ShapeReader {
 public:
  explicit ShapeReader(std::string_view text) : rest_(text) {}

  Shape read() {
    if (skip("s")) return read_bounded(Shape::Kind::kText);
    if (skip("n")) return read_bounded(Shape::Kind::kNumber);
    if (skip("[")) return read_inner(Shape::Kind::kList, "]");
    if (skip("<")) return read_inner(Shape::Kind::kMap, ">");
    if (skip("{")) return read_object();
    Shape shape;
    if (skip("b")) {
      shape.kind = Shape::Kind::kFlag;
      return shape;
    }
    PAWL_ASSERT(skip("?"), rest_);
    return shape;
  }

 private:
  bool skip(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  std::optional<int64_t> read_number() {
    int64_t number = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (error != std::errc()) return std::nullopt;
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    return number;
  }

  Shape read_bounded(Shape::Kind kind) {
    Shape shape;
    shape.kind = kind;
    shape.min = read_number();
    if (skip("..")) shape.max = read_number();
    return shape;
  }

  Shape read_inner(Shape::Kind kind, std::string_view closing) {
    Shape shape;
    shape.kind = kind;
    shape.inner.push_back(read());
    PAWL_ASSERT(skip(closing), rest_);
    return shape;
  }

  Shape read_object() {
    Shape shape;
    shape.kind = Shape::Kind::kObject;
    while (!skip("}")) {
      skip(" ");
      const size_t end = rest_.find_first_of("!:");
      PAWL_ASSERT(end != std::string_view::npos, rest_);
      const std::string_view name = rest_.substr(0, end);
      rest_.remove_prefix(end);
      const bool required = skip("!");
      skip(":");
      shape.fields.push_back({name, required, read()});
    }
    return shape;
  }

  std::string_view rest_;
};

// What is wrong with a value; nothing where it fits.
class Checker {
 public:
  explicit Checker(bool strict) : strict_(strict) {}

  std::optional<std::string> check(const Shape& shape, const Value& value, std::string_view name) const {
    switch (shape.kind) {
      case Shape::Kind::kText:
        return check_text(shape, value, name);
      case Shape::Kind::kNumber:
        return check_number(shape, value, name);
      case Shape::Kind::kFlag:
        return value.is_boolean() ? std::nullopt : wrong(name, "must be a boolean");
      case Shape::Kind::kList:
        return check_list(shape, value, name);
      case Shape::Kind::kMap:
        return check_map(shape, value, name);
      case Shape::Kind::kObject:
        return check_object(shape, value, name);
      case Shape::Kind::kAnything:
        return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  static std::optional<std::string> wrong(std::string_view name, std::string_view why) {
    return "Field '" + std::string(name) + "' " + std::string(why);
  }

  static std::optional<std::string> check_text(const Shape& shape, const Value& value, std::string_view name) {
    if (!value.is_string()) return wrong(name, "must be a string");
    const auto size = static_cast<int64_t>(value.as_string().size());
    if (shape.min && size < *shape.min) return wrong(name, "is smaller than the minimum length");
    if (shape.max && size > *shape.max) return wrong(name, "exceeds the maximum length");
    return std::nullopt;
  }

  static std::optional<std::string> check_number(const Shape& shape, const Value& value, std::string_view name) {
    if (!value.is_number()) return wrong(name, "must be a number");
    if (shape.min && value.as_double() < static_cast<double>(*shape.min))
      return wrong(name, "is less than the minimum value");
    if (shape.max && value.as_double() > static_cast<double>(*shape.max))
      return wrong(name, "exceeds the maximum value");
    return std::nullopt;
  }

  std::optional<std::string> check_list(const Shape& shape, const Value& value, std::string_view name) const {
    if (!value.is_array()) return wrong(name, "must be an array");
    for (const Value& item : value.items())
      if (auto found = check(shape.inner.front(), item, name)) return found;
    return std::nullopt;
  }

  std::optional<std::string> check_map(const Shape& shape, const Value& value, std::string_view name) const {
    if (!value.is_object()) return wrong(name, "must be an object");
    for (const json::Member& member : value.members())
      if (auto found = check(shape.inner.front(), member.value, member.key.as_string())) return found;
    return std::nullopt;
  }

  // A member that the service does not have is passed over; null counts as absent.
  std::optional<std::string> check_object(const Shape& shape, const Value& value, std::string_view name) const {
    if (!value.is_object()) return wrong(name, "must be an object");
    for (const Shape::Field& field : shape.fields)
      if (strict_ && field.required && value_at(value, field.name).is_null())
        return "Required field '" + std::string(field.name) + "' is missing";
    for (const Shape::Field& field : shape.fields) {
      const Value* member = value.find(field.name);
      if (member == nullptr || member->is_null()) continue;
      if (auto found = check(field.shape, *member, field.name)) return found;
    }
    return std::nullopt;
  }

  bool strict_;
};

// Whatever the partition: arn:aws:states:::sqs:sendMessage, arn:aws-cn:states:::sqs:sendMessage.
const MockSchema* find_schema(std::string_view resource) {
  constexpr std::string_view kBefore = ":states:::";
  const size_t begin = resource.find(kBefore);
  if (!resource.starts_with("arn:") || begin == std::string_view::npos) return nullptr;
  const auto found = std::ranges::find(mock_schemas(), resource.substr(begin + kBefore.size()), &MockSchema::resource);
  return found == mock_schemas().end() ? nullptr : &*found;
}

}  // namespace

Tested<void> check_mock_result(std::string_view resource, const Value& result, std::string_view mode) {
  const MockSchema* schema = mode == "NONE" ? nullptr : find_schema(resource);
  if (schema == nullptr) return {};
  const Shape shape = ShapeReader(schema->shape).read();
  if (!result.is_object()) return invalid_request("Mock result schema validation error: Mock result must be an object");
  const auto wrong = Checker(mode != "PRESENT").check(shape, result, "");
  if (!wrong) return {};
  return invalid_request("Mock result schema validation error: " + *wrong);
}

}  // namespace pawl::asl
