#include "case_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "text/yaml.h"

namespace pawl::conformance {

namespace {

std::string text_of(const Value& object, std::string_view key) {
  const Value* found = object.find(key);
  return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string();
}

std::unexpected<Error> invalid(const std::string& id, const std::string& what) {
  return fail("DURABLE_CASE_INVALID", what, "Write the case as the others are.", id);
}

Result<CallbackAction> parse_action(const std::string& id, const Value& action) {
  CallbackAction parsed;
  parsed.callback = text_of(action, "CallbackName");
  if (parsed.callback.empty()) return invalid(id, "An action names no callback.");
  const std::string operation = text_of(action, "Operation");
  if (operation == "success") {
    parsed.operation = CallbackAction::Operation::kSucceed;
  } else if (operation == "failure") {
    parsed.operation = CallbackAction::Operation::kFail;
  } else if (operation == "heartbeat") {
    parsed.operation = CallbackAction::Operation::kHeartbeat;
  } else {
    return invalid(id, "There is no operation '" + operation + "' on callbacks.");
  }
  if (const Value* payload = action.find("Payload"); payload != nullptr && !payload->is_null())
    parsed.payload = *payload;
  return parsed;
}

Result<LogExpectation> parse_log(const std::string& id, const Value& expectation) {
  const Value* match = expectation.find("match");
  if (match == nullptr || !match->is_object() || match->size() == 0)
    return invalid(id, "An expected log says nothing to match.");
  const Value* count = expectation.find("count");
  return LogExpectation{*match, count == nullptr ? std::nullopt : count->as_integer()};
}

Result<void> parse_lists(DurableCase& parsed, const Value& root) {
  const Value* history = root.find("ExpectedExecutionHistory");
  if (history == nullptr || !history->is_array() || history->size() == 0)
    return invalid(parsed.id, "The case expects no history.");
  parsed.history.assign(history->items().begin(), history->items().end());
  for (const Value& event : parsed.history)
    if (event.find("EventId") == nullptr) return invalid(parsed.id, "An expected event has no EventId.");
  if (const Value* actions = root.find("CallbackActions")) {
    for (const Value& action : actions->items()) {
      PAWL_TRY(parsed.actions.emplace_back(), parse_action(parsed.id, action));
    }
  }
  if (const Value* logs = root.find("ExpectedLogs")) {
    for (const Value& log : logs->items()) {
      PAWL_TRY(parsed.logs.emplace_back(), parse_log(parsed.id, log));
    }
  }
  return {};
}

Result<std::string> read_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return fail("DURABLE_CASES_UNREADABLE", "The file cannot be opened.", "", path.string());
  return text.str();
}

// "9-2" before "9-10".
std::pair<int, int> number_of(const DurableCase& one) {
  int folder = 0;
  int number = 0;
  std::sscanf(one.id.c_str(), "%d-%d", &folder, &number);
  return {folder, number};
}

}  // namespace

Result<DurableCase> parse_case(const std::string& folder, const std::string& id, std::string_view text) {
  const auto document = text::parse_yaml(text);
  if (!document) return invalid(id, to_string(document.error()));
  const Value& root = document->root;
  DurableCase parsed;
  parsed.folder = folder;
  parsed.id = id;
  if (const Value* input = root.find("Input")) parsed.input = *input;
  if (const Value* variables = root.find("Variables")) parsed.variables = *variables;
  if (const Value* is_asynchronous = root.find("AsyncInvoke")) parsed.is_asynchronous = is_asynchronous->as_boolean();
  if (const Value* expected = root.find("ExpectedResult")) {
    parsed.status = text_of(*expected, "ExecutionStatus");
    if (const Value* result = expected->find("Result")) parsed.result = *result;
  }
  if (const auto lists = parse_lists(parsed, root); !lists) return std::unexpected(lists.error());
  return parsed;
}

Result<std::vector<DurableCase>> load_cases(const std::string& directory) {
  std::vector<DurableCase> cases;
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory, error)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".yaml" && extension != ".yml") continue;
    PAWL_TRY(const std::string text, read_file(entry.path()));
    PAWL_TRY(cases.emplace_back(),
             parse_case(entry.path().parent_path().filename().string(), entry.path().stem().string(), text));
  }
  if (error || cases.empty())
    return fail("DURABLE_CASES_UNREADABLE", "There are no cases.", "Name the folder of the cases.", directory);
  std::ranges::sort(cases, {}, number_of);
  return cases;
}

}  // namespace pawl::conformance
