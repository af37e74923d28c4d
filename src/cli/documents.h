// JSON and YAML files that arguments name, and the places of their errors.
#pragma once

#include <string>

#include "base/result.h"
#include "connect/task_map.h"
#include "json/parse.h"

namespace pawl::cli {

// The error, with its place in the file.
Error in_file(Error error, const std::string& file);

std::optional<std::string> environment_variable(const std::string& name);

// Errors: those of read_file and of the parsers.
Result<json::Document> read_document(const std::string& file);

// The file of --tasks, with ${NAME} from the environment. Errors: TASKS_….
Result<connect::TaskTargets> read_task_targets(const std::string& file);

}  // namespace pawl::cli
