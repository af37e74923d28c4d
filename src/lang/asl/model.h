// A parsed definition: the tree of machines and states, each with its own JSON and its place in the text.
//
// The model knows the structure only (which states there are, in which machine, in which order). The fields of a state
// stay in its JSON; each state type's compiler and the lint rules read them from there.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/ids.h"
#include "base/result.h"
#include "json/parse.h"
#include "json/value.h"

namespace pawl::asl {

using json::Value;

inline constexpr size_t kStateNameCharactersMax = 128;

enum class StateType : uint8_t { kPass, kTask, kChoice, kWait, kSucceed, kFail, kParallel, kMap };

std::string_view type_name(StateType type);  // "Pass"
const StateType* find_state_type(std::string_view name);

struct Machine;

struct State {
  std::string name;
  StateType type = StateType::kPass;
  Value source;                                    // the state's JSON object
  std::string pointer;                             // "/States/A"
  StateOrdinal ordinal;                            // its place in the whole definition, counted from 1 depth first
  std::vector<std::unique_ptr<Machine>> machines;  // a Parallel's branches; a Map's one processor
};

struct Machine {
  std::string start_at;
  Value source;         // the object that holds StartAt and States
  std::string pointer;  // "" for the whole definition, "/States/P/Branches/0" for a branch
  std::vector<State> states;
  std::vector<uint32_t> by_name;  // the states' places in `states`, sorted by name

  const State* find(std::string_view name) const;
};

struct Definition {
  json::Document document;
  Machine machine;
};

// Builds the tree. What makes that impossible (no States object, a state that is no object, an unknown Type, …) goes
// into diagnostics, and the states concerned are left out of the tree; everything else is lint's. Diagnostics are as
// lint's: they have positions but no file.
Definition parse_definition(json::Document document, Diagnostics& diagnostics);

}  // namespace pawl::asl
