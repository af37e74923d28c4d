// Types that nlohmann::json can write and read, in durable functions:
//
//   NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Order, id, items)
//   PAWL_DURABLE_NLOHMANN(Order)
//
// stands in the type's namespace. nlohmann::json itself is needed by who uses this header, not by Pawl.
#pragma once

#include <nlohmann/json.hpp>

#include "pawl/durable/json.h"

namespace pawl::durable::detail {

inline Json from_nlohmann(const nlohmann::json& json) {
  try {
    return Json::parse(json.dump());
  } catch (const nlohmann::json::exception& error) {
    throw SerializationError(error.what());
  }
}

template <typename T>
void read_by_nlohmann(const Json& json, T& value) {
  try {
    nlohmann::json::parse(json.dump()).get_to(value);
  } catch (const nlohmann::json::exception& error) {
    throw SerializationError(error.what());
  }
}

}  // namespace pawl::durable::detail

#define PAWL_DURABLE_NLOHMANN(Type)                                                                  \
  [[maybe_unused]] inline void to_json(::pawl::durable::Json& pawl_json, const Type& pawl_value) {   \
    pawl_json = ::pawl::durable::detail::from_nlohmann(nlohmann::json(pawl_value));                  \
  }                                                                                                  \
  [[maybe_unused]] inline void from_json(const ::pawl::durable::Json& pawl_json, Type& pawl_value) { \
    ::pawl::durable::detail::read_by_nlohmann(pawl_json, pawl_value);                                \
  }
