// Rules that hold for every object of a definition: which fields it has, what they hold, which exclude one another.
#pragma once

#include <string>
#include <string_view>

#include "lang/asl/lint/context.h"

namespace pawl::asl {

// Unknown fields, fields of another state type or query language, missing fields, the kinds of all values, and twins.
void check_object(const Value& object, const Shape& shape, const Place& place, Context& context);

// What AWS says of a field of the other query language.
std::string only_for(std::string_view field, Language language);

// "Did you mean \"Next\"?" where a name that is allowed is near to what was written, else a sentence about all of them.
std::string suggestion(std::string_view written, const std::vector<std::string_view>& names,
                       std::string_view otherwise);

}  // namespace pawl::asl
