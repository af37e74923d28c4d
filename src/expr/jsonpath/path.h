// JSONPath: compiled once, evaluated often, in four dialects.
//
//   auto path = jsonpath::Path::compile("$.orders[?(@.total > 100)].id", Dialect::kAsl);
//   Value ids = path->evaluate(input).value();
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace pawl::jsonpath {

using json::Value;

enum class Dialect : uint8_t {
  kAsl,         // Jayway as AWS runs it: an indefinite path gives [] even where a parent is missing
  kJayway,      // as Jayway 2.9 answers
  kServerless,  // Jayway, but a bare [?(@.flag)] leaves out false
  kRfc9535,
};

inline constexpr size_t kPathBytesMax = 65536;
inline constexpr size_t kPathSegmentsMax = 512;

namespace internal {
struct Program;
}

// Immutable; copies share the compiled program; safe to evaluate on many threads at once.
class Path {
 public:
  // Errors: JSONPATH_SYNTAX with the column in `where` ("column 7"), JSONPATH_TOO_LONG, JSONPATH_TOO_DEEP.
  static Result<Path> compile(std::string_view text, Dialect dialect);

  // A definite path gives its one value; an indefinite one an array of what it matched.
  // Errors: JSONPATH_NO_MATCH where a definite path leads nowhere; `what` is Jayway's sentence, for example
  // "No results for path: $['X']" or "Missing property in path $['no']". JSONPATH_LIMIT where a bound was reached
  // (regex effort, visited nodes). JSONPATH_FUNCTION where a function cannot work with what it got (the sum of
  // nothing).
  Result<Value> evaluate(const Value& root) const;

  // As evaluate for a singular path, without an error text: null where it leads nowhere, and always for a path that is
  // not singular. Allocates nothing. `root` must outlive the pointer.
  const Value* find(const Value& root) const;

  // Every match, in order (rfc9535's nodelist).
  Result<std::vector<Value>> nodes(const Value& root) const;

  bool is_definite() const;  // at most one result
  bool is_singular() const;  // definite, and a part of the document: only single names and indices
  const std::string& text() const;

  // The last single name on the way: "total" of $.orders[?(@.paid)].total and of $.total[0]; empty where there is none.
  std::string_view last_name() const;
  // The names of a path that is made of nothing else: a and b of $.a.b. Nothing for $ and for any other path.
  std::vector<std::string> names() const;

 private:
  std::shared_ptr<const internal::Program> program_;
};

}  // namespace pawl::jsonpath
