// The functions that a server has: definitions of the catalog in the language "durable", whose text is the function's
// configuration. Their code runs in workers.
//
// A function is a machine of the catalog whose name begins with "function:", which no state machine's does; so it has
// revisions, and versions that were published.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/service.h"

namespace pawl::server {

inline constexpr std::string_view kFunctionLanguage = "durable";
inline constexpr std::string_view kFunctionPrefix = "function:";
inline constexpr uint32_t kFunctionSecondsMax = 900;          // of one call
inline constexpr uint32_t kSyncSecondsMax = 900;              // of an execution that somebody waits for
inline constexpr uint32_t kExecutionSecondsMax = 31'622'400;  // of an execution
inline constexpr uint32_t kRetentionDaysMax = 90;
inline constexpr uint32_t kOperationsMax = 100'000'000;  // that a limit on operations may be
// A member of DurableConfig that AWS does not have: there the limit is 3,000.
inline constexpr std::string_view kOperationsMember = "OperationsMax";
inline constexpr uint32_t kRetentionDays = 14;  // where a DurableConfig does not say

// What a function is, as its configuration says.
struct FunctionConfiguration {
  Value members = Value::empty_object();  // as AWS names them: "Timeout", "MemorySize", "DurableConfig", …

  bool is_durable() const { return members.find("DurableConfig") != nullptr; }
  uint32_t timeout_seconds() const;            // of one call
  uint32_t execution_timeout_seconds() const;  // 0: none
  std::optional<Duration> retention() const;   // of executions that have ended; none: the server's
  uint32_t operations_max() const;             // of one execution; 0: no limit
};

// The configuration of a function that a server is told of when it starts.
struct FunctionSettings {
  bool is_durable = true;
  Duration timeout = std::chrono::seconds(kFunctionSecondsMax);  // of one call
  Duration execution_timeout{};                                  // 0: none
  uint32_t retention_days = 0;                                   // 0: the server's
  uint32_t operations_max = 0;                                   // 0: no limit
};
Value function_members(const FunctionSettings& settings);

bool is_function(const Revision& revision);
std::string name_of_function(const Revision& revision);  // "order"
FunctionConfiguration configuration_of(const Revision& revision);
// Of a revision that is a function.
std::shared_ptr<const Compiled> compile_function(const Revision& revision);

// By its number, as it is written; null where it is not published.
const PublishedVersion* find_published(const Machine& machine, const std::string& version);

struct FoundFunction {
  std::string name;
  std::string version;  // "$LATEST", or the number of one that was published
  MachinePointer machine;
  RevisionPointer revision;
  FunctionConfiguration configuration;
};
// By name or ARN, with or without a qualifier; one of its own may come beside it. Refusals: ResourceNotFoundException,
// ValidationException, InvalidParameterValueException.
Outcome<FoundFunction> find_function(const Service& service, std::string_view name, const std::string& qualifier);

// A start of its execution: of a function that is not durable the one call that nobody waits for. `name` may be empty;
// `text` is the input as it was sent; so may `tenant`, for whom it is.
engine::StartRequest durable_start(const Service& service, const FoundFunction& function, const std::string& name,
                                   std::string text, Value input, const std::string& tenant);
// Of an execution that took too long.
std::string timeout_message(const FunctionConfiguration& configuration);

// The change that makes the function, or gives it another revision. On the back office's thread only.
Change change_of(const Service& service, const std::string& name, Value members);

// Of an execution's row: "$LATEST" where it was started by none that is published.
std::string version_text(uint32_t version);
// The ARN of an execution.
std::string durable_arn(const Arns& arns, const Revision& revision, const store::ExecutionRow& row);

}  // namespace pawl::server
