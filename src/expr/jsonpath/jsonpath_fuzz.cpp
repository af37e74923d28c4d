// Fuzzes paths: the first byte picks the dialect, then comes the path up to a line feed, then a JSON document.
//
// Whatever the text, compiling and evaluating end with a value or an error, and the ways to ask agree with each other.
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "expr/jsonpath/path.h"
#include "expr/jsonpath/reference_path.h"
#include "expr/jsonpath/rooted_path.h"
#include "json/parse.h"

namespace {

using pawl::jsonpath::Dialect;
using pawl::jsonpath::Path;
using pawl::jsonpath::ReferencePath;
using pawl::jsonpath::RootedPath;
using pawl::jsonpath::Roots;
using pawl::jsonpath::Value;

void check_path(std::string_view text, Dialect dialect, const Value& document) {
  const auto path = Path::compile(text, dialect);
  if (!path) return;
  PAWL_ASSERT(path->text() == text);
  const auto value = path->evaluate(document);
  const auto nodes = path->nodes(document);
  if (value && path->is_definite()) PAWL_ASSERT(nodes && nodes->size() >= 1);
  if (value && !path->is_definite()) PAWL_ASSERT(nodes && nodes->size() == value->size());
  if (path->is_singular()) PAWL_ASSERT((path->find(document) != nullptr) == value.has_value());
}

void check_reference_path(std::string_view text, const Value& document) {
  const auto path = ReferencePath::compile(text);
  if (!path) return;
  const auto written = path->insert(document, Value::integer(1));
  if (written) PAWL_ASSERT(*path->find(*written) == Value::integer(1));
}

void check_rooted_path(std::string_view text, const Value& document) {
  const auto path = RootedPath::compile(text);
  if (path) (void)path->evaluate(Roots(document));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const size_t line = input.find('\n');
  const std::string_view text = input.substr(0, line);
  const auto document = pawl::json::parse(line == std::string_view::npos ? "null" : input.substr(line + 1));
  if (!document) return 0;
  check_path(text, static_cast<Dialect>(data[0] % 4), *document);
  check_reference_path(text, *document);
  check_rooted_path(text, *document);
  return 0;
}
