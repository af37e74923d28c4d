#include "connect/mocks.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "json/pointer.h"
#include "text/suggest.h"

namespace pawl::connect {

namespace {

constexpr std::string_view kPlaceFix = "See docs/tasks.md for the format of a mock file.";

std::unexpected<Error> invalid(std::string pointer, std::string what) {
  return fail("MOCKS_INVALID", std::move(what), std::string(kPlaceFix), std::move(pointer));
}

std::string list_of(std::span<const json::Member> members) {
  std::string names;
  for (const json::Member& member : members) {
    if (!names.empty()) names += ", ";
    names += "'" + std::string(member.key.as_string()) + "'";
  }
  return names;
}

// The member of an object that must be there and be an object itself.
Result<const Value*> object_in(const Value& parent, std::string_view key, const std::string& pointer) {
  const Value* found = parent.find(key);
  if (found == nullptr) return invalid(pointer, "There is no '" + std::string(key) + "' here.");
  if (!found->is_object()) return invalid(json::child_pointer(pointer, key), "This is no object.");
  return found;
}

struct Named {
  std::string name;
  const Value* value;
};

// The member that is wanted, or the only one where the wanted one is not given or not there.
Result<Named> choose(const Value& object, std::string_view wanted, bool only_one_will_do, const char* code,
                     const std::string& noun, const std::string& pointer) {
  if (const Value* found = object.find(wanted); found != nullptr && !wanted.empty())
    return Named{std::string(wanted), found};
  if (object.size() == 1 && only_one_will_do)
    return Named{std::string(object.members()[0].key.as_string()), &object.members()[0].value};
  const std::string what =
      wanted.empty() ? "The file has " + std::to_string(object.size()) + " " + noun + "s, and none was chosen."
                     : "The file has no " + noun + " '" + std::string(wanted) + "'.";
  const std::string fix = object.size() == 0 ? "Add a " + noun + "." : "There are: " + list_of(object.members()) + ".";
  return fail(code, what, fix, pointer);
}

std::optional<uint64_t> parse_count(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}

// "0" or "1-2".
Result<MockSpan> parse_span(std::string_view key, const std::string& pointer) {
  const size_t dash = key.find('-');
  const auto first = parse_count(key.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : parse_count(key.substr(dash + 1));
  if (!first || !last || *last < *first)
    return invalid(pointer, "'" + std::string(key) + "' is neither a number of a call (\"0\") nor a range (\"1-2\").");
  return MockSpan{*first, *last, {}};
}

Result<MockResponse> parse_throw(const Value& thrown, const std::string& pointer) {
  if (!thrown.is_object()) return invalid(pointer, "Throw is no object.");
  for (const json::Member& member : thrown.members()) {
    const std::string_view key = member.key.as_string();
    if (key != "Error" && key != "Cause")
      return invalid(json::child_pointer(pointer, key), "Throw has only Error and Cause.");
    if (!member.value.is_string()) return invalid(json::child_pointer(pointer, key), "This is no string.");
  }
  return MockResponse{MockResponse::Kind::kThrow, thrown};
}

Result<MockResponse> parse_response(const Value& response, const std::string& pointer) {
  if (!response.is_object() || response.size() != 1)
    return invalid(pointer, "A response is an object with one of Return, Throw and NoAnswer.");
  const json::Member& member = response.members()[0];
  const std::string_view key = member.key.as_string();
  if (key == "Return") return MockResponse{MockResponse::Kind::kReturn, member.value};
  if (key == "Throw") return parse_throw(member.value, json::child_pointer(pointer, key));
  if (key == "NoAnswer" && member.value == Value::boolean(true)) return MockResponse{MockResponse::Kind::kNoAnswer, {}};
  return invalid(json::child_pointer(pointer, key), "A response is one of Return, Throw and NoAnswer: true.");
}

Result<std::vector<MockSpan>> parse_responses(const Value& responses, const std::string& pointer) {
  std::vector<MockSpan> spans;
  for (const json::Member& member : responses.members()) {
    const std::string here = json::child_pointer(pointer, member.key.as_string());
    PAWL_TRY(MockSpan span, parse_span(member.key.as_string(), here));
    PAWL_TRY(span.response, parse_response(member.value, here));
    spans.push_back(std::move(span));
  }
  std::ranges::sort(spans, {}, &MockSpan::first);
  for (size_t i = 1; i < spans.size(); ++i)
    if (spans[i].first <= spans[i - 1].last)
      return invalid(pointer, "Call " + std::to_string(spans[i].first) + " is in two ranges.");
  return spans;
}

Result<const Value*> find_response(const Value& mocked, const Value& name, const std::string& place) {
  if (!name.is_string()) return invalid(place, "A state is given the name of one of the MockedResponses.");
  const Value* responses = mocked.find(name.as_string());
  if (responses != nullptr && responses->is_object()) return responses;
  std::vector<std::string_view> names;
  for (const json::Member& member : mocked.members()) names.push_back(member.key.as_string());
  const std::string_view near = text::nearest(name.as_string(), names);
  const std::string what = "There is no object '" + std::string(name.as_string()) + "' in MockedResponses.";
  return fail("MOCKS_INVALID", what,
              near.empty() ? std::string(kPlaceFix) : "Did you mean '" + std::string(near) + "'?", place);
}

}  // namespace

Result<MockPlan> read_mock_config(const Value& config, std::string_view machine, std::string_view test_case) {
  if (!config.is_object()) return invalid("", "A mock file is an object.");
  PAWL_TRY(const Value* machines, object_in(config, "StateMachines", ""));
  PAWL_TRY(const Value* mocked, object_in(config, "MockedResponses", ""));
  PAWL_TRY(const Named chosen, choose(*machines, machine, true, "MOCKS_UNKNOWN_MACHINE", "machine", "/StateMachines"));
  const std::string machine_pointer = json::child_pointer("/StateMachines", chosen.name);
  PAWL_TRY(const Value* cases, object_in(*chosen.value, "TestCases", machine_pointer));
  const std::string cases_pointer = json::child_pointer(machine_pointer, "TestCases");
  PAWL_TRY(const Named picked,
           choose(*cases, test_case, test_case.empty(), "MOCKS_UNKNOWN_CASE", "test case", cases_pointer));
  const std::string case_pointer = json::child_pointer(cases_pointer, picked.name);
  if (!picked.value->is_object()) return invalid(case_pointer, "A test case is an object of states.");
  MockPlan plan;
  for (const json::Member& member : picked.value->members()) {
    const std::string place = json::child_pointer(case_pointer, member.key.as_string());
    PAWL_TRY(const Value* responses, find_response(*mocked, member.value, place));
    PAWL_TRY(plan[std::string(member.key.as_string())],
             parse_responses(*responses, json::child_pointer("/MockedResponses", member.value.as_string())));
  }
  return plan;
}

const MockResponse* find_response(const MockPlan& plan, std::string_view state, uint64_t call) {
  const auto planned = plan.find(state);
  if (planned == plan.end()) return nullptr;
  for (const MockSpan& span : planned->second)
    if (span.first <= call && call <= span.last) return &span.response;
  return nullptr;
}

Error mock_exhausted(std::string_view state, uint64_t call) {
  return {"MOCK_EXHAUSTED", "state '" + std::string(state) + "'",
          "The state '" + std::string(state) + "' was called " + std::to_string(call + 1) +
              " times, and its mock has no response for the last call.",
          "Add a response for call number " + std::to_string(call) + ", counted from 0."};
}

engine::TaskHandler::Expect give_response(const MockResponse& response, const TaskRequest& request,
                                          const AnswerTask& answer) {
  using Expect = engine::TaskHandler::Expect;
  // A task that waits for a token was accepted first; AWS shows that in the history.
  if (request.waits_for_token) answer(TaskAnswer::submitted(Value::empty_object()));
  switch (response.kind) {
    case MockResponse::Kind::kReturn:
      answer(TaskAnswer::succeeded(response.value));
      return Expect::kAnswer;
    case MockResponse::Kind::kThrow:
      answer({TaskAnswer::Kind::kFailed, response.value});
      return Expect::kAnswer;
    case MockResponse::Kind::kNoAnswer:
      return Expect::kNothing;
  }
  return Expect::kNothing;
}

uint64_t MockTasks::calls_of(std::string_view state) const {
  const auto counted = calls_.find(state);
  return counted == calls_.end() ? 0 : counted->second;
}

Result<bool> MockTasks::claims(const TaskRequest& request) {
  if (!plan_.contains(request.state)) return false;
  const uint64_t call = calls_of(request.state);
  if (find_response(plan_, request.state, call) != nullptr) return true;
  return std::unexpected(mock_exhausted(request.state, call));
}

MockTasks::Expect MockTasks::start(const TaskRequest& request, AnswerTask answer) {
  const MockResponse& response = *find_response(plan_, request.state, calls_of(request.state));
  ++calls_[request.state];
  return give_response(response, request, answer);
}

}  // namespace pawl::connect
