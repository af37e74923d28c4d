// The names that clients know things by: ARNs of state machines, executions and activities.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "server/refusal.h"
#include "store/rows.h"

namespace pawl::server {

// arn:aws:states:REGION:ACCOUNT:stateMachine:NAME[:VERSION or :ALIAS]
struct MachineArn {
  std::string name;
  std::optional<uint64_t> version;
  std::string alias;  // empty: none
};

// arn:aws:states:REGION:ACCOUNT:execution:NAME:EXECUTION
struct ExecutionArn {
  std::string machine;
  std::string execution;
};

// NAME[:QUALIFIER], [ACCOUNT:]function:NAME[:QUALIFIER], or arn:aws:lambda:REGION:ACCOUNT:function:NAME[:QUALIFIER]
struct FunctionArn {
  std::string name;
  std::string qualifier;  // "$LATEST", a version's number or an alias; empty: none
};

// Immutable: any thread may use it.
class Arns {
 public:
  Arns(std::string region, std::string account);

  const std::string& region() const { return region_; }
  const std::string& account() const { return account_; }

  std::string of_machine(std::string_view name) const { return prefix_ + "stateMachine:" + std::string(name); }
  std::string of_version(std::string_view name, uint64_t version) const {
    return of_machine(name) + ":" + std::to_string(version);
  }
  std::string of_alias(std::string_view name, std::string_view alias) const {
    return of_machine(name) + ":" + std::string(alias);
  }
  std::string of_execution(std::string_view machine, std::string_view execution) const {
    return prefix_ + "execution:" + std::string(machine) + ":" + std::string(execution);
  }
  // Of an EXPRESS machine, whose executions may share a name.
  std::string of_express(std::string_view machine, std::string_view execution, std::string_view unique) const {
    return of_tested(machine, execution) + ":" + std::string(unique);
  }
  // Of the execution that a test of a state stands for.
  std::string of_tested(std::string_view machine, std::string_view execution) const {
    return prefix_ + "express:" + std::string(machine) + ":" + std::string(execution);
  }

  std::string of_activity(std::string_view name) const { return prefix_ + "activity:" + std::string(name); }

  // "arn:aws:lambda:REGION:ACCOUNT:function:NAME:VERSION"; `version` may be empty: no qualifier.
  std::string of_function(std::string_view name, std::string_view version) const;
  // …function:NAME:VERSION/durable-execution/EXECUTION/ID
  std::string of_durable(std::string_view function, std::string_view version, std::string_view execution,
                         ExecutionId id) const;

  // Nothing where the text is no name of a function.
  static std::optional<FunctionArn> parse_function(std::string_view text);
  // The id at the end of a durable execution's ARN; nothing where it is none of this server's.
  static std::optional<ExecutionId> parse_durable(std::string_view arn);

  // Refusal: InvalidArn. The region and the account are not compared: there is one of each here.
  Outcome<MachineArn> parse_machine(std::string_view arn) const;
  Outcome<ExecutionArn> parse_execution(std::string_view arn) const;
  Outcome<std::string> parse_activity(std::string_view arn) const;  // its name

 private:
  std::string region_;
  std::string account_;
  std::string prefix_;
  std::string function_prefix_;
};

inline constexpr std::string_view kLatest = "$LATEST";

// The name of an execution that was started without one, made of its id and readable back into it.
std::string generated_name(ExecutionId id);
std::optional<ExecutionId> parse_generated_name(std::string_view name);

// A name that no other has.
std::string random_name();

// The revisionId of a state machine.
std::string revision_name(store::DefinitionId id);

}  // namespace pawl::server
