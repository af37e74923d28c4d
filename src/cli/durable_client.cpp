#include "cli/durable_client.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "cli/console.h"
#include "cli/follow.h"
#include "json/members.h"
#include "json/print.h"

namespace pawl::cli {

namespace {

using json::text_at;
using json::Value;

constexpr const char* kExecutions = "/2025-12-01/durable-executions/";
constexpr const char* kFunctions = "/2015-03-31/functions";
constexpr const char* kPageSize = "1000";

std::string list_path(const std::string& function) {
  return "/2025-12-01/functions/" + as_path_part(function) + "/durable-executions?MaxItems=" + kPageSize;
}

// Calls `take` with every item of a list, page by page; `path` has a query.
template <typename Take>
Result<void> each_item(const Client& client, const std::string& path, const char* items, Take take) {
  for (std::string marker;;) {
    PAWL_TRY(const Value page,
             client.ask_lambda("GET", marker.empty() ? path : path + "&Marker=" + as_path_part(marker)));
    const Value* list = page.find(items);
    if (list != nullptr && list->is_array())
      for (const Value& item : list->items()) take(item);
    marker = text_at(page, "NextMarker");
    if (marker.empty()) return {};
  }
}

// Neither a function nor a server that knows functions: whatever else was named is looked for elsewhere.
bool is_refused(const Error& error) { return error.code == "SERVER_REFUSED"; }

// The text at `name` of every item; none where the list is not there.
Result<std::vector<std::string>> texts_of(const Client& client, const std::string& path, const char* items,
                                          std::string_view name) {
  std::vector<std::string> texts;
  const auto read = each_item(client, path, items, [&](const Value& item) { texts.emplace_back(text_at(item, name)); });
  if (!read && !is_refused(read.error())) return std::unexpected(read.error());
  return texts;
}

// The newest execution of a function with that name. Those of its versions are listed apart from those of $LATEST.
Result<std::optional<std::string>> find_in_function(const Client& client, const std::string& function,
                                                    const std::string& name) {
  const std::string path = list_path(function) + "&DurableExecutionName=" + as_path_part(name);
  const std::string of_function = kFunctions + ("/" + as_path_part(function)) + "/versions?MaxItems=50";
  PAWL_TRY(std::vector<std::string> found, texts_of(client, path, "DurableExecutions", "DurableExecutionArn"));
  if (!found.empty()) return found.front();
  PAWL_TRY(const std::vector<std::string> versions, texts_of(client, of_function, "Versions", "Version"));
  for (const std::string& version : versions) {
    const std::string qualified = path + "&Qualifier=" + as_path_part(version);
    PAWL_TRY(found, texts_of(client, qualified, "DurableExecutions", "DurableExecutionArn"));
    if (!found.empty()) return found.front();
  }
  return std::nullopt;
}

Result<std::optional<std::string>> find_in_all(const Client& client, const std::string& name) {
  PAWL_TRY(const std::vector<std::string> functions,
           texts_of(client, std::string(kFunctions) + "?MaxItems=50", "Functions", "FunctionName"));
  std::optional<std::string> found;
  for (const std::string& function : functions) {
    PAWL_TRY(auto arn, find_in_function(client, function, name));
    if (arn && found)
      return fail("EXECUTION_AMBIGUOUS", "Several functions have an execution '" + name + "'.",
                  "Name the function too: FUNCTION:" + name + ".");
    if (arn) found = std::move(arn);
  }
  return found;
}

void print_item(const Value& item) { print_line(json::print(item)); }

bool is_execution_name(std::string_view name) {
  return !name.empty() &&
         std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_'; });
}

}  // namespace

Result<std::optional<std::string>> find_durable_execution(const Client& client, const std::string& text) {
  if (text.starts_with("arn:")) return text.contains("/durable-execution/") ? std::optional(text) : std::nullopt;
  const size_t colon = text.rfind(':');
  const std::string name = text.substr(colon == std::string::npos ? 0 : colon + 1);
  if (!is_execution_name(name)) return std::nullopt;
  if (colon == std::string::npos) return find_in_all(client, name);
  return find_in_function(client, text.substr(0, colon), name);
}

Result<Value> show_durable(const Client& client, const std::string& arn) {
  return client.ask_lambda("GET", kExecutions + as_path_part(arn));
}

Result<Value> stop_durable(const Client& client, const std::string& arn, const std::string& error,
                           const std::string& cause) {
  json::ObjectBuilder body(2);
  if (!error.empty()) body.set("ErrorType", Value::string(error));
  if (!cause.empty()) body.set("ErrorMessage", Value::string(cause));
  return client.ask_lambda("POST", kExecutions + as_path_part(arn) + "/stop", body.build());
}

Result<void> print_durable_history(const Client& client, const std::string& arn, bool reverse) {
  const std::string path = kExecutions + as_path_part(arn) + "/history?MaxItems=" + kPageSize;
  return each_item(client, path + (reverse ? "&ReverseOrder=true" : ""), "Events", print_item);
}

// A server that does not list functions has none to show.
Result<void> print_functions(const Client& client) {
  const auto printed = each_item(client, std::string(kFunctions) + "?MaxItems=50", "Functions", print_item);
  if (printed || is_refused(printed.error())) return {};
  return printed;
}

Result<void> print_durable_executions(const Client& client, const std::string& function, const std::string& status) {
  const std::string filter = status.empty() ? "" : "&Statuses=" + as_path_part(status);
  return each_item(client, list_path(function) + filter, "DurableExecutions", print_item);
}

}  // namespace pawl::cli
