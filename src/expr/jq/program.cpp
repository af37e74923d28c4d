// Program and Outputs: compiling within bounds, and what the machine found turned into values and errors.
#include <utility>

#include "base/assert.h"
#include "expr/jq/compiler.h"
#include "expr/jq/jq.h"
#include "expr/jq/machine.h"
#include "expr/jq/numbers.h"
#include "expr/jq/parser.h"
#include "json/utf8.h"

namespace pawl::jq {

namespace {

using internal::Context;
using internal::Failure;
using internal::Machine;

constexpr const char* kHandleIt = "Handle it with try, or give other input.";

Error error_of(const Context& context) {
  const Value& error = context.error();
  if (context.failure() == Failure::kLimit)
    return {"JQ_LIMIT", {}, std::string(error.as_string()), "Let it do less, or give it less to do it on."};
  if (error.is_string()) return {"JQ_ERROR", {}, std::string(error.as_string()), kHandleIt};
  return {"JQ_ERROR", {}, internal::json_text(error) + " (not a string)", kHandleIt};
}

// The next output of a machine as it may leave it.
Result<std::optional<Value>> next_of(Machine& machine) {
  std::optional<Value> output = machine.next();
  const Context& context = machine.context();
  if (context.failed()) return std::unexpected(error_of(context));
  if (output && context.made_special && internal::contains_special(*output)) return internal::printable(*output);
  return output;
}

}  // namespace

Result<Program> Program::compile(std::string_view text, std::span<const std::string_view> variables) {
  if (text.size() > kProgramBytesMax)
    return fail("JQ_TOO_LONG", "The program is longer than " + std::to_string(kProgramBytesMax) + " bytes.",
                "Make it shorter.");
  if (json::find_invalid_utf8(text) != text.size())
    return fail("JQ_SYNTAX", "The program is not valid UTF-8.", "Save it as UTF-8.");
  PAWL_TRY(const auto syntax, internal::parse_program(text));
  Program program;
  PAWL_TRY(program.code_, internal::Compiler(*syntax, variables).compile(text));
  return program;
}

Result<std::vector<Value>> Program::evaluate(const Value& input, const Evaluation& evaluation) const {
  PAWL_ASSERT(code_ != nullptr);
  Machine machine(*code_, input, evaluation);
  std::vector<Value> outputs;
  while (true) {
    auto output = next_of(machine);
    if (!output) return std::unexpected(std::move(output).error());
    if (!*output) return outputs;
    outputs.push_back(**std::move(output));
    machine.context().spend_bytes(sizeof(Value));
  }
}

const std::string& Program::text() const {
  PAWL_ASSERT(code_ != nullptr);
  return code_->text;
}

Outputs::Outputs(const Program& program, const Value& input, const Evaluation& evaluation)
    : code_(program.code_), machine_(std::make_unique<Machine>(*code_, input, evaluation)) {}
Outputs::Outputs(Outputs&&) noexcept = default;
Outputs& Outputs::operator=(Outputs&&) noexcept = default;
Outputs::~Outputs() = default;

Result<std::optional<Value>> Outputs::next() { return next_of(*machine_); }

}  // namespace pawl::jq
