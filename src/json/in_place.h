// Changing values that nobody else holds, so that building one piece by piece costs what its pieces cost. What somebody
// else holds too is copied first, as everywhere.
#pragma once

#include <span>
#include <string_view>

#include "json/value.h"

namespace pawl::json {

// Whether this is the only reference to an array, an object or a long string.
bool is_unshared(const Value& value);

// As with_item, with_member and so on, of a value that is given away.
Value with_item(Value&& array, size_t index, Value item);
Value with_member(Value&& object, std::string_view key, Value value);
Value with_items_appended(Value&& array, std::span<const Value> items);
Value with_text_appended(Value&& string, std::string_view text);

// A part taken out of an unshared array or object, to be changed and put back. In between the whole must not be used.
struct TakenPart {
  Value part;
  Value* place = nullptr;  // null where there was no such part, or where the whole is shared: `part` is then a copy
  size_t json_size = 0;
  uint32_t depth = 0;
};
TakenPart take_item(Value& array, size_t index);  // the index must be in range
TakenPart take_member(Value& object, std::string_view key);
void put_back(Value& whole, const TakenPart& taken, Value part);  // taken.place must not be null

}  // namespace pawl::json
