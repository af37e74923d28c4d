// Durable executions for the commands that know executions of any kind.
#pragma once

#include <optional>
#include <string>

#include "cli/client.h"

namespace pawl::cli {

// The ARN of the durable execution that a user names: by its ARN, FUNCTION:NAME, or by the name alone where one
// function has it. Nothing where it is none. Errors: those of the client, EXECUTION_AMBIGUOUS.
Result<std::optional<std::string>> find_durable_execution(const Client& client, const std::string& text);

Result<json::Value> show_durable(const Client& client, const std::string& arn);
Result<json::Value> stop_durable(const Client& client, const std::string& arn, const std::string& error,
                                 const std::string& cause);
// Every page, one item a line.
Result<void> print_durable_history(const Client& client, const std::string& arn, bool reverse);
Result<void> print_functions(const Client& client);
Result<void> print_durable_executions(const Client& client, const std::string& function, const std::string& status);

}  // namespace pawl::cli
