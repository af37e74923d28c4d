// `pawl eval`: one expression on one input.
#include "base/random.h"
#include "base/time.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/files.h"
#include "expr/intrinsic/intrinsic.h"
#include "expr/jq/jq.h"
#include "expr/jsonpath/path.h"
#include "json/print.h"

namespace pawl::cli {

namespace {

using json::Value;
using jsonpath::Dialect;

Dialect dialect_of(const std::string& name) {
  if (name == "jayway") return Dialect::kJayway;
  if (name == "serverless") return Dialect::kServerless;
  if (name == "rfc9535") return Dialect::kRfc9535;
  return Dialect::kAsl;
}

// rfc9535 answers with the list of what it found; the others know definite paths, which answer with their one value.
Result<Value> evaluate_path(const jsonpath::Path& path, Dialect dialect, const Value& input) {
  if (dialect != Dialect::kRfc9535) return path.evaluate(input);
  PAWL_TRY(std::vector<Value> nodes, path.nodes(input));
  json::ArrayBuilder list;
  for (Value& node : nodes) list.push(std::move(node));
  return list.build();
}

class InputAndContext final : public jsonpath::Roots {
 public:
  InputAndContext(const Value& input, const Value& context) : Roots(input), context_(context) {}
  Value context() const override { return context_; }

 private:
  const Value& context_;
};

int answer(const Result<Value>& result, bool json) {
  if (result) {
    print_value(*result);
    return finish_output(kExitOk);
  }
  report(result.error(), json);
  return kExitFailed;
}

int refuse(const Error& error, bool json) {
  report(error, json);
  return kExitRefused;
}

Error at_expression(Error error) {
  error.where = error.where.empty() ? "expression" : "expression, " + error.where;
  return error;
}

// The variables of --arg: a name, then its value.
struct Variables {
  std::vector<std::string_view> names;
  std::vector<Value> values;
};

Result<Variables> read_variables(const EvalOptions& options) {
  Variables variables;
  for (size_t i = 0; i + 1 < options.variables.size(); i += 2) {
    const std::string& name = options.variables[i];
    PAWL_TRY(Input value, read_input(options.variables[i + 1], options.payload_bytes_max, "--arg " + name));
    variables.names.push_back(name);
    variables.values.push_back(std::move(value.value));
  }
  return variables;
}

// Prints outputs as they come: those before an error are there too.
int print_outputs(jq::Outputs outputs, bool json) {
  while (true) {
    const auto output = outputs.next();
    if (!output) {
      report(output.error(), json);
      return finish_output(kExitFailed);
    }
    if (!*output) return finish_output(kExitOk);
    print_line(json::print(**output));
  }
}

}  // namespace

int eval_jq(const EvalOptions& options) {
  const auto variables = read_variables(options);
  if (!variables) return refuse(variables.error(), options.json);
  const auto program = jq::Program::compile(options.expression, variables->names);
  if (!program) return refuse(at_expression(program.error()), options.json);
  const auto input = read_input(options.input, options.payload_bytes_max);
  if (!input) return refuse(input.error(), options.json);
  const double now_seconds = static_cast<double>(SystemClock().now().time_since_epoch().count()) / 1000;
  return print_outputs(
      jq::Outputs(*program, input->value, {.variables = variables->values, .now_seconds = now_seconds}), options.json);
}

int eval_jsonpath(const EvalOptions& options) {
  const Dialect dialect = dialect_of(options.dialect);
  const auto path = jsonpath::Path::compile(options.expression, dialect);
  if (!path) return refuse(at_expression(path.error()), options.json);
  const auto input = read_input(options.input, options.payload_bytes_max);
  if (!input) return refuse(input.error(), options.json);
  return answer(evaluate_path(*path, dialect, input->value), options.json);
}

int eval_intrinsic(const EvalOptions& options) {
  const auto intrinsic = intrinsic::Intrinsic::compile(options.expression);
  if (!intrinsic) return refuse(at_expression(intrinsic.error()), options.json);
  const auto input = read_input(options.input, options.payload_bytes_max);
  if (!input) return refuse(input.error(), options.json);
  const auto context = read_input(options.context, options.payload_bytes_max, "--context");
  if (!context) return refuse(context.error(), options.json);
  SeededRandom random(entropy_seed());
  return answer(intrinsic->evaluate(InputAndContext(input->value, context->value), random), options.json);
}

}  // namespace pawl::cli
