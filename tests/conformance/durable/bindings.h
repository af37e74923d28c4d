// The names of a case (${ID1}, ${INPUT_1}) and what they stand for.
#pragma once

#include <map>
#include <string>

#include "json/value.h"

namespace pawl::conformance {

using json::Value;

class Bindings {
 public:
  // From the variables of a case: "${GEN_STR:8}" becomes eight letters that follow from `seed` and the name, so that a
  // run can be repeated; anything else stands for itself.
  Bindings(const Value& variables, const std::string& seed);

  const Value* find(const std::string& name) const;
  void bind(const std::string& name, Value value) { values_[name] = std::move(value); }

  // Puts the values in the place of the names that are known, in every text below.
  Value substitute(const Value& value) const;
  std::string substitute_text(std::string_view text) const;

 private:
  std::map<std::string, Value> values_;
};

// "${NAME}" and nothing else: its NAME; else empty. A pattern "${/…/}" is no name.
std::string name_in(const Value& value);

}  // namespace pawl::conformance
