// Paths, Reference Paths and intrinsic functions where a definition holds them.
#include <string>

#include "expr/intrinsic/intrinsic.h"
#include "expr/jsonpath/reference_path.h"
#include "expr/jsonpath/rooted_path.h"
#include "lang/asl/lint/values.h"

namespace pawl::asl {
namespace {

constexpr std::string_view kIntrinsicPrefix = "States.";

// AWS says it of a field of a Payload Template in words that name the field.
std::string cause_of(std::string_view known, const Place& place, const Error& error) {
  const std::string field = place.last_token();
  std::string cause = field.ends_with(".$") ? "The value for the field '" + field +
                                                  "' must be a valid JSONPath or a valid intrinsic function call"
                                            : std::string(known);
  return cause + ": " + error.what;
}

std::string fix_of(const Error& error, std::string_view otherwise) {
  return error.fix.empty() ? std::string(otherwise) : error.fix;
}

void report_path(Code code, std::string_view known, const Place& place, const Error& error, Context& context) {
  context.findings.report(code, place, cause_of(known, place, error),
                          fix_of(error, "Write a path that begins with $: $.order.items[0]."));
}

Error not_a_path(std::string_view text) {
  if (text.starts_with(kIntrinsicPrefix))
    return {"", "", "an intrinsic function is not allowed here.",
            "Call the function in the Parameters of a Pass before this state, and refer to its result."};
  return {"", "", quoted(text) + " does not begin with $.", ""};
}

bool begins_variable(std::string_view text) {
  return text.size() > 1 && text[0] == '$' && text[1] != '$' && text[1] != '.' && text[1] != '[';
}

// $$.a and $name.a as paths on their root: $.a
std::string below_root(std::string_view text) {
  if (text.starts_with("$$")) return std::string(text.substr(1));
  if (!begins_variable(text)) return std::string(text);
  const size_t end = text.find_first_of(".[", 1);
  return "$" + std::string(end == std::string_view::npos ? "" : text.substr(end));
}

}  // namespace

void check_path(std::string_view text, const Place& place, Context& context) {
  constexpr std::string_view kKnown = "Value is not a valid JSONPath";
  if (!text.starts_with('$')) return report_path(Code::kPath, kKnown, place, not_a_path(text), context);
  const auto path = jsonpath::RootedPath::compile(text);
  if (!path) report_path(Code::kPath, kKnown, place, path.error(), context);
}

void check_reference_path(Kind kind, std::string_view text, const Place& place, Context& context) {
  constexpr std::string_view kKnown = "Value is not a Reference Path";
  if (!text.starts_with('$')) return report_path(Code::kReferencePath, kKnown, place, not_a_path(text), context);
  const bool on_context = text.starts_with("$$");
  if (on_context && kind == Kind::kResultPath)
    return context.findings.report(Code::kResultPathOnContext, place,
                                   "Value is not a Reference Path: the Context Object cannot be written to.",
                                   "Write a path into the state's input: $.result.");
  if (on_context && kind == Kind::kNumberPath)
    return report_path(Code::kReferencePath, kKnown, place,
                       {"", "", "it must not refer to the Context Object.", "Refer to the state's input."}, context);
  if (begins_variable(text) && kind == Kind::kResultPath)
    return report_path(Code::kReferencePath, kKnown, place,
                       {"", "", "it must not refer to a variable.", "Set the variable with \"Assign\"."}, context);
  const auto path = jsonpath::ReferencePath::compile(below_root(text));
  if (!path) return report_path(Code::kReferencePath, kKnown, place, path.error(), context);
  // Such a path is evaluated as any other is.
  if (kind != Kind::kResultPath) check_path(text, place, context);
}

void check_path_or_intrinsic(std::string_view text, const Place& place, Context& context) {
  if (!text.starts_with(kIntrinsicPrefix)) return check_path(text, place, context);
  const auto call = intrinsic::Intrinsic::compile(text);
  if (call) return;
  const bool unknown = call.error().code == "INTRINSIC_UNKNOWN_FUNCTION";
  context.findings.report(unknown ? Code::kUnknownFunction : Code::kIntrinsic, place,
                          cause_of("Value is not a valid intrinsic function call", place, call.error()),
                          fix_of(call.error(), "Write a call such as States.Format('Hi {}', $.name)."));
}

}  // namespace pawl::asl
