// Data filters and merging, with the data of the specification's own examples and figures.
#include "lang/serverless/filter.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"
#include "lang/serverless/merge.h"

namespace pawl::serverless {
namespace {

Value json_of(std::string_view text) { return json::parse(text).value(); }

std::optional<Expression> path(std::string_view text) { return Expression::compile_path(text).value(); }

std::string printed(const Result<Value>& value) { return value ? json::print(*value) : value.error().code; }

std::string state_filtered(std::string_view filter, const Value& data, bool keyed = false) {
  return printed(filter_state(path(filter), data, Options{.keyed_state_filter = keyed, .strict_jayway = false}));
}

const Value& garden() {
  static const Value data = json_of(R"({"fruits": ["apple", "orange", "pear"], "vegetables": [
      {"veggieName": "potato", "veggieLike": true}, {"veggieName": "broccoli", "veggieLike": false}]})");
  return data;
}

TEST(StateFilter, ReplacesTheDataByWhatItSelects) {
  EXPECT_EQ(state_filtered("{{ $.fruits }}", garden()), R"(["apple","orange","pear"])");
  EXPECT_EQ(state_filtered("{{ $.vegetables.[?(@.veggieLike)] }}", garden()),
            R"([{"veggieName":"potato","veggieLike":true}])");
}

TEST(StateFilter, LeavesTheDataAsItIsWhereItSelectsNothing) {
  EXPECT_EQ(state_filtered("{{ $.missing }}", garden()), json::print(garden()));
  EXPECT_EQ(state_filtered("{{ $.fruits[?(@.x)] }}", garden()), json::print(garden()));
}

TEST(StateFilter, KeepsTheKeyWhereTheOptionSaysSo) {
  EXPECT_EQ(state_filtered("{{ $.fruits }}", garden(), true), R"({"fruits":["apple","orange","pear"]})");
}

TEST(ActionFilter, AddsWhatItSelectsUnderTheLastNameOfThePath) {
  const ActionFilter filter{.input = {}, .results = path("{{ $.payload.greeting }}")};
  EXPECT_EQ(
      printed(add_action_result(filter, "greet", json_of(R"({"a":1})"), json_of(R"({"payload":{"greeting":"Hi"}})"))),
      R"({"a":1,"greeting":"Hi"})");
}

TEST(ActionFilter, IsThePlaceForAResultThatHasNoMembers) {
  const ActionFilter breads{.input = {}, .results = path("{{ $.breads }}")};
  EXPECT_EQ(printed(add_action_result(breads, "bake", json_of("{}"), json_of(R"(["rye"])"))), R"({"breads":["rye"]})");
  const ActionFilter deep{.input = {}, .results = path("{{ $.flip.result }}")};
  EXPECT_EQ(printed(add_action_result(deep, "flip", json_of("{}"), json_of(R"("heads")"))),
            R"({"flip":{"result":"heads"}})");
}

TEST(ActionFilter, AddsNothingWhereAnObjectHasNoSuchMember) {
  const ActionFilter filter{.input = {}, .results = path("{{ $.breads }}")};
  EXPECT_EQ(printed(add_action_result(filter, "bake", json_of(R"({"a":1})"), json_of(R"({"pasta":[]})"))),
            R"({"a":1})");
}

TEST(ActionResult, MergesMemberByMemberAtEveryDepth) {
  EXPECT_EQ(printed(add_action_result({}, "f", json_of(R"({"a":{"x":1,"l":[1]},"b":2})"),
                                      json_of(R"({"a":{"y":2,"l":[3]},"b":null})"))),
            R"({"a":{"x":1,"l":[3],"y":2},"b":null})");
}

TEST(ActionResult, GoesUnderTheActionsNameWhereItIsNoObject) {
  EXPECT_EQ(printed(add_action_result({}, "count", json_of("{}"), Value::integer(3))), R"({"count":3})");
  EXPECT_EQ(printed(add_action_result({}, "count", json_of("{}"), Value::null())), "{}");
}

TEST(ActionResult, CannotBeAddedToDataThatIsNoObject) {
  EXPECT_EQ(printed(add_action_result({}, "f", json_of("[1]"), json_of(R"({"a":1})"))), "SW_MERGE");
  EXPECT_EQ(printed(add_action_result({}, "f", json_of("[1]"), Value::null())), "[1]");
}

EventDefinition patient_event() {
  EventDefinition definition;
  definition.name = "Reading";
  definition.correlation.push_back({.attribute = "patientId", .attribute_lower = "patientid", .value = {}});
  return definition;
}

const Value& reading() {
  static const Value event = json_of(R"({"specversion":"1.0","id":"1","source":"s","type":"t","patientid":"PID-1",
      "department":"UrgentCare","data":{"value":"80bpm","customer":{"name":"John"}}})");
  return event;
}

TEST(EventFilter, AddsPayloadAndAttributesWhereThereIsNone) {
  EXPECT_EQ(printed(add_event({}, patient_event(), json_of(R"({"a":1})"), reading())),
            R"({"a":1,"value":"80bpm","customer":{"name":"John"},"patientId":"PID-1","department":"UrgentCare"})");
}

TEST(EventFilter, LooksIntoTheEventThenIntoItsPayload) {
  EXPECT_EQ(printed(add_event(path("{{ $.data.customer }}"), patient_event(), json_of("{}"), reading())),
            R"({"customer":{"name":"John"}})");
  EXPECT_EQ(printed(add_event(path("{{ $.customer }}"), patient_event(), json_of("{}"), reading())),
            R"({"customer":{"name":"John"}})");
  EXPECT_EQ(printed(add_event(path("{{ $.patientId }}"), patient_event(), json_of("{}"), reading())),
            R"({"patientId":"PID-1"})");
}

TEST(EventFilter, IsThePlaceForTheEventWhereItIsANameThatTheEventLacks) {
  const Result<Value> added = add_event(path("{{ $.execEvent }}"), patient_event(), json_of("{}"), reading());
  EXPECT_EQ(*added->find("execEvent")->find("type"), Value::string("t"));
  EXPECT_EQ(printed(add_event(path("{{ $.no.such }}"), patient_event(), json_of("{}"), reading())), "{}");
}

TEST(EventFilter, PutsAPayloadThatIsNoObjectUnderTheEventsName) {
  const Value event = json_of(R"({"specversion":"1.0","id":"1","source":"s","type":"t","data":"text"})");
  EXPECT_EQ(printed(add_event({}, patient_event(), json_of("{}"), event)), R"({"Reading":"text"})");
}

const Value& error() {
  static const Value value = json_of(R"({"name":"E","message":"m","trace":"t"})");
  return value;
}

TEST(ErrorView, HasTheErrorUnderItsFourNames) {
  EXPECT_TRUE(path("{{ $.errors[?(@.name == 'E')] }}")->test(error_view(json_of("{}"), error())).value());
  EXPECT_TRUE(path("{{ $.exceptions[0] }}")->test(error_view(json_of("{}"), error())).value());
  EXPECT_TRUE(path("{{ $.exception.name }}")->test(error_view(json_of("[1]"), error())).value());
  EXPECT_FALSE(path("{{ $.errors[?(@.name != 'E')] }}")->test(error_view(json_of("{}"), error())).value());
  EXPECT_FALSE(path("{{ $.error }}")->test(error_view(json_of("{}"), Value::null())).value());
}

TEST(ErrorFilter, AddsTheErrorUnderItsNameOrUnderThePathsLastName) {
  EXPECT_EQ(printed(add_error({}, json_of(R"({"a":1})"), error())),
            R"({"a":1,"error":{"name":"E","message":"m","trace":"t"}})");
  EXPECT_EQ(printed(add_error(path("{{ $.exception }}"), json_of("{}"), error())),
            R"({"exception":{"name":"E","message":"m","trace":"t"}})");
  EXPECT_EQ(printed(add_error(path("{{ $.name }}"), json_of("{}"), error())), R"({"name":"E"})");
}

TEST(Collection, MustBeAnArray) {
  EXPECT_EQ(printed(input_collection(*path("{{ $.fruits }}"), garden())), R"(["apple","orange","pear"])");
  EXPECT_EQ(printed(input_collection(*path("{{ $.missing }}"), garden())), "SW_NOT_AN_ARRAY");
  EXPECT_EQ(printed(input_collection(*path("{{ $.x }}"), json_of(R"({"x":{"a":1}})"))), "SW_NOT_AN_ARRAY");
}

TEST(Collection, IsMadeWhereItIsMissingAndElseGrows) {
  const Value results = json_of("[3,4]");
  EXPECT_EQ(printed(add_collection(*path("{{ $.a.b }}"), json_of("{}"), results)), R"({"a":{"b":[3,4]}})");
  EXPECT_EQ(printed(add_collection(*path("{{ $.r }}"), json_of(R"({"r":[1]})"), results)), R"({"r":[1,3,4]})");
  EXPECT_EQ(printed(add_collection(*path("{{ $.r }}"), json_of(R"({"r":1})"), results)), "SW_NOT_AN_ARRAY");
  EXPECT_EQ(printed(add_collection(*path("{{ $.r.x }}"), json_of(R"({"r":1})"), results)), "SW_MERGE");
}

TEST(Iteration, GivesTheResultOfOneActionAndAnObjectOfSeveral) {
  Body body;
  body.actions.resize(1);
  body.actions[0].name = "one";
  const std::vector<Value> one = {Value::integer(4)};
  EXPECT_EQ(printed(iteration_result(body, one)), "4");
  body.actions.resize(2);
  body.actions[1].name = "two";
  const std::vector<Value> two = {Value::integer(4), json_of(R"({"a":1})")};
  EXPECT_EQ(printed(iteration_result(body, two)), R"({"one":4,"a":1})");
}

}  // namespace
}  // namespace pawl::serverless
