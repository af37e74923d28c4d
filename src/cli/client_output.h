// What the commands that talk to a server print of its answers.
#pragma once

#include <string_view>

#include "base/result.h"
#include "cli/client.h"
#include "json/value.h"

namespace pawl::cli {

// Prints the answer, or reports the error; the exit code.
int conclude(const Result<json::Value>& answer, bool json);
int conclude_list(const Result<void>& printed, bool json);

// Every page of a list, one item a line.
Result<void> print_pages(const Client& client, std::string_view operation, const json::Value& request,
                         const char* items);

}  // namespace pawl::cli
