// Rules for the values of single fields.
#pragma once

#include <string_view>

#include "json/value.h"
#include "lang/asl/lint/context.h"

namespace pawl::asl {

// Checks a value against what its field must hold.
void check_value(Kind kind, const Value& value, const Place& place, Context& context);

// {% … %}: the form only. A string that opens or closes the form and does not do both is a finding; one with blanks
// around it is a text like any other.
bool is_jsonata(std::string_view text);
void check_jsonata_form(std::string_view text, const Place& place, Context& context);

// Reports ASL_FIELD_TYPE: "\"Retry\" must be an array."
void report_type(const Place& place, std::string_view wanted, Context& context);

// Paths and intrinsic functions.
void check_path(std::string_view text, const Place& place, Context& context);
void check_reference_path(Kind kind, std::string_view text, const Place& place, Context& context);
void check_path_or_intrinsic(std::string_view text, const Place& place, Context& context);

// Payload Templates.
void check_template(const Value& value, const Place& place, Context& context);
void check_static_result(const Value& value, const Place& place, Context& context);
void check_assign(const Value& value, const Place& place, Context& context);

// The names of variables: Unicode identifiers of at most 80 characters, but for the reserved one.
inline constexpr size_t kVariableNameCharactersMax = 80;
inline constexpr std::string_view kReservedVariable = "states";

}  // namespace pawl::asl
