// jq: programs compiled once, evaluated often, within bounds.
//
//   auto program = jq::Program::compile(".orders | map(select(.total > $least)) | length", {{"least"}});
//   std::vector<Value> outputs = program->evaluate(input, {.variables = {{Value::integer(100)}}}).value();
//
// The language is that of jq 1.6 with what 1.7 added; docs/jq.md tells what differs. A program reads nothing but its
// input and the variables it is given: the environment, files, modules and the clock are not there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace pawl::jq {

using json::Value;

inline constexpr size_t kProgramBytesMax = 65'536;
inline constexpr uint32_t kValueDepthMax = 512;  // of what a program builds: what the JSON parser reads back

// What one evaluation may use. Excess ends it with JQ_LIMIT, which `try` does not catch.
struct Limits {
  uint64_t steps_max = 50'000'000;         // instructions, and items that builtins look at
  uint32_t depth_max = 100'000;            // calls within calls; ten times as many choices to come back to
  uint64_t bytes_max = 256 * 1024 * 1024;  // of all values that are built, those that were dropped again too
};

// What an evaluation is given besides its input.
struct Evaluation {
  std::span<const Value> variables = {};   // in the order of the names that the program was compiled with
  std::optional<double> now_seconds = {};  // since 1970; `now` is an error without it
  Limits limits = {};
};

namespace internal {
struct Code;
class Machine;
}  // namespace internal

// Immutable; copies share the compiled code; safe to evaluate on many threads at once.
class Program {
 public:
  // `variables` are the names, without $, that are bound from outside.
  // Errors: JQ_SYNTAX with the place in `where`, JQ_TOO_LONG, JQ_UNDEFINED (a function, variable or label that is not
  // there), JQ_REFUSED (input, env, halt, … which reach outside).
  static Result<Program> compile(std::string_view text, std::span<const std::string_view> variables = {});

  // Every output, in order. Errors: JQ_ERROR (the program's own, or that of an operation on a wrong type), JQ_LIMIT.
  Result<std::vector<Value>> evaluate(const Value& input, const Evaluation& evaluation = {}) const;

  const std::string& text() const;

 private:
  friend class Outputs;
  std::shared_ptr<const internal::Code> code_;
};

// The outputs of one evaluation, one at a time, for whom the first few suffice. Used on one thread.
class Outputs {
 public:
  Outputs(const Program& program, const Value& input, const Evaluation& evaluation = {});
  Outputs(Outputs&&) noexcept;
  Outputs& operator=(Outputs&&) noexcept;
  ~Outputs();

  // Nothing where there are no more. After an error there are none.
  Result<std::optional<Value>> next();

 private:
  std::shared_ptr<const internal::Code> code_;
  std::unique_ptr<internal::Machine> machine_;
};

}  // namespace pawl::jq
