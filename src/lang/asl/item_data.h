// The items in the text of a file that a Map's ItemReader reads: JSON, JSON lines or CSV.
#pragma once

#include <string_view>

#include "base/result.h"
#include "json/value.h"

namespace pawl::asl {

using json::Value;

// `text` is valid UTF-8. `config` is the reader's ReaderConfig, or null: InputType (without it JSON), ItemsPointer,
// MaxItems, CSVHeaderLocation, CSVHeaders and CSVDelimiter count. The items as an array. Error: ITEM_DATA_INVALID.
Result<Value> read_items(std::string_view text, const Value& config);

}  // namespace pawl::asl
