// Reads a request of TestState: takes the state out of its definition and checks that mock, context, variables and
// configuration go with it.
#pragma once

#include <optional>
#include <string>

#include "lang/asl/model.h"
#include "lang/asl/state_probe.h"
#include "lang/asl/test_state.h"

namespace pawl::asl {

// A state by itself, in a machine of its own: its targets are there as states that end.
struct IsolatedState {
  Definition definition;
  Value source;
  StateType type = StateType::kPass;
};

// Refusals: InvalidDefinition, and ValidationException where there is no state of that name.
Tested<IsolatedState> isolate_state(const std::string& definition, const std::optional<std::string>& state_name);

// What the request gives the state, checked against it. Refusal: ValidationException, InvalidDefinition.
Tested<StateProbe> read_probe(const Value& request, const IsolatedState& state);

// What was asked for and this version cannot run. Refusal: InvalidDefinition.
Tested<void> check_supported(const IsolatedState& state);

inline std::unexpected<TestRefusal> refuse_test(std::string_view type, std::string message) {
  return std::unexpected(TestRefusal{std::string(type), std::move(message)});
}
inline std::unexpected<TestRefusal> invalid_request(std::string message) {
  return refuse_test("ValidationException", std::move(message));
}

// Members of a request; empty and null where absent.
std::string text_at(const Value& object, std::string_view name);
Value value_at(const Value& object, std::string_view name);

}  // namespace pawl::asl
