// A parsed definition: typed, immutable, with its expressions compiled and its references resolved.
//
// The model takes every spelling that the draft, its examples and version 0.5 use, and has one form for each. What is
// wrong goes into diagnostics; a definition with an error among them must not be run, and parts of it may be left out.
//
// Whatever runs in a scope of its own is a node and has a StateOrdinal, counted from 1 in the order of the text:
// states, the bodies in them (what an event sets off, a branch, an iteration), actions, and a callback's wait for its
// event.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "base/ids.h"
#include "base/result.h"
#include "json/parse.h"
#include "json/value.h"
#include "lang/serverless/expression.h"
#include "lang/serverless/options.h"
#include "schema/schema.h"
#include "text/duration.h"
#include "text/interval.h"

namespace pawl::serverless {

inline constexpr size_t kNodesMax = 100'000;  // of one definition

enum class StateType : uint8_t {
  kEvent,
  kOperation,
  kSwitch,
  kDelay,
  kParallel,
  kSubflow,
  kInject,
  kForeach,
  kCallback
};

std::string_view type_name(StateType type);               // "foreach"
const StateType* find_state_type(std::string_view name);  // in any case

enum class EventKind : uint8_t { kConsumed, kProduced };
enum class ActionMode : uint8_t { kSequential, kParallel };
enum class CompletionType : uint8_t { kAnd, kXor, kNOfM };
enum class StartKind : uint8_t { kDefault, kScheduled };
enum class ExitKind : uint8_t { kTransition, kEnd, kTerminate };  // an end of kind "event" is kEnd with events

// A JSON Schema: given in place, or in a file.
struct Schema {
  std::string uri;  // empty where it is given in place
  Value document;   // null where the file could not be read (which is an error)
  std::string pointer;
  schema::Documents others{};  // files that its $refs lead to
};

// --- Functions and events --------------------------------------------------------------------------------------------

struct FunctionDefinition {
  std::string name;
  std::string
      resource;  // a URI, a name for the tasks file, or (v0.5's "operation") <OpenAPI URI>#<operationId>; may be empty
  std::string type;  // never acted on
  Value metadata;    // an object or null; never acted on
  Value endpoint;    // of an OpenAPI operation: how it is called (openapi::to_value); else null
  Value source;      // the JSON, which sub-workflows inherit, with the endpoint
};

struct Correlation {
  std::string attribute;            // as the definition spells it
  std::string attribute_lower;      // as events are compared
  std::optional<Expression> value;  // absent: the first event fixes it
};

struct EventDefinition {
  std::string name;
  std::string event_source;  // empty: any
  std::string event_type;    // empty: any; not both
  EventKind kind = EventKind::kConsumed;
  std::vector<Correlation> correlation;
  Value metadata;
  Value source;  // the JSON, which sub-workflows inherit
  std::string pointer;
};

// --- What leaves a state ---------------------------------------------------------------------------------------------

struct ContextAttribute {
  std::string name;  // as written
  Template value;
};

struct ProducedEvent {
  std::string event;                            // its definition's name
  const EventDefinition* definition = nullptr;  // null: inherited from the parent
  std::optional<Template> data;                 // absent: the event has no data
  std::vector<ContextAttribute> attributes;
  std::string pointer;
};

// A transition or an end: what a state, a condition, a default or an error handler does next.
struct Exit {
  ExitKind kind = ExitKind::kEnd;
  std::optional<Expression> expression;  // must hold, on the filtered output, else the instance halts
  std::vector<ProducedEvent> events;     // produced when it is taken
  StateOrdinal next;                     // of a transition
  std::string pointer;
};

// --- Actions ---------------------------------------------------------------------------------------------------------

struct FunctionCall {
  std::string name;                              // of the function
  const FunctionDefinition* function = nullptr;  // null: inherited from the parent, or known to the tasks file only
  Template parameters;                           // {} where none are given
  bool has_parameters = false;
};

struct EventCall {
  ProducedEvent trigger;
  std::string result;                                  // the name of the event that is waited for
  const EventDefinition* result_definition = nullptr;  // null: inherited from the parent
};

struct ActionFilter {
  std::optional<Expression> input;    // dataInputPath
  std::optional<Expression> results;  // dataResultsPath
};

struct DurationField {
  std::string text;
  text::CalendarDuration value;
};

struct Action {
  StateOrdinal ordinal;
  std::string name;  // its own, else the function's, else the trigger event's
  bool has_own_name = false;
  std::variant<FunctionCall, EventCall> call;
  std::optional<DurationField> timeout;
  ActionFilter filter;
  std::string pointer;
};

// Actions, or a sub-workflow in their place: an operation's, what an event sets off, a branch, an iteration.
struct Body {
  StateOrdinal ordinal;  // 0 for an operation's: its actions belong to the state itself
  std::string name;      // a branch's own; else the state's
  ActionMode mode = ActionMode::kSequential;
  std::vector<Action> actions;  // may be empty
  std::string workflow_id;      // empty where there are actions
  std::string pointer;
};

// --- States ----------------------------------------------------------------------------------------------------------

struct EventReference {
  std::string event;
  const EventDefinition* definition = nullptr;  // null: inherited from the parent
};

struct EventsActions {
  std::vector<EventReference> events;
  Body body;
  std::optional<Expression> event_filter;
};

struct EventState {
  bool exclusive = true;
  std::vector<EventsActions> groups;
  std::optional<DurationField> timeout;
};

struct OperationState {
  Body body;
};

struct DataCondition {
  std::string name;  // v0.5; may be empty
  Expression condition;
  Exit exit;
  Value metadata;
};

struct EventCondition {
  std::string name;
  EventReference event;
  std::optional<Expression> event_filter;
  Exit exit;
  Value metadata;
};

struct SwitchState {
  std::vector<DataCondition> data_conditions;  // one of the two is empty
  std::vector<EventCondition> event_conditions;
  std::optional<DurationField> event_timeout;
  std::optional<Exit> fallback;  // "default"
};

struct DelayState {
  DurationField delay;
};

struct ParallelState {
  CompletionType completion = CompletionType::kAnd;
  std::optional<IntegerField> n;  // of kNOfM
  std::vector<Body> branches;
};

struct SubflowState {
  std::string workflow_id;
  bool wait_for_completion = false;
};

struct InjectState {
  Value data;  // an object; {} where none is given
};

struct ForeachState {
  Expression input_collection;
  std::optional<Expression> output_collection;
  std::string iteration_param;
  std::optional<IntegerField> max;  // absent or 0: no bound
  Body body;
};

struct CallbackState {
  Action action;
  EventReference event;
  StateOrdinal wait;  // the node that waits for the event
  std::optional<Expression> event_filter;
  std::optional<DurationField> timeout;  // from when the action has run
};

struct Retry {
  std::optional<Expression> expression;   // absent: always
  std::string error;                      // of v0.5: the name of the error; empty: any
  std::optional<DurationField> interval;  // absent: at once
  std::optional<uint32_t> repetitions;    // of an interval "R5/PT1M"
  std::optional<DurationField> multiplier;
  std::optional<IntegerField> max_attempts;
  std::optional<double> relative_jitter;  // a part of the wait, from 0 to 1
  std::optional<DurationField> absolute_jitter;
  std::string pointer;
};

struct ErrorHandler {
  std::optional<Expression> expression;  // absent: always
  std::string error;                     // of v0.5: the name of the error; empty: any
  std::optional<Expression> filter;      // errorDataFilter
  std::optional<Exit> exit;              // absent: as the state itself goes on
  std::string pointer;
};

struct StateFilter {
  std::optional<Expression> input;   // dataInputPath
  std::optional<Expression> output;  // dataOutputPath
};

struct Schedule {
  std::optional<text::Interval> interval;  // when instances may be created
  std::string interval_text;
  std::string cron;           // when they are; empty: at no set time
  std::string timezone;       // empty: the machine's
  bool direct_invoke = true;  // instances may be created otherwise too
};

struct Start {
  StartKind kind = StartKind::kDefault;
  std::optional<Schedule> schedule;
  std::string pointer;
};

struct State {
  StateOrdinal ordinal;
  std::string name;
  std::string id;  // may be empty
  StateType type = StateType::kInject;
  std::string pointer;  // "/states/0"
  Value source;
  Value metadata;  // an object or null
  StateFilter filter;
  std::optional<Schema> input_schema;
  std::optional<Schema> output_schema;
  std::vector<Retry> retries;
  std::vector<ErrorHandler> handlers;
  std::optional<Start> start;
  std::optional<Exit> exit;  // absent for a switch only
  std::variant<EventState, OperationState, SwitchState, DelayState, ParallelState, SubflowState, InjectState,
               ForeachState, CallbackState>
      detail;
};

// --- The whole -------------------------------------------------------------------------------------------------------

enum class NodeKind : uint8_t { kState, kBody, kAction, kWait };

// What an ordinal names. A body's and an action's `state` is the one they belong to.
struct Node {
  NodeKind kind = NodeKind::kState;
  const State* state = nullptr;
  const Body* body = nullptr;      // of kBody; of kAction: the body it is in, null for a callback's
  const Action* action = nullptr;  // of kAction
  size_t index = 0;                // of a body among its state's; of an action in its body
  std::string_view name() const;   // as histories show it
};

// A function or an event that the definition names and does not define: a parent may lend it.
struct Unresolved {
  enum class Kind : uint8_t { kFunction, kEvent };
  Kind kind = Kind::kFunction;
  std::string name;
  std::string pointer;
};

struct Workflow {
  std::string id;
  Expression name;  // these three see the workflow's input only
  std::optional<Expression> version;
  std::optional<Expression> description;
  std::string schema_version;
  std::optional<Schema> input_schema;
  std::optional<Schema> output_schema;
  Value metadata;
  std::vector<FunctionDefinition> functions;
  std::vector<EventDefinition> events;
  std::vector<State> states;
  StateOrdinal start;               // the start state's
  bool starts_at_is_given = false;  // "startsAt" named it
  std::vector<Node> nodes;          // by ordinal - 1
  std::vector<Unresolved> unresolved;
  Value extensions;  // v0.5's "extensions" or null

  const State& start_state() const;
  const Start& start_definition() const;  // of the start state; {default} where startsAt names it
  const Node& node(StateOrdinal ordinal) const;
  const State& state(StateOrdinal ordinal) const;  // must be a state's
  const FunctionDefinition* find_function(std::string_view name) const;
  const EventDefinition* find_event(std::string_view name) const;
  const State* find_state(std::string_view name_or_id) const;
  // {"id", "name", "version", "description"} as an instance with this input shows them.
  Result<Value> header(const Value& input) const;
};

// A definition owns its text's tree too: diagnostics of later stages need its positions. Not copied: nodes point into
// it.
struct Definition {
  json::Document document;
  std::shared_ptr<const Workflow> workflow;  // never null; shared with the program that is compiled from it
};

// The files that a definition refers to (schemas; functions and events of v0.5), by the path that it says: read by what
// wants the definition, since a language reads no disk.
using Files = std::map<std::string, std::string, std::less<>>;

// The paths of those files, each once, without what follows a #, and the URLs of OpenAPI documents; any other URL is
// left out. What the files refer to in turn (a schema's $ref, functions that name OpenAPI documents) is among them, for
// the files that are at hand.
std::vector<std::string> referred_files(const Value& root, const Files& files = {});

// The files that the $refs of a schema lead to, over others too.
schema::Documents documents_of(const Value& document, std::string_view uri, const Files& files);

// Builds the model. What makes that impossible or is no good goes into diagnostics, which have positions but no file.
Definition parse_definition(json::Document document, const Options& options, const Files& files,
                            Diagnostics& diagnostics);

// A function or event that a sub-workflow inherits, from the JSON that its parent's `source` was.
// Error: SW_INHERITED.
Result<FunctionDefinition> read_function(const Value& source);
Result<EventDefinition> read_event(const Value& source, const Options& options);

}  // namespace pawl::serverless
