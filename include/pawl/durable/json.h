// Json: the JSON value that durable functions read and write, and the errors of reading it.
//
//   durable::Json order = durable::Json::parse(text);
//   order["total"] = 12.5;
//   std::string again = order.dump();
//
// Members keep the order in which they were put in. Integers of 64 bits stay exact; other numbers are doubles.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace pawl::durable {

// A value could not be written as JSON, or a text could not be read as the type that was asked for.
class SerializationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Json;

namespace detail {

// A template, so that it is looked into only when Json is complete.
template <typename Value>
struct JsonMember {
  std::string name;
  Value value;
  friend bool operator==(const JsonMember&, const JsonMember&) = default;
};

}  // namespace detail

class Json {
 public:
  using Member = detail::JsonMember<Json>;
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;

  static constexpr int kDepthMax = 256;

  Json() noexcept = default;
  Json(std::nullptr_t) noexcept {}
  Json(bool value) noexcept : value_(value) {}
  template <std::integral I>
    requires(!std::same_as<I, bool>)
  Json(I value) noexcept {
    if constexpr (std::is_unsigned_v<I> && sizeof(I) == 8) {
      if (value > static_cast<I>(INT64_MAX)) {
        value_ = static_cast<std::uint64_t>(value);
        return;
      }
    }
    value_ = static_cast<std::int64_t>(value);
  }
  template <std::floating_point F>
  Json(F value) noexcept : value_(static_cast<double>(value)) {}
  Json(std::string value) noexcept : value_(std::move(value)) {}
  Json(std::string_view value) : value_(std::string(value)) {}
  Json(const char* value) : value_(std::string(value)) {}
  Json(Array value) noexcept : value_(std::move(value)) {}
  Json(Object value) noexcept : value_(std::move(value)) {}

  static Json array(std::initializer_list<Json> elements = {}) { return Json(Array(elements)); }
  static Json object(std::initializer_list<std::pair<std::string, Json>> members = {});

  // Throws SerializationError with the byte position of the mistake.
  static Json parse(std::string_view text);
  std::string dump() const;
  // Appends what dump() gives.
  void dump_to(std::string& out) const;

  bool is_null() const noexcept { return std::holds_alternative<std::monostate>(value_); }
  bool is_boolean() const noexcept { return std::holds_alternative<bool>(value_); }
  bool is_number() const noexcept { return value_.index() >= 2 && value_.index() <= 4; }
  bool is_string() const noexcept { return std::holds_alternative<std::string>(value_); }
  bool is_array() const noexcept { return std::holds_alternative<Array>(value_); }
  bool is_object() const noexcept { return std::holds_alternative<Object>(value_); }

  // These throw SerializationError where the value is of another kind.
  bool as_boolean() const;
  std::int64_t as_integer() const;
  std::uint64_t as_unsigned() const;
  double as_double() const;
  const std::string& as_string() const;
  const Array& as_array() const;
  const Object& as_object() const;

  // The member of that name, or nullptr; nullptr too where this is no object.
  const Json* find(std::string_view name) const noexcept;
  // The member of that name; throws where there is none.
  const Json& at(std::string_view name) const;
  // The member of that name, added as null where there is none; null becomes an object.
  Json& operator[](std::string_view name);
  const Json& operator[](std::string_view name) const { return at(name); }
  // The element at that place; throws where there is none.
  template <std::integral I>
  const Json& operator[](I index) const {
    return element(static_cast<std::size_t>(index));
  }
  template <std::integral I>
  Json& operator[](I index) {
    return const_cast<Json&>(element(static_cast<std::size_t>(index)));
  }
  void push_back(Json element);
  // Elements of an array, members of an object, 0 for null, 1 else.
  std::size_t size() const noexcept;

  friend bool operator==(const Json&, const Json&);

 private:
  const Json& element(std::size_t index) const;
  [[noreturn]] void refuse(const char* wanted) const;

  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object> value_;
};

// Appends `text` as a JSON string with its quotes.
void append_quoted(std::string& out, std::string_view text);
// The bytes that append_quoted() adds.
std::size_t quoted_size(std::string_view text);

}  // namespace pawl::durable
