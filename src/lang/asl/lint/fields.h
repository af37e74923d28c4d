// The fields that the parts of a definition may have, as tables.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "lang/asl/model.h"

namespace pawl::asl {

enum class Language : uint8_t { kJsonPath, kJsonata };

// What a field's value must be. In a JSONata state a number or a string may also be a {% … %} string.
enum class Kind : uint8_t {
  kAny,
  kString,
  kBoolean,
  kNumber,
  kObject,
  kArray,
  kPath,           // a path on the input, the Context Object or a variable; or null
  kResultPath,     // a Reference Path into the input, or null
  kReferencePath,  // a Reference Path on the input, the Context Object or a variable
  kNumberPath,     // a Reference Path on the input or a variable
  kPathOrIntrinsic,
  kTemplate,         // a Payload Template
  kAssign,           // a Payload Template whose first level names variables
  kJsonataTemplate,  // any value, with {% … %} strings inside
  kTimestamp,
  kPositiveSeconds,  // 1 to 99,999,999
  kSeconds,          // 0 to 99,999,999
  kCount,            // an integer from 0
  kPositive,         // an integer from 1
  kPercentage,       // a number from 0 to 100
  kRate,             // a number from 1
};

// A set of state types, one bit each.
using TypeSet = uint16_t;
constexpr TypeSet only(StateType type) { return static_cast<TypeSet>(1u << static_cast<unsigned>(type)); }
inline constexpr TypeSet kNoType = 0;
inline constexpr TypeSet kEveryType = 0xFF;

// Parts that are no states have kEveryType or kNoType for the languages that allow the field.
struct Field {
  std::string_view name;
  Kind kind;
  TypeSet jsonpath;
  TypeSet jsonata;
  bool required = false;

  TypeSet types(Language language) const { return language == Language::kJsonPath ? jsonpath : jsonata; }
  bool allowed(Language language, StateType type) const { return (types(language) & only(type)) != 0; }
};

// Fields of which an object may have one only; with `required`, exactly one.
struct Twins {
  std::array<std::string_view, 4> names;  // the rest is empty
  TypeSet types = kEveryType;             // for states: where they belong
  bool required = false;
};

// A kind of object.
struct Shape {
  std::string_view title;  // "A retrier"
  std::span<const Field> fields;
  std::span<const Twins> twins;

  const Field* find(std::string_view name) const;
};

const Shape& state_shape();
const Shape& machine_shape();    // the whole definition
const Shape& branch_shape();     // of a Parallel
const Shape& processor_shape();  // of a Map
const Shape& processor_config_shape();
const Shape& retrier_shape();
const Shape& catcher_shape();
const Shape& item_batcher_shape();
const Shape& item_reader_shape();
const Shape& reader_config_shape();
const Shape& result_writer_shape();

// "Task, Parallel or Map".
std::string type_names(TypeSet types);

}  // namespace pawl::asl
