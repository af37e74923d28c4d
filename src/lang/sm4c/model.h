// A parsed definition: typed, immutable, with its expressions compiled and its references resolved.
//
// Names of fields, types, states, functions, events and policies are compared without case. What is wrong goes into
// diagnostics; a definition with an error among them must not be run, and parts of it may be left out.
//
// Whatever runs in a scope of its own is a node and has a StateOrdinal, counted from 1 in the order of the text:
// states, their waits for events, actions, calls that are not waited for; behind them what the machine as a whole
// needs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
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
#include "lang/sm4c/expression.h"
#include "lang/sm4c/options.h"
#include "text/duration.h"

namespace pawl::sm4c {

inline constexpr size_t kNodesMax = 100'000;  // of one definition

enum class ActionType : uint8_t {
  kDelay,
  kForeach,
  kInjectData,
  kInvokeFunction,
  kInvokeSubflow,
  kParallel,
  kSendEvent,
  kSequence
};

std::string_view type_name(ActionType type);                // "injectData"
const ActionType* find_action_type(std::string_view name);  // in any case

enum class FunctionType : uint8_t { kRest, kExpression, kRpc };
enum class CompletionType : uint8_t { kAnd, kXor, kNOfM };

struct Timespan {
  std::string text;
  text::CalendarDuration value;
};

// --- Functions, events, retry policies -------------------------------------------------------------------------------

struct FunctionDefinition {
  std::string name;
  FunctionType type = FunctionType::kRest;
  std::string operation;               // <OpenAPI URI>#<operationId>, a URL, <proto file>#<Service>/<Method>, or jq
  std::optional<jq::Program> program;  // of kExpression
  Value endpoint;                      // how the operation is called, where a file of the definition says it; or null
  std::string pointer;
};

struct Correlation {
  std::string attribute;
  std::optional<Template> value;  // sees the machine's input; absent: the first event fixes it
};

struct EventDefinition {
  std::string name;
  std::string event_source;  // empty: any, or the machine's own where it is sent
  std::string event_type;    // empty: any, or the name where it is sent; the name where there is no source either
  std::vector<Correlation> correlation;
  std::string pointer;
};

struct RetryPolicy {
  std::string name;
  uint32_t max_attempts = 0;  // retries
  std::optional<Timespan> delay;
  std::optional<Timespan> max_delay;
  std::optional<Timespan> increment;
  std::optional<double> multiplier;
  std::optional<double> relative_jitter;  // a part of the delay, from 0 to 1
  std::optional<Timespan> absolute_jitter;
  std::string pointer;
};

// --- Actions ---------------------------------------------------------------------------------------------------------

struct ErrorHandler {
  std::optional<Expression> condition;  // absent: always
  std::optional<Expression> result_handler;
  const RetryPolicy* retry = nullptr;
  std::string pointer;
};

struct Action;

struct DelayAction {
  Timespan timeout;
};

struct ForeachAction {
  Expression input;
  std::vector<Action> action;  // exactly one
  uint32_t max_parallel = 1;
};

struct InjectDataAction {
  Expression expression;
};

struct InvokeFunctionAction {
  const FunctionDefinition* function = nullptr;
  std::optional<Timespan> timeout;
  bool waits = false;  // with the options and the function's type taken into account
  std::optional<Template> arguments;
};

struct InvokeSubflowAction {
  std::string subflow;
  std::optional<Timespan> timeout;
  bool waits = false;
  std::optional<Template> arguments;
};

struct ParallelAction {
  std::vector<Action> actions;
  CompletionType completion = CompletionType::kAnd;
  uint32_t n = 0;  // of kNOfM
};

struct SendEventAction {
  const EventDefinition* event = nullptr;
  std::optional<Expression> expression;  // absent: the event has no data
  std::vector<std::pair<std::string, Template>> attributes;
};

struct SequenceAction {
  std::vector<Action> actions;
};

struct Action {
  StateOrdinal ordinal;
  StateOrdinal detached;  // the node that makes a call which is not waited for; 0 for any other action
  std::string name;       // its own, else that of what it calls, else its type: as histories show it
  std::string own_name;   // empty: none
  ActionType type = ActionType::kInjectData;
  std::vector<ErrorHandler> handlers;
  std::variant<InjectDataAction, DelayAction, ForeachAction, InvokeFunctionAction, InvokeSubflowAction, ParallelAction,
               SendEventAction, SequenceAction>
      detail;
  std::string pointer;
};

// The actions inside an action; none of one that is no composite.
std::span<const Action> children_of(const Action& action);
std::span<Action> children_of(Action& action);

// The key under which the result of a composite holds that of a child: its own name, else its index.
std::string key_of(std::span<const Action> actions, size_t index);

// --- States ----------------------------------------------------------------------------------------------------------

struct EventGroup {
  std::vector<const EventDefinition*> events;  // any of them
  std::optional<Expression> condition;         // sees the event
  std::optional<Expression> result_handler;
  std::string pointer;
};

enum class TransitionKind : uint8_t { kImplicit, kCondition, kEvents, kTimeout, kMixed };

struct Transition {
  StateOrdinal next;  // 0: the state is not left
  bool has_next = false;
  std::optional<Expression> condition;
  std::vector<EventGroup> groups;  // all of them
  std::optional<Timespan> timeout;
  std::optional<Action> action;
  std::optional<Expression> result_handler;
  std::string pointer;

  TransitionKind kind() const;  // kMixed belongs to no class of the text and can never be taken: an error
};

struct State {
  StateOrdinal ordinal;
  StateOrdinal wait;  // the node that waits for events or a timeout
  std::string name;
  bool is_start = false;
  std::vector<Transition> transitions;
  std::optional<Expression> input_filter;
  std::optional<Action> enter_action;
  std::optional<Expression> enter_handler;
  std::optional<Action> exit_action;
  std::optional<Expression> exit_handler;
  std::string pointer;
};

// --- The whole -------------------------------------------------------------------------------------------------------

enum class NodeKind : uint8_t { kState, kWait, kAction, kDetachedCall, kMachine, kMailbox, kTimekeeper };

// What an ordinal names.
struct Node {
  NodeKind kind = NodeKind::kState;
  const State* state = nullptr;    // of kState and kWait
  const Action* action = nullptr;  // of kAction and kDetachedCall
  std::string name;                // as histories show it
};

struct StateMachine {
  std::string id;  // not in the text, but in every sample; may be empty
  std::string name;
  std::string version;
  std::string description;
  std::optional<Timespan> timeout;
  std::optional<Action> timeout_action;
  std::vector<FunctionDefinition> functions;
  std::vector<EventDefinition> events;
  std::vector<RetryPolicy> retries;
  std::vector<State> states;
  StateOrdinal start;                           // the start state's; 0 where there is none
  StateOrdinal machine;                         // runs the others beside the states
  StateOrdinal mailbox;                         // takes in events
  StateOrdinal timekeeper;                      // waits for the machine's timeout, to run its action
  std::vector<Node> nodes;                      // by ordinal - 1
  std::vector<const EventDefinition*> awaited;  // that some transition waits for, each once
  bool has_detached_calls = false;

  const Node& node(StateOrdinal ordinal) const;
  const State* find_state(std::string_view name) const;  // in any case
  const std::string& deployed_name() const { return id.empty() ? name : id; }
};

// A definition owns its text's tree too: diagnostics of later stages need its positions. Not copied: nodes point into
// it.
struct Definition {
  json::Document document;
  std::shared_ptr<const StateMachine> machine;  // never null; shared with the program that is compiled from it
};

// Whether a text is a state machine: it has states, none of which has a type, and one of which has what only those of
// this language have.
bool is_state_machine(const Value& root);

// The files that a definition refers to, by the path that it says: read by what wants the definition, since a language
// reads no disk.
using Files = std::map<std::string, std::string, std::less<>>;

// Whether a URI is the path of such a file: one with a scheme leads elsewhere.
bool is_local_path(std::string_view uri);

// The paths of those files, and the URLs (http, https, file) of what lies elsewhere, each once, without what follows a
// #; who reads them decides whether to fetch. Files may refer to further ones: to be asked again with those that were
// read, until there are no new ones.
std::vector<std::string> referred_files(const Value& root, const Files& files = {});

// Builds the model. What makes that impossible or is no good goes into diagnostics, which have positions but no file.
Definition parse_definition(json::Document document, const Options& options, const Files& files,
                            Diagnostics& diagnostics);

// A member of an object by its name, in any case; the first of several.
const json::Member* find_member(const Value& object, std::string_view name);

}  // namespace pawl::sm4c
