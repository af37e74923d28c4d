// Findings in AWS's words.
//
// Most causes are AWS's sentences already; what differs here is the code, the place and, for a text that is no JSON,
// the message of AWS's parser.
#include <algorithm>
#include <string>

#include "json/parse.h"
#include "json/pointer.h"
#include "lang/asl/lint.h"
#include "lang/asl/lint/codes.h"

namespace pawl::asl {
namespace {

constexpr size_t kRefusalsMax = 10;           // named in one message
constexpr size_t kSourceCharactersMax = 500;  // of the text that AWS's parser quotes

struct AwsDiagnostic {
  std::string code;
  std::string message;
  std::string location;  // empty where AWS gives none
};

std::string_view parent_of(std::string_view pointer) {
  return pointer.substr(0, std::min(pointer.rfind('/'), pointer.size()));
}

bool in_template(const Diagnostic& diagnostic) {
  return diagnostic.pointer.ends_with(".$") && diagnostic.cause.starts_with("The value for the field '");
}

std::string message_of(const Diagnostic& diagnostic) {
  // Lint says after a colon what exactly is wrong with an expression; AWS does not.
  if (in_template(diagnostic)) return diagnostic.cause.substr(0, diagnostic.cause.find("call") + 4);
  const bool path = diagnostic.code == "ASL_PATH" || diagnostic.code == "ASL_REFERENCE_PATH";
  if (path) return diagnostic.cause.substr(0, diagnostic.cause.find(": "));
  // AWS's sentence ends in a blank.
  if (diagnostic.cause.ends_with("service integration")) return diagnostic.cause + " ";
  return diagnostic.cause;
}

// AWS writes the place of an item as Catch[0], where a pointer has Catch/0.
std::string as_aws_location(std::string_view pointer) {
  constexpr std::string_view kLists[] = {"/Choices", "/Catch", "/Retry", "/Branches", "/And", "/Or", "/ErrorEquals"};
  std::string out;
  while (!pointer.empty()) {
    const size_t end = std::min(pointer.find('/', 1), pointer.size());
    const std::string_view token = pointer.substr(1, end - 1);
    const bool digits = !token.empty() && token.find_first_not_of("0123456789") == std::string_view::npos;
    const bool in_list = std::ranges::any_of(kLists, [&](std::string_view list) { return out.ends_with(list); });
    out += digits && in_list ? "[" + std::string(token) + "]" : "/" + std::string(token);
    pointer.remove_prefix(end);
  }
  return out.empty() ? "/" : out;
}

AwsDiagnostic in_aws_words(const Diagnostic& diagnostic) {
  const CodeInfo* code = find_code(diagnostic.code);
  if (code == nullptr) return {"INVALID_JSON_DESCRIPTION", diagnostic.cause, "/"};
  std::string_view location = diagnostic.pointer;
  if (code->aws_at_parent || in_template(diagnostic)) location = parent_of(location);
  if (code->code == Code::kNoWayToEnd) return {std::string(code->aws), message_of(diagnostic), ""};
  return {std::string(code->aws), message_of(diagnostic), as_aws_location(location)};
}

bool is_word(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '_' ||
         byte == '$';
}

size_t offset_of(std::string_view text, Position position) {
  size_t offset = 0;
  for (uint32_t line = 1; line < position.line && offset < text.size(); ++line)
    offset = std::min(text.find('\n', offset), text.size() - 1) + 1;
  return std::min<size_t>(offset + (position.column > 0 ? position.column - 1 : 0), text.size());
}

std::string source_of(std::string_view text, Position position) {
  std::string out = "[Source: (String)\"" + std::string(text.substr(0, kSourceCharactersMax)) + "\"";
  if (text.size() > kSourceCharactersMax)
    out += "[truncated " + std::to_string(text.size() - kSourceCharactersMax) + " chars]";
  return out + "; line: " + std::to_string(position.line) + ", column: " + std::to_string(position.column) + "]";
}

// Where a word stands that JSON does not know, AWS's parser names the word and the place after it.
AwsDiagnostic not_json(std::string_view text, const Diagnostic& diagnostic) {
  const size_t found = offset_of(text, diagnostic.position);
  size_t begin = found;
  size_t end = found;
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  while (end < text.size() && is_word(text[end])) ++end;
  Position place = diagnostic.position;
  place.column += static_cast<uint32_t>(end - found);
  const std::string message =
      end == begin ? diagnostic.cause
                   : "Unrecognized token '" + std::string(text.substr(begin, end - begin)) +
                         "': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')";
  const std::string source = source_of(text, place);
  return {"INVALID_JSON_DESCRIPTION", message + "\n at " + source, source};
}

// AWS looks for the end of a machine after everything else.
Diagnostics errors_in_aws_order(const Diagnostics& diagnostics) {
  Diagnostics errors;
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == Severity::kError) errors.push_back(diagnostic);
  std::ranges::stable_partition(
      errors, [](const Diagnostic& diagnostic) { return diagnostic.code != info(Code::kNoWayToEnd).name; });
  return errors;
}

Value as_value(const AwsDiagnostic& diagnostic) {
  json::ObjectBuilder object(4);
  object.set("code", Value::string(diagnostic.code));
  if (!diagnostic.location.empty()) object.set("location", Value::string(diagnostic.location));
  object.set("message", Value::string(diagnostic.message));
  object.set("severity", Value::string("ERROR"));
  return object.build();
}

}  // namespace

std::string aws_refusal(const Diagnostics& diagnostics) {
  std::string out;
  size_t count = 0;
  for (const Diagnostic& diagnostic : errors_in_aws_order(diagnostics)) {
    if (count++ == kRefusalsMax) break;
    const AwsDiagnostic aws = in_aws_words(diagnostic);
    if (!out.empty()) out += ", ";
    out += aws.code + ": " + aws.message;
    if (!aws.location.empty()) out += " at " + aws.location;
  }
  return out;
}

Value aws_validation(std::string_view text, const Options& options, size_t diagnostics_max) {
  const Diagnostics errors = errors_in_aws_order(lint_document(json::parse_document(text), options));
  json::ArrayBuilder listed;
  bool truncated = false;
  for (const Diagnostic& error : errors) {
    truncated = listed.size() == diagnostics_max;
    if (truncated) break;
    listed.push(as_value(find_code(error.code) == nullptr ? not_json(text, error) : in_aws_words(error)));
  }
  json::ObjectBuilder answer(3);
  answer.set("result", Value::string(errors.empty() ? "OK" : "FAIL"));
  answer.set("diagnostics", listed.build());
  answer.set("truncated", Value::boolean(truncated));
  return answer.build();
}

}  // namespace pawl::asl
