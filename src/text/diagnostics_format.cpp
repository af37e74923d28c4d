#include "text/diagnostics_format.h"

#include <charconv>
#include <map>

#include "json/print.h"
#include "json/value.h"

namespace pawl::text {

namespace {

using json::ArrayBuilder;
using json::ObjectBuilder;
using json::Value;

constexpr std::string_view kSarifSchema = "https://json.schemastore.org/sarif-2.1.0.json";

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
  }
  return "error";
}

// Names in a definition are users' text: they must not steer a terminal.
void append_printable(std::string& out, std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte != 0x7F) {
      out.push_back(c);
      continue;
    }
    constexpr char kHexDigits[] = "0123456789abcdef";
    out.append("\\u00").append({kHexDigits[byte >> 4], kHexDigits[byte & 15]});
  }
}

void append_place(std::string& out, const Diagnostic& diagnostic) {
  append_printable(out, diagnostic.file);
  if (diagnostic.position.line > 0) {
    if (!diagnostic.file.empty()) out.push_back(':');
    out.append(std::to_string(diagnostic.position.line)).append(":");
    out.append(std::to_string(diagnostic.position.column));
  }
  if (!out.empty() && out.back() != '\n') out.append(": ");
}

void append_text(std::string& out, const Diagnostic& diagnostic) {
  append_place(out, diagnostic);
  out.append(severity_name(diagnostic.severity)).append(" ");
  append_printable(out, diagnostic.code);
  if (!diagnostic.pointer.empty()) {
    out.append(" at ");
    append_printable(out, diagnostic.pointer);
  }
  out.append(": ");
  append_printable(out, diagnostic.cause);
  out.push_back('\n');
  if (diagnostic.fix.empty()) return;
  out.append("  fix: ");
  append_printable(out, diagnostic.fix);
  out.push_back('\n');
}

void set_text(ObjectBuilder& object, std::string_view key, std::string_view text) {
  if (!text.empty()) object.set(key, Value::string(text));
}

void set_number(ObjectBuilder& object, std::string_view key, uint32_t number) {
  if (number > 0) object.set(key, Value::integer(number));
}

Value to_value(const Diagnostic& diagnostic) {
  ObjectBuilder object;
  object.set("severity", Value::string(severity_name(diagnostic.severity)));
  object.set("code", Value::string(diagnostic.code));
  set_text(object, "file", diagnostic.file);
  set_number(object, "line", diagnostic.position.line);
  set_number(object, "column", diagnostic.position.column);
  set_text(object, "pointer", diagnostic.pointer);
  object.set("cause", Value::string(diagnostic.cause));
  set_text(object, "fix", diagnostic.fix);
  return object.build();
}

// --- SARIF
// ---------------------------------------------------------------------------------------------------------------

Value single(std::string_view key, Value value) {
  ObjectBuilder object(1);
  object.set(key, std::move(value));
  return object.build();
}

Value array_of(Value item) {
  ArrayBuilder array(1);
  array.push(std::move(item));
  return array.build();
}

// A file name as a URI reference (RFC 3986).
std::string to_uri(std::string_view file) {
  constexpr std::string_view kKept = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  constexpr char kHexDigits[] = "0123456789ABCDEF";
  std::string uri = file.starts_with('/') ? "file://" : "";
  for (const char c : file) {
    if (kKept.find(c) != std::string_view::npos) {
      uri.push_back(c);
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    uri.append({'%', kHexDigits[byte >> 4], kHexDigits[byte & 15]});
  }
  return uri;
}

Value physical_location(const Diagnostic& diagnostic) {
  ObjectBuilder location;
  location.set("artifactLocation", single("uri", Value::string(to_uri(diagnostic.file))));
  if (diagnostic.position.line > 0) {
    ObjectBuilder region;
    region.set("startLine", Value::integer(diagnostic.position.line));
    set_number(region, "startColumn", diagnostic.position.column);
    location.set("region", region.build());
  }
  return location.build();
}

Value locations(const Diagnostic& diagnostic) {
  ObjectBuilder location;
  if (!diagnostic.file.empty()) location.set("physicalLocation", physical_location(diagnostic));
  if (!diagnostic.pointer.empty())
    location.set("logicalLocations", array_of(single("fullyQualifiedName", Value::string(diagnostic.pointer))));
  return location.size() == 0 ? Value::empty_array() : array_of(location.build());
}

// The rules in the order in which their codes first occur.
class RuleList {
 public:
  int64_t number_of(const std::string& code) {
    const auto [found, is_new] = numbers_.emplace(code, static_cast<int64_t>(numbers_.size()));
    if (is_new) rules_.push(single("id", Value::string(code)));
    return found->second;
  }
  Value build() { return rules_.build(); }

 private:
  std::map<std::string, int64_t> numbers_;
  ArrayBuilder rules_;
};

Value sarif_result(const Diagnostic& diagnostic, RuleList& rules) {
  const std::string text = diagnostic.fix.empty() ? diagnostic.cause : diagnostic.cause + " Fix: " + diagnostic.fix;
  ObjectBuilder result;
  result.set("ruleId", Value::string(diagnostic.code));
  result.set("ruleIndex", Value::integer(rules.number_of(diagnostic.code)));
  result.set("level", Value::string(severity_name(diagnostic.severity)));
  result.set("message", single("text", Value::string(text)));
  result.set("locations", locations(diagnostic));
  return result.build();
}

Value sarif_tool(std::string_view version, Value rules) {
  ObjectBuilder driver;
  driver.set("name", Value::string("pawl"));
  set_text(driver, "version", version);
  driver.set("rules", std::move(rules));
  return single("driver", driver.build());
}

}  // namespace

std::string format_as_text(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) append_text(out, diagnostic);
  return out;
}

std::string format_as_json(const Diagnostics& diagnostics) {
  ArrayBuilder array(diagnostics.size());
  for (const Diagnostic& diagnostic : diagnostics) array.push(to_value(diagnostic));
  return json::print_pretty(array.build()) + "\n";
}

std::string format_as_sarif(const Diagnostics& diagnostics, std::string_view tool_version) {
  RuleList rules;
  ArrayBuilder results(diagnostics.size());
  for (const Diagnostic& diagnostic : diagnostics) results.push(sarif_result(diagnostic, rules));
  ObjectBuilder run;
  run.set("tool", sarif_tool(tool_version, rules.build()));
  run.set("columnKind", Value::string("unicodeCodePoints"));
  run.set("results", results.build());
  ObjectBuilder log;
  log.set("$schema", Value::string(kSarifSchema));
  log.set("version", Value::string("2.1.0"));
  log.set("runs", array_of(run.build()));
  return json::print_pretty(log.build()) + "\n";
}

Diagnostic to_diagnostic(const Error& error, std::string_view file) {
  Diagnostic diagnostic{Severity::kError, error.code, std::string(file), {}, "", error.what, error.fix};
  const char* const end = error.where.data() + error.where.size();
  const auto [colon, line_error] = std::from_chars(error.where.data(), end, diagnostic.position.line);
  if (line_error == std::errc() && colon != end) std::from_chars(colon + 1, end, diagnostic.position.column);
  return diagnostic;
}

}  // namespace pawl::text
