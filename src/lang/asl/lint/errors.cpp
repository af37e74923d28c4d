// Retriers and catchers.
#include <string>

#include "lang/asl/lint/objects.h"
#include "lang/asl/lint/rules.h"
#include "lang/asl/lint/values.h"

namespace pawl::asl {
namespace {

constexpr std::string_view kAllErrors = "States.ALL";

bool has_all(const Value& errors) {
  for (const Value& error : errors.items())
    if (error.is_string() && error.as_string() == kAllErrors) return true;
  return false;
}

void check_names(const Value& errors, const Place& place, Context& context) {
  for (size_t index = 0; index < errors.size(); ++index)
    if (!errors.at(index).is_string() && !context.findings.full())
      context.findings.report(Code::kFieldType, Place(place, index), "The name of an error must be a string.",
                              "Write a string.");
}

void check_error_equals(const Value& handler, bool last, const Place& place, Context& context) {
  const Value* errors = handler.find("ErrorEquals");
  if (errors == nullptr || !errors->is_array()) return;
  const Place here(place, "ErrorEquals");
  if (errors->size() == 0)
    context.findings.report(Code::kEmpty, here, "Value cannot be empty", "Name an error, or \"States.ALL\".");
  check_names(*errors, here, context);
  if (!has_all(*errors)) return;
  if (errors->size() > 1)
    context.findings.report(Code::kStatesAllNotAlone, here, "\"States.ALL\" must be alone in \"ErrorEquals\".",
                            "Take the other names out: \"States.ALL\" matches them too.");
  if (!last)
    context.findings.report(Code::kStatesAllNotLast, here,
                            "\"States.ALL\" must be in the last entry: the ones after it are never reached.",
                            "Move the entry to the end.");
}

void check_jitter(const Value& retrier, const Place& place, Context& context) {
  const Value* jitter = retrier.find("JitterStrategy");
  if (jitter == nullptr || !jitter->is_string() || jitter->as_string() == "FULL" || jitter->as_string() == "NONE")
    return;
  context.findings.report(Code::kInvalidValue, Place(place, "JitterStrategy"),
                          one_of_these("JitterStrategy", {"FULL", "NONE"}), "Use \"FULL\" or \"NONE\".");
}

void check_handlers(const State& state, std::string_view field, const Shape& shape, const Place& place,
                    Context& context) {
  const Value* handlers = state.source.find(field);
  if (handlers == nullptr || !handlers->is_array()) return;
  const Place here(place, field);
  for (size_t index = 0; index < handlers->size() && !context.findings.full(); ++index) {
    const Value& handler = handlers->at(index);
    const Place entry(here, index);
    check_object(handler, shape, entry, context);
    check_error_equals(handler, index + 1 == handlers->size(), entry, context);
    check_jitter(handler, entry, context);
  }
}

}  // namespace

void check_retry_and_catch(const State& state, const Place& place, Context& context) {
  check_handlers(state, "Retry", retrier_shape(), place, context);
  check_handlers(state, "Catch", catcher_shape(), place, context);
}

}  // namespace pawl::asl
