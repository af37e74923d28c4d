#include "lang/serverless/merge.h"

#include "base/assert.h"

namespace pawl::serverless {

// Recursion goes no deeper than the addition, whose depth the parser bounded.
Value merge_objects(const Value& data, const Value& addition) {
  PAWL_ASSERT(data.is_object() && addition.is_object());
  if (data.size() == 0) return addition;
  json::ObjectBuilder builder(data.size() + addition.size());
  for (const json::Member& member : data.members()) builder.set(member.key, member.value);
  for (const json::Member& member : addition.members()) {
    const Value* present = data.find(member.key.as_string());
    const bool both_objects = present != nullptr && present->is_object() && member.value.is_object();
    builder.set(member.key, both_objects ? merge_objects(*present, member.value) : member.value);
  }
  return builder.build();
}

Result<Value> merge(const Value& data, const Value& addition) {
  if (data.is_object()) return merge_objects(data, addition);
  if (addition.size() == 0) return data;
  return fail("SW_MERGE", "The state's data is no object, so nothing can be added to it.",
              "Let the state's input filter select an object, or add nothing in this state.");
}

}  // namespace pawl::serverless
