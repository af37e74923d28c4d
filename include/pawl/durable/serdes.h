// How values become the text of a checkpoint and come back: Serdes<T>, and what a type needs to have one.
//
// Built in: bool, numbers, strings, enums (as their number), std::optional, vector, array, map with string keys, pair
// and tuple, chrono durations (as their count), std::monostate, Json. For a type of your own, list its fields beside
// it,
//
//   struct Order { std::string id; std::vector<Item> items; };
//   PAWL_DURABLE_FIELDS(Order, id, items)
//
// or write the two functions that are found by its namespace:
//
//   void to_json(pawl::durable::Json& json, const Order& order);
//   void from_json(const pawl::durable::Json& json, Order& order);
//
// Types that nlohmann::json knows: pawl/durable_nlohmann.h. What is written must read back as an equal value: an
// operation gives the value that was read back, on the first run as on each replay.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "pawl/durable/json.h"

namespace pawl::durable {
namespace detail {

template <typename T, template <typename...> class Template>
inline constexpr bool kIs = false;
template <template <typename...> class Template, typename... Arguments>
inline constexpr bool kIs<Template<Arguments...>, Template> = true;
template <typename T>
inline constexpr bool kIsArray = false;
template <typename T, std::size_t N>
inline constexpr bool kIsArray<std::array<T, N>> = true;

template <typename T>
concept Own = requires(Json& json, const T& value, T& target) {
  to_json(json, value);
  from_json(std::as_const(json), target);
};

template <typename T>
consteval bool storable();

template <typename Tuple, std::size_t... Index>
consteval bool all_storable(std::index_sequence<Index...>) {
  return (storable<std::tuple_element_t<Index, Tuple>>() && ...);
}

template <typename T>
consteval bool storable() {
  if constexpr (Own<T>) {
    return true;
  } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string> ||
                       std::is_same_v<T, Json> || std::is_same_v<T, std::monostate> || kIs<T, std::chrono::duration>) {
    return true;
  } else if constexpr (kIs<T, std::optional> || kIs<T, std::vector> || kIsArray<T>) {
    return storable<typename T::value_type>();
  } else if constexpr (kIs<T, std::map>) {
    return std::is_same_v<typename T::key_type, std::string> && storable<typename T::mapped_type>();
  } else if constexpr (kIs<T, std::pair> || kIs<T, std::tuple>) {
    return all_storable<T>(std::make_index_sequence<std::tuple_size_v<T>>());
  } else {
    return false;
  }
}

template <typename T>
void write_json(Json& json, const T& value) {
  if constexpr (Own<T>) {
    to_json(json, value);
  } else if constexpr (std::is_same_v<T, std::monostate>) {
    json = Json();
  } else if constexpr (std::is_enum_v<T>) {
    json = Json(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (kIs<T, std::chrono::duration>) {
    json = Json(value.count());
  } else if constexpr (kIs<T, std::optional>) {
    json = Json();
    if (value) write_json(json, *value);
  } else if constexpr (kIs<T, std::vector> || kIsArray<T>) {
    Json::Array elements(value.size());
    for (std::size_t index = 0; index < value.size(); ++index)
      write_json<typename T::value_type>(elements[index], value[index]);
    json = Json(std::move(elements));
  } else if constexpr (kIs<T, std::map>) {
    json = Json::object();
    for (const auto& [name, member] : value) write_json(json[name], member);
  } else if constexpr (kIs<T, std::pair> || kIs<T, std::tuple>) {
    json = Json::array();
    std::apply(
        [&json](const auto&... element) {
          const auto add = [&json](const auto& one) {
            Json written;
            write_json(written, one);
            json.push_back(std::move(written));
          };
          (add(element), ...);
        },
        value);
  } else {
    json = Json(value);
  }
}

template <typename T>
void read_number(const Json& json, T& value) {
  if constexpr (std::is_floating_point_v<T>) {
    value = static_cast<T>(json.as_double());
  } else if constexpr (std::is_unsigned_v<T>) {
    const std::uint64_t wide = json.as_unsigned();
    value = static_cast<T>(wide);
    if (static_cast<std::uint64_t>(value) != wide) throw SerializationError("JSON: a number is too large for its type");
  } else {
    const std::int64_t wide = json.as_integer();
    value = static_cast<T>(wide);
    if (static_cast<std::int64_t>(value) != wide) throw SerializationError("JSON: a number is too large for its type");
  }
}

template <typename T>
void read_json(const Json& json, T& value);

template <typename Tuple, std::size_t... Index>
void read_tuple(const Json& json, Tuple& value, std::index_sequence<Index...>) {
  (read_json(json[Index], std::get<Index>(value)), ...);
}

template <typename T>
void read_elements(const Json& json, T& value) {
  const Json::Array& elements = json.as_array();
  if constexpr (kIsArray<T>) {
    if (elements.size() != value.size()) throw SerializationError("JSON: the array has another length than its type");
  } else {
    value.resize(elements.size());
  }
  for (std::size_t index = 0; index < elements.size(); ++index) {
    typename T::value_type element{};
    read_json(elements[index], element);
    value[index] = std::move(element);
  }
}

template <typename T>
void read_json(const Json& json, T& value) {
  if constexpr (Own<T>) {
    from_json(json, value);
  } else if constexpr (std::is_same_v<T, Json>) {
    value = json;
  } else if constexpr (std::is_same_v<T, std::monostate>) {
  } else if constexpr (std::is_same_v<T, bool>) {
    value = json.as_boolean();
  } else if constexpr (std::is_same_v<T, std::string>) {
    value = json.as_string();
  } else if constexpr (std::is_arithmetic_v<T>) {
    read_number(json, value);
  } else if constexpr (std::is_enum_v<T>) {
    std::underlying_type_t<T> number{};
    read_number(json, number);
    value = static_cast<T>(number);
  } else if constexpr (kIs<T, std::chrono::duration>) {
    typename T::rep count{};
    read_number(json, count);
    value = T(count);
  } else if constexpr (kIs<T, std::optional>) {
    value.reset();
    if (!json.is_null()) read_json(json, value.emplace());
  } else if constexpr (kIs<T, std::vector> || kIsArray<T>) {
    read_elements(json, value);
  } else if constexpr (kIs<T, std::map>) {
    value.clear();
    for (const Json::Member& member : json.as_object()) read_json(member.value, value[member.name]);
  } else {
    if (json.as_array().size() != std::tuple_size_v<T>)
      throw SerializationError("JSON: the array has another length than its type");
    read_tuple(json, value, std::make_index_sequence<std::tuple_size_v<T>>());
  }
}

template <typename T>
void read_field(const Json& json, const char* name, T& value) {
  const Json* member = json.find(name);
  if (member != nullptr) return read_json(*member, value);
  if constexpr (kIs<T, std::optional>) {
    value.reset();
  } else {
    static_cast<void>(json.at(name));
  }
}

}  // namespace detail

// A type whose values can be kept in a checkpoint.
template <typename T>
concept Storable = detail::storable<T>() && std::is_default_constructible_v<T>;

// Fails to compile with a sentence instead of a page of templates.
#define PAWL_DURABLE_REQUIRE_STORABLE(T)                                                                         \
  static_assert(                                                                                                 \
      ::pawl::durable::Storable<T>,                                                                              \
      "pawl::durable: a value of this type cannot be kept in a checkpoint. List its fields with "                \
      "PAWL_DURABLE_FIELDS(Type, field, ...), or give its namespace to_json(pawl::durable::Json&, const Type&) " \
      "and from_json(const pawl::durable::Json&, Type&); it also needs a default constructor.")

// The two directions between T and text. An empty one stands for the JSON that the type describes of itself. What
// `encode` gives need not be JSON. Both are called on any thread and must be pure.
template <typename T>
struct Serdes {
  Serdes() = default;
  Serdes(std::function<std::string(const T&)> encode_with, std::function<T(std::string_view)> decode_with)
      : encode(std::move(encode_with)), decode(std::move(decode_with)) {}

  std::function<std::string(const T&)> encode;
  std::function<T(std::string_view)> decode;
};

namespace detail {

template <typename T>
std::string encode(const Serdes<T>& serdes, const T& value) {
  if (serdes.encode) return serdes.encode(value);
  if constexpr (Storable<T>) {
    Json json;
    write_json(json, value);
    return json.dump();
  } else {
    throw SerializationError("the type has no JSON of its own and its Serdes has no `encode`");
  }
}

template <typename T>
T decode(const Serdes<T>& serdes, std::string_view text) {
  if (serdes.decode) return serdes.decode(text);
  if constexpr (Storable<T>) {
    T value{};
    read_json(Json::parse(text), value);
    return value;
  } else {
    throw SerializationError("the type has no JSON of its own and its Serdes has no `decode`");
  }
}

// An absent payload is what nothing was written for: null.
template <typename T>
T decode_payload(const Serdes<T>& serdes, const std::optional<std::string>& payload) {
  return decode(serdes, payload ? std::string_view(*payload) : std::string_view("null"));
}

}  // namespace detail

// The JSON text of a value, and back; for programs that talk to durable functions.
template <typename T>
std::string to_text(const T& value) {
  PAWL_DURABLE_REQUIRE_STORABLE(T);
  return detail::encode(Serdes<T>{}, value);
}
template <typename T>
T from_text(std::string_view text) {
  PAWL_DURABLE_REQUIRE_STORABLE(T);
  return detail::decode(Serdes<T>{}, text);
}

}  // namespace pawl::durable

#define PAWL_DURABLE_PARENS_ ()
#define PAWL_DURABLE_EXPAND_(...) PAWL_DURABLE_EXPAND1_(PAWL_DURABLE_EXPAND1_(PAWL_DURABLE_EXPAND1_(__VA_ARGS__)))
#define PAWL_DURABLE_EXPAND1_(...) PAWL_DURABLE_EXPAND2_(PAWL_DURABLE_EXPAND2_(PAWL_DURABLE_EXPAND2_(__VA_ARGS__)))
#define PAWL_DURABLE_EXPAND2_(...) PAWL_DURABLE_EXPAND3_(PAWL_DURABLE_EXPAND3_(PAWL_DURABLE_EXPAND3_(__VA_ARGS__)))
#define PAWL_DURABLE_EXPAND3_(...) __VA_ARGS__
#define PAWL_DURABLE_EACH_(macro, first, ...) \
  macro(first) __VA_OPT__(PAWL_DURABLE_EACH_AGAIN_ PAWL_DURABLE_PARENS_(macro, __VA_ARGS__))
#define PAWL_DURABLE_EACH_AGAIN_() PAWL_DURABLE_EACH_
#define PAWL_DURABLE_WRITE_(field) ::pawl::durable::detail::write_json(pawl_json[#field], pawl_value.field);
#define PAWL_DURABLE_READ_(field) ::pawl::durable::detail::read_field(pawl_json, #field, pawl_value.field);

// The fields of an aggregate, up to 27, in the order they are written; a missing std::optional reads as empty. Stands
// in the type's namespace.
#define PAWL_DURABLE_FIELDS(Type, ...)                                                               \
  [[maybe_unused]] inline void to_json(::pawl::durable::Json& pawl_json, const Type& pawl_value) {   \
    pawl_json = ::pawl::durable::Json::object();                                                     \
    PAWL_DURABLE_EXPAND_(PAWL_DURABLE_EACH_(PAWL_DURABLE_WRITE_, __VA_ARGS__))                       \
  }                                                                                                  \
  [[maybe_unused]] inline void from_json(const ::pawl::durable::Json& pawl_json, Type& pawl_value) { \
    PAWL_DURABLE_EXPAND_(PAWL_DURABLE_EACH_(PAWL_DURABLE_READ_, __VA_ARGS__))                        \
  }
