// The table of all natives, by name and arity.
#include "expr/jq/natives.h"

#include <map>
#include <vector>

#include "expr/jq/library.h"

namespace pawl::jq::internal {

namespace {

using Key = std::pair<std::string_view, size_t>;

struct Table {
  std::vector<Native> natives;
  std::map<Key, size_t> numbers;

  Table() {
    for (const auto part : {collection_natives(), order_natives(), string_natives(), format_natives(), regex_natives(),
                            math_natives(), date_natives()})
      natives.insert(natives.end(), part.begin(), part.end());
    for (size_t i = 0; i < natives.size(); ++i) numbers.emplace(Key(natives[i].name, natives[i].arity), i);
  }
};

const Table& table() {
  static const Table all;
  return all;
}

}  // namespace

size_t find_native(std::string_view name, size_t arity) {
  const auto found = table().numbers.find({name, arity});
  return found == table().numbers.end() ? kNoNative : found->second;
}

const Native& native_at(size_t number) { return table().natives[number]; }

Value builtin_names() {
  static const Value names = [] {
    json::ArrayBuilder all;
    for (const Native& native : table().natives)
      if (native.name[0] != '_' && native.name[0] != '@')
        all.push(Value::string(std::string(native.name) + "/" + std::to_string(native.arity)));
    for (const std::string& name : library_names()) all.push(Value::string(name));
    for (const char* special : {"empty/0", "error/0", "error/1", "not/0", "path/1", "range/1", "range/2", "range/3"})
      all.push(Value::string(special));
    return all.build();
  }();
  return names;
}

}  // namespace pawl::jq::internal
