#include "lang/asl/model.h"

#include <string>

#include <gtest/gtest.h>

namespace pawl::asl {
namespace {

struct Parsed {
  Definition definition;
  Diagnostics diagnostics;
};

Parsed parse(std::string_view text) {
  Diagnostics diagnostics;
  Definition definition = parse_definition(json::parse_document(text).value(), diagnostics);
  return {std::move(definition), std::move(diagnostics)};
}

TEST(StateTypes, HaveTheirNames) {
  for (const char* name : {"Pass", "Task", "Choice", "Wait", "Succeed", "Fail", "Parallel", "Map"}) {
    const StateType* type = find_state_type(name);
    ASSERT_NE(type, nullptr) << name;
    EXPECT_EQ(type_name(*type), name);
  }
  EXPECT_EQ(find_state_type("pass"), nullptr);
  EXPECT_EQ(find_state_type(""), nullptr);
}

TEST(ParseDefinition, KeepsTheOrderOfTheText) {
  const Parsed parsed = parse(R"({"StartAt":"B","States":{"B":{"Type":"Pass","Next":"A"},"A":{"Type":"Succeed"}}})");
  EXPECT_TRUE(parsed.diagnostics.empty());
  const Machine& machine = parsed.definition.machine;
  EXPECT_EQ(machine.start_at, "B");
  EXPECT_EQ(machine.pointer, "");
  ASSERT_EQ(machine.states.size(), 2u);
  EXPECT_EQ(machine.states[0].name, "B");
  EXPECT_EQ(machine.states[0].type, StateType::kPass);
  EXPECT_EQ(machine.states[0].pointer, "/States/B");
  EXPECT_EQ(machine.states[1].name, "A");
}

TEST(ParseDefinition, FindsStatesByName) {
  const Parsed parsed =
      parse(R"({"StartAt":"c","States":{"c":{"Type":"Succeed"},"a":{"Type":"Fail"},"b":{"Type":"Succeed"}}})");
  const Machine& machine = parsed.definition.machine;
  for (const State& state : machine.states) EXPECT_EQ(machine.find(state.name), &state);
  EXPECT_EQ(machine.find("d"), nullptr);
  EXPECT_EQ(machine.find(""), nullptr);
}

TEST(ParseDefinition, NumbersStatesDepthFirst) {
  const Parsed parsed = parse(R"({"StartAt":"P","States":{
    "P":{"Type":"Parallel","Next":"Q","Branches":[
      {"StartAt":"A","States":{"A":{"Type":"Succeed"}}},
      {"StartAt":"M","States":{"M":{"Type":"Map","End":true,"Iterator":{"StartAt":"I","States":{"I":{"Type":"Succeed"}}}}}}]},
    "Q":{"Type":"Succeed"}}})");
  EXPECT_TRUE(parsed.diagnostics.empty());
  const State& parallel = parsed.definition.machine.states[0];
  ASSERT_EQ(parallel.machines.size(), 2u);
  const State& map = parallel.machines[1]->states[0];
  ASSERT_EQ(map.machines.size(), 1u);
  EXPECT_EQ(map.machines[0]->pointer, "/States/P/Branches/1/States/M/Iterator");
  EXPECT_EQ(map.machines[0]->states[0].pointer, "/States/P/Branches/1/States/M/Iterator/States/I");
  EXPECT_EQ(parallel.ordinal, StateOrdinal(1));
  EXPECT_EQ(parallel.machines[0]->states[0].ordinal, StateOrdinal(2));
  EXPECT_EQ(map.ordinal, StateOrdinal(3));
  EXPECT_EQ(map.machines[0]->states[0].ordinal, StateOrdinal(4));
  EXPECT_EQ(parsed.definition.machine.states[1].ordinal, StateOrdinal(5));
}

TEST(ParseDefinition, EscapesNamesInPointers) {
  const Parsed parsed = parse(R"({"StartAt":"a/b~","States":{"a/b~":{"Type":"Succeed"}}})");
  EXPECT_EQ(parsed.definition.machine.states[0].pointer, "/States/a~1b~0");
}

TEST(ParseDefinition, LeavesBrokenStatesOutAndSaysSo) {
  const Parsed parsed =
      parse(R"({"StartAt":"A","States":{"A":{"Type":"Succeed"},"B":1,"C":{},"D":{"Type":"Nap"},"E":{"Type":3}}})");
  EXPECT_EQ(parsed.definition.machine.states.size(), 1u);
  ASSERT_EQ(parsed.diagnostics.size(), 4u);
  EXPECT_EQ(parsed.diagnostics[0].code, "ASL_FIELD_TYPE");
  EXPECT_EQ(parsed.diagnostics[0].pointer, "/States/B");
  EXPECT_EQ(parsed.diagnostics[1].code, "ASL_MISSING_FIELD");
  EXPECT_EQ(parsed.diagnostics[2].code, "ASL_UNKNOWN_STATE_TYPE");
  EXPECT_EQ(parsed.diagnostics[3].pointer, "/States/E/Type");
}

TEST(ParseDefinition, LeavesOutBranchesThatAreNoObjects) {
  const Parsed parsed = parse(R"({"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[7]}}})");
  EXPECT_TRUE(parsed.definition.machine.states[0].machines.empty());
  ASSERT_EQ(parsed.diagnostics.size(), 1u);
  EXPECT_EQ(parsed.diagnostics[0].pointer, "/States/P/Branches/0");
}

TEST(ParseDefinition, CountsTheCharactersOfANameNotItsBytes) {
  std::string name;
  for (size_t index = 0; index < kStateNameCharactersMax; ++index) name += "é";
  const auto text = [](const std::string& state) {
    return R"({"StartAt":"","States":{")" + state + R"(":{"Type":"Succeed"}}})";
  };
  EXPECT_TRUE(parse(text(name)).diagnostics.empty());
  const Parsed too_long = parse(text(name + "é"));
  ASSERT_EQ(too_long.diagnostics.size(), 1u);
  EXPECT_EQ(too_long.diagnostics[0].code, "ASL_STATE_NAME_TOO_LONG");
}

TEST(ParseDefinition, SurvivesARootThatIsNoObject) {
  const Parsed parsed = parse("[1]");
  EXPECT_TRUE(parsed.definition.machine.states.empty());
  EXPECT_EQ(parsed.diagnostics.size(), 1u);
}

}  // namespace
}  // namespace pawl::asl
