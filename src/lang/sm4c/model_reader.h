// How a definition's JSON becomes the model: typed access to the fields of an object, with findings for what is wrong.
// For model*.cpp only.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lang/sm4c/lint/findings.h"
#include "lang/sm4c/model.h"

namespace pawl::sm4c {

// What every part of the reader shares while one definition is read. The maps go by lower-case names.
struct Reading {
  Findings& findings;
  const Options& options;
  const Files& files;
  StateMachine& machine;
  std::unordered_map<std::string, const FunctionDefinition*> functions;
  std::unordered_map<std::string, const EventDefinition*> events;
  std::unordered_map<std::string, const RetryPolicy*> retries;
  std::unordered_map<std::string, size_t> states;  // to the place in the text
  ExpressionFunctions expression_functions;
};

inline constexpr size_t kSuggestNamesMax = 1000;  // among more names none is looked for that was perhaps meant

enum class Need : uint8_t { kOptional, kRequired };

using Names = std::initializer_list<std::string_view>;  // the first is the one that messages use

// The fields of one object. Each is asked for by name once; done() reports those that nobody asked for. Lives on the
// stack of the reader; the value, the place and the reading must outlive it.
class Fields {
 public:
  Fields(const Value& object, const Place& place, Reading& reading);

  struct Found {
    const Value* value = nullptr;
    std::string_view name;  // as the text spells it
    explicit operator bool() const { return value != nullptr; }
  };
  Found find(Names names, Need need = Need::kOptional);
  Found array(Names names, Need need = Need::kOptional);   // with a value that is an array
  Found object(Names names, Need need = Need::kOptional);  // with a value that is an object

  std::string text(Names names, Need need = Need::kOptional);  // empty where there is none
  std::optional<bool> boolean(Names names);
  std::optional<Expression> expression(Names names, Role role, Need need = Need::kOptional);
  std::optional<Timespan> timespan(Names names, Need need = Need::kOptional);
  std::optional<uint32_t> count(Names names, uint32_t least, Need need = Need::kOptional);
  std::optional<Template> data(Names names);  // an object whose strings may be expressions
  std::optional<Template> data_at(const Value& value, const Place& place);

  // One of the names, in any case; nothing where the field is absent or has another value.
  template <typename Choice>
  std::optional<Choice> choice(Names names, std::span<const std::pair<std::string_view, Choice>> choices) {
    const std::string written = text(names);
    if (written.empty()) return std::nullopt;
    std::vector<std::string_view> allowed;
    for (const auto& [name, value] : choices) {
      if (lower_case(name) == lower_case(written)) return value;
      allowed.push_back(name);
    }
    report_choice(*names.begin(), written, allowed);
    return std::nullopt;
  }

  // Reports the fields that were not asked for. `title` says what the object is: "A state".
  void done(std::string_view title);
  void ignore(std::string_view name) { known_.push_back(name); }

  void report(Code code, std::string cause, std::string fix);  // about the object
  void report_at(Code code, std::string_view field, std::string cause, std::string fix);
  const Place& place() const { return place_; }
  std::string pointer() const { return place_.pointer(); }
  Reading& reading() { return reading_; }

 private:
  void report_type(const Found& found, std::string_view wanted);
  void report_choice(std::string_view name, std::string_view written, const std::vector<std::string_view>& allowed);
  bool is_known(std::string_view name) const;

  const Value& object_;
  const Place& place_;
  Reading& reading_;
  std::vector<std::string_view> known_;
};

// Whether a value is an object; reports it where it is not.
bool check_object(const Value& value, const Place& place, std::string_view title, Reading& reading);
void report_error(Code code, const Error& error, const Place& place, Reading& reading);
// "Did you mean …?", or `otherwise` where no name is near.
std::string suggestion(std::string_view word, const std::vector<std::string_view>& names, std::string otherwise);

// model_definitions.cpp
void read_functions(Fields& fields);
void read_events(Fields& fields);
void read_retries(Fields& fields);

// What a field names, among the definitions of that kind; null, and a finding, where there is none.
template <typename Definition>
const Definition* refer_to(std::string_view name, const std::unordered_map<std::string, const Definition*>& known,
                           const std::vector<Definition>& all, Code code, std::string_view kind, const Place& place,
                           Reading& reading) {
  if (name.empty()) return nullptr;
  const auto found = known.find(lower_case(name));
  if (found != known.end()) return found->second;
  if (reading.findings.full()) return nullptr;
  std::vector<std::string_view> names;
  for (const Definition& each : all) names.push_back(each.name);
  reading.findings.report(code, place, "There is no " + std::string(kind) + " " + quoted(name) + ".",
                          suggestion(name, names, "Define it."));
  return nullptr;
}

// model_actions.cpp
std::optional<Action> read_action(Fields& fields, std::string_view name, Need need = Need::kOptional);

// model_states.cpp
State read_state(const Value& value, const Place& place, Reading& reading);

// model_numbers.cpp
void number_nodes(StateMachine& machine);

}  // namespace pawl::sm4c
