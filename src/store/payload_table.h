// The nodes of an execution that are stored already, by number: what makes a value that is passed on cost a few bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "json/value.h"
#include "store/wire.h"

namespace pawl::store {

using json::Value;

inline constexpr uint32_t kValueDepthMax = 4096;  // of a stored value; deeper ones are not written by any language

// Numbers are given in the order in which nodes are completed, by writer and reader alike.
class PayloadTable {
 public:
  void write(const Value& value, ByteWriter& out);
  // Null, and the reader failed, where the bytes are no value.
  Value read(ByteReader& in) { return read(in, 0); }

 private:
  enum class Tag : uint8_t {
    kNull = 0,
    kFalse = 1,
    kTrue = 2,
    kInteger = 3,      // zigzag
    kDouble = 4,       // 8 bytes
    kNumberText = 5,   // text; a node if it is long
    kString = 6,       // text; a node if it is long
    kStored = 7,       // the node with this number
    kArray = 8,        // count, items
    kObject = 9,       // count, (key, value)…
    kObjectWith = 10,  // a stored object, with one member replaced or added: number, key, value
  };

  void write_node(const Value& value, ByteWriter& out);
  bool write_change(const Value& value, ByteWriter& out);
  void remember(const Value& value);
  Value read(ByteReader& in, uint32_t depth);
  Value read_array(ByteReader& in, uint32_t depth);
  Value read_object(ByteReader& in, uint32_t depth);
  Value read_change(ByteReader& in, uint32_t depth);
  Value stored(ByteReader& in) const;
  Value remembered(Value value);

  std::vector<Value> nodes_;
  std::unordered_map<const void*, uint32_t> numbers_;
  std::optional<uint32_t> last_object_;
};

}  // namespace pawl::store
