// What two runs cannot have in common is taken out: names and numbers that the recorder replaced by placeholders.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/value.h"

namespace pawl::conformance {

using json::Value;

// A recording's own replacements (regex, text), to be made in what our run yields too. Not for several threads at once.
class Transformers {
 public:
  explicit Transformers(const std::vector<std::pair<std::string, std::string>>& rules);
  ~Transformers();
  Transformers(const Transformers&) = delete;
  Transformers& operator=(const Transformers&) = delete;

  std::string apply(std::string text) const;
  Value apply(const Value& value) const;  // in every string and key

 private:
  struct Rule;
  std::vector<Rule> rules_;
};

// True where a recorded text, with <placeholders> that stand for anything, fits ours.
bool fits_pattern(std::string_view recorded, std::string_view ours);

// A recorded text that the recorder put in the place of a whole value, whatever its type.
bool is_wildcard(std::string_view recorded);

// Where two values differ, one line each: "/Payload/id: recorded 1, ours 2". The order of members does not count; texts
// that are both JSON objects or arrays are compared as such. At most kDifferencesMax.
inline constexpr size_t kDifferencesMax = 8;
std::vector<std::string> differences(const Value& recorded, const Value& ours);

}  // namespace pawl::conformance
