// Any document is refused with a code, or is a schema that decides about any value. A text is a schema and a value, in
// an array; a schema alone is held against itself.
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "json/parse.h"
#include "json/pointer.h"
#include "schema/schema.h"

using namespace pawl;

namespace {

void check(const json::Value& document, const json::Value& value, schema::Draft draft) {
  const auto compiled = schema::Schema::compile(document, {draft, "", nullptr});
  if (!compiled) {
    PAWL_ASSERT(compiled.error().code.starts_with("SCHEMA_") && !compiled.error().fix.empty());
    return;
  }
  const auto violations = compiled->validate(value);
  PAWL_ASSERT(violations.empty() == compiled->accepts(value));
  for (const schema::Violation& violation : violations)
    PAWL_ASSERT(json::find_pointer(value, violation.instance) != nullptr, violation.instance);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto parsed = json::parse({reinterpret_cast<const char*>(data), size});
  if (!parsed) return 0;
  const bool is_pair = parsed->is_array() && parsed->size() == 2;
  for (const schema::Draft draft : {schema::Draft::k7, schema::Draft::k2020_12})
    check(is_pair ? parsed->at(0) : *parsed, is_pair ? parsed->at(1) : *parsed, draft);
  return 0;
}
