#include "connect/functions.h"

#include "connect/pattern.h"

namespace pawl::connect {

void FunctionTasks::add(std::string pattern, Function function) {
  entries_.push_back({std::move(pattern), std::move(function)});
}

const FunctionTasks::Entry* FunctionTasks::find(std::string_view resource) const {
  return find_by_pattern(entries_, resource);
}

Result<bool> FunctionTasks::claims(const TaskRequest& request) { return find(request.resource) != nullptr; }

FunctionTasks::Expect FunctionTasks::start(const TaskRequest& request, AnswerTask answer) {
  pool_.submit(request.task, [function = find(request.resource)->function, request,
                              answer = std::move(answer)](const std::stop_token&) { answer(function(request)); });
  return Expect::kAnswer;
}

}  // namespace pawl::connect
