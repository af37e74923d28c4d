// `pawl backup` and `pawl doctor`: what an operator does with a data directory.
#include "cli/commands.h"
#include "cli/console.h"
#include "json/print.h"
#include "server/doctor.h"

namespace pawl::cli {

namespace {

using json::ObjectBuilder;
using json::Value;

std::string count_of(uint64_t number, const char* what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

void show_progress(uint64_t executions) {
  if (can_redraw()) complain("\r" + count_of(executions, "execution") + " …");
}

void wipe_progress() {
  if (can_redraw()) complain("\r\x1b[K");
}

Value to_value(const server::Examination& seen) {
  ObjectBuilder summary(4);
  summary.set("executions", Value::integer(static_cast<int64_t>(seen.executions)));
  summary.set("open", Value::integer(static_cast<int64_t>(seen.open)));
  summary.set("facts", Value::integer(static_cast<int64_t>(seen.facts)));
  summary.set("findings", Value::integer(static_cast<int64_t>(seen.findings)));
  return summary.build();
}

}  // namespace

int backup(const DataOptions& options) {
  const auto bytes = server::back_up(options.directory, options.target);
  if (!bytes) {
    report(bytes.error(), options.json);
    return kExitRefused;
  }
  ObjectBuilder done(2);
  done.set("directory", Value::string(options.target));
  done.set("bytes", Value::integer(static_cast<int64_t>(*bytes)));
  print_line(options.json ? json::print(done.build())
                          : "copied to " + options.target + " (" + count_of(*bytes, "byte") + ")");
  return finish_output(kExitOk);
}

int doctor(const DataOptions& options) {
  const auto seen = server::examine(options.directory, {[&](const Error& finding) {
                                                          wipe_progress();
                                                          report(finding, options.json);
                                                        },
                                                        show_progress});
  wipe_progress();
  if (!seen) {
    report(seen.error(), options.json);
    return kExitRefused;
  }
  const std::string verdict = seen->findings == 0 ? "nothing is wrong" : count_of(seen->findings, "finding");
  print_line(options.json ? json::print(to_value(*seen))
                          : verdict + ": " + count_of(seen->executions, "execution") + ", " +
                                std::to_string(seen->open) + " open, " + count_of(seen->facts, "fact"));
  return finish_output(seen->findings == 0 ? kExitOk : kExitFailed);
}

}  // namespace pawl::cli
