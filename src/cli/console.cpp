#include "cli/console.h"

#include <cstdio>
#include <cstdlib>

#include <unistd.h>

#include "cli/commands.h"
#include "json/parse.h"
#include "json/print.h"
#include "text/diagnostics_format.h"

namespace pawl::cli {

namespace {

void write_to(FILE* file, std::string_view text) { std::fwrite(text.data(), 1, text.size(), file); }

json::Value to_value(const Error& error) {
  json::ObjectBuilder object;
  object.set("severity", json::Value::string("error"));
  object.set("code", json::Value::string(error.code));
  if (!error.where.empty()) object.set("where", json::Value::string(error.where));
  object.set("cause", json::Value::string(error.what));
  if (!error.fix.empty()) object.set("fix", json::Value::string(error.fix));
  return object.build();
}

}  // namespace

void print(std::string_view text) { write_to(stdout, text); }

void print_line(std::string_view text) {
  print(text);
  print("\n");
}

void complain(std::string_view text) { write_to(stderr, text); }

void print_value(const json::Value& value) {
  print_line(::isatty(STDOUT_FILENO) != 0 ? json::print_pretty(value) : json::print(value));
}

void report(const Error& error, bool json) {
  if (json) return complain(json::print(to_value(error)) + "\n");
  const std::string where = error.where.empty() ? "pawl" : error.where;
  complain(where + ": error " + error.code + ": " + error.what + "\n");
  if (!error.fix.empty()) complain("  fix: " + error.fix + "\n");
}

void report(const Diagnostics& diagnostics, bool json) {
  if (!json) return complain(text::format_as_text(diagnostics));
  for (const Diagnostic& diagnostic : diagnostics) {
    const auto list = json::parse(text::format_as_json({diagnostic}));
    if (list) complain(json::print(list->at(0)) + "\n");
  }
}

bool can_redraw() {
  const char* terminal = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

int finish_output(int code) {
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (written) return code;
  report(
      Error{"OUTPUT_FAILED", "stdout", "The output could not be written.", "Check the disk or the reader of the pipe."},
      false);
  return kExitRefused;
}

}  // namespace pawl::cli
