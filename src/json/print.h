// Value to JSON text.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace pawl::json {

std::string print(const Value& value);                        // compact
std::string print_pretty(const Value& value);                 // two blanks a level, as people read it
void append(std::string& out, const Value& value);            // compact
void append_string(std::string& out, std::string_view text);  // quoted and escaped

}  // namespace pawl::json
