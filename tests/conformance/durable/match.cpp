#include "match.h"

#include <algorithm>
#include <regex>

#include "json/parse.h"
#include "json/print.h"

namespace pawl::conformance {

namespace {

std::string text_of(const Value& value) {
  return value.is_string() ? std::string(value.as_string()) : json::print(value);
}

// What stands between "${/" and "/}".
std::optional<std::string> pattern_in(const Value& value) {
  if (!value.is_string()) return std::nullopt;
  const std::string_view text = value.as_string();
  if (!text.starts_with("${/") || !text.ends_with("/}") || text.size() < 6) return std::nullopt;
  return std::string(text.substr(3, text.size() - 5));
}

class Matcher {
 public:
  explicit Matcher(Bindings& bindings) : bindings_(bindings) {}

  void match(const Value& expected, const Value& actual, const std::string& path) {
    if (expected.is_object() && expected.size() == 0) return;
    if (expected.is_string() && expected.as_string() == "*") return;
    if (const std::string name = name_in(expected); !name.empty()) return match_name(name, actual, path);
    if (const auto pattern = pattern_in(expected)) {
      if (!std::regex_search(text_of(actual), std::regex(*pattern)))
        differs(path, "something like /" + *pattern + "/", actual);
    } else if (expected.is_object() && actual.is_object()) {
      match_members(expected, actual, path);
    } else if (expected.is_array() && actual.is_array() && expected.size() == actual.size()) {
      for (size_t i = 0; i < expected.size(); ++i)
        match(expected.at(i), actual.at(i), path + "[" + std::to_string(i) + "]");
    } else if (const Value wanted = bindings_.substitute(expected); wanted != actual) {
      differs(path, json::print(wanted), actual);
    }
  }

  Differences take() { return std::move(differences_); }
  void differs(const std::string& path, const std::string& expected, const Value& actual) {
    differences_.push_back(path + ": expected " + expected + ", found " + json::print(actual));
  }
  void add(std::string difference) { differences_.push_back(std::move(difference)); }

 private:
  void match_members(const Value& expected, const Value& actual, const std::string& path) {
    for (const json::Member& member : expected.members()) {
      const std::string below = path + "." + std::string(member.key.as_string());
      const Value* found = actual.find(member.key.as_string());
      if (found == nullptr) {
        add(below + ": missing");
      } else {
        match(member.value, *found, below);
      }
    }
  }

  void match_name(const std::string& name, const Value& actual, const std::string& path) {
    const Value* bound = bindings_.find(name);
    if (bound == nullptr) return bindings_.bind(name, actual);
    if (*bound != actual) differs(path, "what ${" + name + "} is: " + json::print(*bound), actual);
  }

  Bindings& bindings_;
  Differences differences_;
};

// A text between slashes is looked for; anything else must be equal.
bool field_matches(const Value& expected, const Value& actual) {
  const std::string wanted = text_of(expected);
  if (wanted.size() >= 2 && wanted.front() == '/' && wanted.back() == '/')
    return std::regex_search(text_of(actual), std::regex(wanted.substr(1, wanted.size() - 2)));
  return wanted == text_of(actual);
}

bool record_matches(const Value& expected, const Value& record) {
  return std::ranges::all_of(expected.members(), [&](const json::Member& field) {
    const Value* found = record.find(field.key.as_string());
    return found != nullptr && field_matches(field.value, *found);
  });
}

}  // namespace

Differences match_history(const std::vector<Value>& expected, const std::vector<Value>& actual, Bindings& bindings) {
  Matcher matcher(bindings);
  for (const Value& event : expected) {
    const Value& id = *event.find("EventId");
    const auto found = std::ranges::find_if(actual, [&](const Value& candidate) {
      const Value* candidate_id = candidate.find("EventId");
      return candidate_id != nullptr && *candidate_id == id;
    });
    const std::string path = "event " + json::print(id);
    if (found == actual.end()) {
      matcher.add(path + ": missing, of type " + json::print(*event.find("EventType")));
    } else {
      matcher.match(event, *found, path);
    }
  }
  return matcher.take();
}

Differences match_result(const DurableCase& expected, const Observed& actual, const Bindings& bindings) {
  if (!expected.status) return {};
  if (*expected.status != actual.status) return {"status: expected " + *expected.status + ", found " + actual.status};
  if (actual.status != "SUCCEEDED" || !expected.result) return {};
  const Value wanted = bindings.substitute(*expected.result);
  const Value found =
      actual.result ? json::parse(*actual.result).value_or(Value::string(*actual.result)) : Value::null();
  if (wanted == found) return {};
  return {"result: expected " + json::print(wanted) + ", found " + json::print(found)};
}

Differences match_logs(const std::vector<LogExpectation>& expected, const std::vector<Value>& log,
                       const Bindings& bindings) {
  Differences differences;
  for (const LogExpectation& expectation : expected) {
    const Value match = bindings.substitute(expectation.match);
    const auto count = std::ranges::count_if(log, [&](const Value& record) { return record_matches(match, record); });
    const bool is_right = expectation.count ? count == *expectation.count : count > 0;
    if (!is_right)
      differences.push_back("log: expected " +
                            (expectation.count ? std::to_string(*expectation.count) : std::string("some")) + " of " +
                            json::print(match) + ", found " + std::to_string(count));
  }
  return differences;
}

Differences match(const DurableCase& expected, const Observed& actual, Bindings& bindings) {
  Differences differences = match_history(expected.history, actual.events, bindings);
  std::ranges::move(match_result(expected, actual, bindings), std::back_inserter(differences));
  if (differences.empty()) differences = match_logs(expected.logs, actual.log, bindings);
  return differences;
}

}  // namespace pawl::conformance
