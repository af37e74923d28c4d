// TestState: one state, taken out of a definition, run by itself with mocks and looked at.
//
//   auto test = StateTest::prepare(request);           // or AWS's refusal
//   …run (*test)->program() with (*test)->input()…     // a Program like any other; the state's end is its end
//   Value answer = (*test)->answer();
//
// Pure: who runs the program brings clock, random numbers and, for a Task without a mock, the world.
#pragma once

#include <expected>
#include <memory>
#include <string>

#include "json/value.h"
#include "lang/asl/context.h"
#include "lang/asl/program.h"
#include "lang/asl/state_probe.h"

namespace pawl::asl {

// AWS's name of the error and its message.
struct TestRefusal {
  std::string type;
  std::string message;
};

template <typename T>
using Tested = std::expected<T, TestRefusal>;

enum class InspectionLevel : uint8_t { kInfo, kDebug, kTrace };

// One call of TestState. It is run once; prepare() and answer() may be called on different threads, one after the
// other.
class StateTest {
 public:
  // `request` has the fields of AWS's TestState, each of the type that its API says. Refusals: InvalidArn,
  // InvalidDefinition, InvalidExecutionInput, ValidationException.
  static Tested<std::shared_ptr<StateTest>> prepare(const Value& request);

  const Program& program() const { return *program_; }
  const Value& input() const { return input_; }
  const std::string& input_text() const { return input_text_; }
  // The fixed part of the Context Object, but for what the test itself gives. An empty role is null, as AWS has it.
  Value make_context(ContextFacts facts) const;

  // The program was ended because its time was over.
  void time_out();
  // False where the program was not run to its end.
  bool has_ended() const { return probe_.end != StateProbe::End::kNone; }
  // AWS's answer.
  Value answer() const;

 private:
  StateTest() = default;

  Value inspection() const;
  void set_trace(json::ObjectBuilder& inspected) const;
  bool hides(std::string_view stage) const;

  InspectionLevel level_ = InspectionLevel::kInfo;
  Value state_;  // the state's JSON
  StateType type_ = StateType::kPass;
  std::string input_text_;
  std::string role_arn_;
  Value input_;
  StateProbe probe_;
  std::unique_ptr<Program> program_;
};

}  // namespace pawl::asl
