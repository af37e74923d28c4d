// Resources by pattern: '*' stands for any text.
#pragma once

#include <string_view>

namespace pawl::connect {

bool matches_pattern(std::string_view pattern, std::string_view text);

// The entry (it has a `pattern`) for a resource: one that is equal to it, else the first whose pattern matches; or
// null.
template <typename Entries>
auto find_by_pattern(const Entries& entries, std::string_view resource) -> decltype(&*entries.begin()) {
  for (const auto& entry : entries)
    if (entry.pattern == resource) return &entry;
  for (const auto& entry : entries)
    if (matches_pattern(entry.pattern, resource)) return &entry;
  return nullptr;
}

}  // namespace pawl::connect
