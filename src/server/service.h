// What the operations of the protocol work with, and the table of them.
#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <string_view>

#include "base/time.h"
#include "engine/engine.h"
#include "server/activity_register.h"
#include "server/arns.h"
#include "server/back_office.h"
#include "server/catalog.h"
#include "server/execution_ends.h"
#include "server/express_runs.h"
#include "server/fields.h"
#include "server/mocked_tasks.h"
#include "server/refusal.h"
#include "server/schedules.h"
#include "server/signer.h"
#include "server/start_rules.h"
#include "server/task_tokens.h"
#include "store/store.h"

namespace pawl::server {

class FunctionConnector;
class HistoryEvents;

// Called once, from any thread, when everything that it tells of is durable.
using Reply = std::move_only_function<void(Outcome<Value>)>;

// Everything in it is thread-safe and outlives every call.
struct Service {
  Catalog& catalog;
  StartRules& rules;
  Schedules& schedules;
  engine::Engine& engine;
  const store::Store& store;
  const Signer& signer;
  TaskTokens& tokens;
  const Arns& arns;
  const Clock& clock;
  BackOffice& back_office;
  ExpressRuns& express;
  ActivityRegister& activities;
  MockedTasks& mocks;
  FunctionConnector& functions;
  ExecutionEnds& ends;
};

struct Operation {
  std::string_view name;  // "StartExecution"
  std::span<const Field> fields;
  void (*run)(Service& service, const Request& request, Reply reply);
};

// One group a file.
std::span<const Operation> machine_operations();
std::span<const Operation> version_operations();
std::span<const Operation> alias_operations();
std::span<const Operation> tag_operations();
std::span<const Operation> execution_operations();
std::span<const Operation> redrive_operations();
std::span<const Operation> express_operations();
std::span<const Operation> history_operations();
std::span<const Operation> callback_operations();
std::span<const Operation> map_run_operations();
std::span<const Operation> activity_operations();
std::span<const Operation> test_state_operations();

std::vector<std::string_view> operation_names();

// Runs the operation with this name on a request's body. Refusal, beside the operation's own:
// UnknownOperationException.
void run_operation(Service& service, std::string_view name, Value body, Reply reply,
                   std::shared_ptr<net::HttpServerClient> client = nullptr);

// --- what several groups need

// Computes an answer on the back office's thread. Refusal: ThrottlingException.
void answer_from_back_office(Service& service, std::move_only_function<Outcome<Value>()> compute, Reply reply);
// Makes documents durable. On the back office's thread only: it waits. The two after it apply the change as well.
Outcome<void> put_documents(Service& service, std::vector<store::Document> documents);
Outcome<void> commit_change(Service& service, Change change);
Outcome<void> commit_activity(Service& service, Activity activity);

// The labels of a start, with the trace that the request's `traceHeader` names (AWS X-Ray's form, or W3C's).
Value with_trace(Value labels, const Request& request);

Refusal to_refusal(const Error& error);  // of the engine
Value to_seconds(Timestamp time);        // as the protocol writes it
Outcome<void> check_name(std::string_view name);
Outcome<void> check_role(std::string_view arn);
// Of an execution. Refusal: InvalidExecutionInput.
Outcome<Value> parse_input(std::string_view text);
// Error and cause of an execution that failed, as far as it has them.
void set_failure(json::ObjectBuilder& answer, const Value& outcome);

// The machine that an ARN names, and the revision that its version or alias, or else the machine itself, stands for. An
// alias of two versions gives either, by their weights.
struct FoundMachine {
  MachinePointer machine;
  RevisionPointer revision;
  const PublishedVersion* version = nullptr;  // of `machine`; null where the ARN has no version and no alias
  const Alias* alias = nullptr;               // of `machine`; null where the ARN has none
};
Outcome<FoundMachine> find_machine(const Service& service, std::string_view arn);
// The same, for what concerns a machine as a whole: an ARN with a version or an alias is refused.
Outcome<FoundMachine> find_whole_machine(const Service& service, std::string_view arn);

// Of a machine that takes new executions. Refusal: StateMachineDisabled.
Outcome<void> check_enabled(const Machine& machine);

// …:stateMachine:NAME#CASE: an execution whose tasks a test case of the server's mocks answers.
struct StartArn {
  std::string machine;
  std::string test_case;  // empty: none
};
StartArn split_test_case(std::string_view arn);
// Of an execution that is started so; null where it has no test case. Refusal: ValidationException.
Outcome<Value> start_labels(Service& service, const StartArn& arn, const Machine& machine);

struct FoundExecution {
  store::ExecutionRow row;
  RevisionPointer revision;
};
Outcome<FoundExecution> find_execution(const Service& service, std::string_view arn);

// Why RedriveExecution would refuse the execution; empty where it would not.
std::string why_not_redrivable(const Service& service, const Revision& revision,
                               const engine::Description& description);

// The version and the alias that an execution was started by, as far as its start named them.
void set_qualifiers(const Service& service, const std::string& machine, const store::ExecutionRow& row,
                    json::ObjectBuilder& answer);

// The answer of DescribeExecution.
Value described(const Service& service, const FoundExecution& found, const engine::Description& description,
                bool with_data);

// A name of an execution, and its ARN.
std::string name_of(const store::ExecutionRow& row);
std::string_view status_name(store::ExecutionStatus status);  // "RUNNING"

// The event of a history that shows a fact; null where none does. Facts must be given in order, from the first.
Value protocol_event(HistoryEvents& view, const kernel::Fact& fact, const Value& qualifiers, bool with_data = true);

// Pages of events: whether one comes before the page; the number that the next page begins with, where `number` names
// the member that holds an event's, and 0 where these are the last ones: one more than the page has may be given.
bool is_before(const engine::EventRange& page, EventId event);
int64_t next_page_begin(std::span<const Value> events, const engine::EventRange& page, std::string_view number);

// The page token that leads on from `position`, and the position that a request's token names: `first` where it has
// none.
std::string page_token(const Service& service, std::string_view list, std::string_view position);
Outcome<std::string> page_position(const Service& service, std::string_view list, const Request& request);
size_t page_size(const Request& request);

}  // namespace pawl::server
