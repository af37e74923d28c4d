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

#include "lang/serverless/lint/findings.h"
#include "lang/serverless/model.h"

namespace pawl::serverless {

// What every part of the reader shares while one definition is read.
struct Reading {
  Findings& findings;
  const Options& options;
  const Files& files;
  Workflow& workflow;
  std::unordered_map<std::string_view, const FunctionDefinition*> functions;
  std::unordered_map<std::string_view, const EventDefinition*> events;
  std::unordered_map<std::string, Retry> retries;  // of v0.5, by name
  std::unordered_map<std::string, size_t> states;  // by name and by id, to the place in the text

  jsonpath::Dialect dialect() const {
    return options.strict_jayway ? jsonpath::Dialect::kJayway : jsonpath::Dialect::kServerless;
  }
};

inline constexpr size_t kSuggestNamesMax = 1000;  // among more names none is looked for that was perhaps meant

enum class Need : uint8_t {
  kOptional,
  kExpected,  // the tables call it required, but it can be done without: a warning
  kRequired,
};

using Names = std::initializer_list<std::string_view>;  // the first is the draft's, the others are accepted too

// The fields of one object. Each is asked for by name once; done() reports those that nobody asked for. Lives on the
// stack of the reader; the value, the place and the reading must outlive it.
class Fields {
 public:
  Fields(const Value& object, const Place& place, Reading& reading);

  struct Found {
    const Value* value = nullptr;
    std::string_view name;
    explicit operator bool() const { return value != nullptr; }
  };
  Found find(Names names, Need need = Need::kOptional);
  Found array(Names names, Need need = Need::kOptional);   // with a value that is an array
  Found object(Names names, Need need = Need::kOptional);  // with a value that is an object

  std::string text(Names names, Need need = Need::kOptional);  // empty where there is none
  std::optional<bool> boolean(Names names, Need need = Need::kOptional);
  std::optional<Expression> expression(Names names, Need need = Need::kOptional);  // any text
  std::optional<Expression> path(Names names, Need need = Need::kOptional);  // where only an expression makes sense
  std::optional<DurationField> duration(Names names, Need need = Need::kOptional);
  std::optional<IntegerField> integer(Names names);
  std::optional<Template> data(Names names);
  std::optional<Schema> schema(Names names);
  Value metadata();

  // One of the names, in any case; nothing where the field is absent or has another value.
  template <typename Choice>
  std::optional<Choice> choice(Names names, std::span<const std::pair<std::string_view, Choice>> choices,
                               Need need = Need::kOptional) {
    const std::string written = text(names, need);
    if (written.empty()) return std::nullopt;
    for (const auto& [name, value] : choices)
      if (is_same_word(name, written)) return value;
    std::vector<std::string_view> allowed;
    for (const auto& [name, value] : choices) allowed.push_back(name);
    report_choice(names, written, allowed);
    return std::nullopt;
  }

  // Reports the fields that were not asked for. `title` says what the object is: "A state".
  void done(std::string_view title);

  void report(Code code, std::string cause, std::string fix);  // about the object
  const Place& place() const { return place_; }
  std::string pointer() const { return place_.pointer(); }
  Reading& reading() { return reading_; }

  static bool is_same_word(std::string_view a, std::string_view b);  // in any case

 private:
  void report_type(const Place& place, std::string_view name, std::string_view wanted);
  void report_choice(Names names, std::string_view written, const std::vector<std::string_view>& allowed);
  std::optional<Expression> compile(const Found& found, bool is_path);
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
// What "functions", "events" or "retries" holds: an array, or the path of a file with one. Positions are those of the
// reference then.
Value read_list(Fields& fields, std::string_view name);
void read_functions(Fields& fields);
void read_events(Fields& fields);
EventReference refer_to_event(std::string name, const Place& place, Reading& reading);  // to one that is consumed

// model_exits.cpp
Exit read_transition(const Value& value, const Place& place, Reading& reading);
Exit read_end(const Value& value, const Place& place, Reading& reading);
std::optional<Exit> read_exit(Fields& fields, Need need);  // "transition" or "end" of an object
ProducedEvent read_produced(Fields& fields, std::string event, const Place& event_place);
std::optional<Start> read_start(Fields& fields);

// model_actions.cpp
Action read_action(const Value& value, const Place& place, Reading& reading);
Body read_body(Fields& fields, std::string name, bool may_be_workflow);
std::optional<Expression> read_event_filter(Fields& fields);

// model_states.cpp
std::optional<State> read_state(const Value& value, const Place& place, Reading& reading);

// model_errors.cpp
void read_retries(Fields& fields);  // of v0.5: strategies that the errors of states refer to
void read_error_handling(Fields& fields, State& state);

// model_numbers.cpp
void number_nodes(Workflow& workflow);

}  // namespace pawl::serverless
